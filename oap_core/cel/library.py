"""Every function that an expression has without a plugin: the language's own, and the host functions of the core."""

from typing import Final

from oap_core.cel.functions import Registry
from oap_core.cel.host import HOST_FUNCTIONS
from oap_core.cel.standard import STANDARD

FUNCTIONS: Final[Registry] = STANDARD.extended(HOST_FUNCTIONS)
"""The registry; a plugin's functions come on top with `FUNCTIONS.extended(...)`."""
