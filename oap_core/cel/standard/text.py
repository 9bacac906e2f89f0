"""Questions about text that the language itself has: `contains`, `startsWith`, `endsWith`.

Text is compared code point by code point: letter case counts, and nothing is normalised.
"""

import operator
from typing import Final

from oap_core.cel.functions import Function, Overload
from oap_core.cel.limits import UNIT_CHARACTERS
from oap_core.cel.types import BOOL, STRING


def _part_units(_text: str, part: str) -> int:
    """What comparing a beginning or an end takes: nothing to speak of, but for a part as long as a book."""
    return len(part) // UNIT_CHARACTERS


FUNCTIONS: Final = (
    Function(
        "contains",
        (Overload((STRING, STRING), BOOL, operator.contains, method=True, scans=True),),
        "Whether the string holds another.",
        (("'hello'.contains('ell')", "true"), ("'hello'.contains('')", "true")),
    ),
    Function(
        "startsWith",
        (Overload((STRING, STRING), BOOL, str.startswith, method=True, extra=_part_units),),
        "Whether the string begins with another. It knows nothing of paths: `/srv/../etc` begins with `/srv/`.",
        (("'hello'.startsWith('he')", "true"), ("'hello'.startsWith('lo')", "false")),
    ),
    Function(
        "endsWith",
        (Overload((STRING, STRING), BOOL, str.endswith, method=True, extra=_part_units),),
        "Whether the string ends with another.",
        (("'hello'.endsWith('lo')", "true"),),
    ),
)
"""`contains`, `startsWith` and `endsWith`."""
