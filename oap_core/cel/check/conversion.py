"""The author's own text, made to be of another type: pieces that the repairs of the checker are put together from.

Everything here returns None where there is no conversion that is likely to be meant.
"""

import re
from typing import Final

from oap_core.cel.calendar import moment_text, span_text
from oap_core.cel.tree import Literal, Node
from oap_core.cel.types import BOOL, DURATION, TIMESTAMP, ListType, ObjectType, Type
from oap_core.cel.values import UInt
from oap_core.cel.wording import code, operand

NUMBERS: Final = frozenset({"int", "uint", "double", "number"})
TO_TEXT: Final = NUMBERS | {"bool", "bytes", TIMESTAMP.name, DURATION.name}
"""Names of the types that `string` takes."""

_CONVERSIONS: Final = {
    "int": "int",
    "uint": "uint",
    "double": "double",
    "string": "string",
    TIMESTAMP.name: "timestamp",
    DURATION.name: "duration",
}
"""Functions that convert text to a type, by the name of the type."""

_NAME: Final = re.compile(r"(?!true\b|false\b|null\b|[bB]?[rR]?[\"'])[A-Za-z_]")
_WHOLE: Final = re.compile(r"-?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_YES: Final = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
_YOUNGEST: Final = 100_000_000
"""Seconds since 1970 below which a number is hardly meant as a moment: it would lie in the years to 1973."""

_LOOKS_LIKE_A_DATE: Final = re.compile(r"[0-9]{4}\s*-\s*[0-9]{1,2}\s*-\s*[0-9]{1,2}", re.ASCII)


def is_written_out(source: str, node: Literal) -> bool:
    """Whether a literal stands in the expression itself, and not for a constant of the policy."""
    return not _NAME.match(code(source, node))


def converted(source: str, node: Node, kind: Type, wanted: Type) -> str | None:
    """The code of `node`, of type `kind`, made to be of type `wanted`."""
    if kind.name == wanted.name:
        return operand(source, node) if kind == wanted else None
    if type(node) is Literal:
        return _literal(source, node, wanted)
    if kind.name == "string":
        function = _CONVERSIONS.get(wanted.name)
        return f'({operand(source, node)} == "true")' if wanted == BOOL else _applied(function, source, node)
    if wanted.name == "string" and kind.name in TO_TEXT:
        return _applied("string", source, node)
    if kind.name in NUMBERS and wanted.name in NUMBERS:
        return _applied(wanted.name, source, node)
    if kind.name == "int" and wanted == TIMESTAMP:
        dashed = re.sub(r"\s", "", code(source, node))
        date = moment_text(dashed) if _LOOKS_LIKE_A_DATE.fullmatch(dashed) else None
        return _applied("timestamp", source, node) if date is None else f'timestamp("{date}")'
    return f'duration(string({code(source, node)}) + "s")' if kind.name == "int" and wanted == DURATION else None


def _applied(function: str | None, source: str, node: Node) -> str | None:
    return None if function is None else f"{function}({code(source, node)})"


def _literal(source: str, node: Literal, wanted: Type) -> str | None:
    """A literal written as another type would have it. One that came from a constant has no text to change."""
    value, name = node.value, wanted.name
    if not is_written_out(source, node):
        return _applied(_CONVERSIONS.get(name), source, node) if type(value) in (str, int, float) else None
    if type(value) is str:
        return f"b{code(source, node)}" if name == "bytes" else _unquoted(value, name)
    if type(value) is bytes:
        return code(source, node)[1:] if name == "string" else None
    if name == "string" and type(value) in (int, bool):
        return f'"{code(source, node)}"'
    if type(value) is int and name == "bool":
        return {0: "false", 1: "true"}.get(value)
    if type(value) is int and wanted == DURATION:
        return f'duration("{value}s")'
    if type(value) is int and wanted == TIMESTAMP:
        return f"timestamp({value})" if value >= _YOUNGEST else None
    if type(value) in (int, UInt):
        return {"int": f"{int(value)}", "double": f"{int(value)}.0", "uint": f"{int(value)}u"}.get(name)
    if type(value) is float and name in ("int", "uint") and value.is_integer() and abs(value) < 2**53:
        return f"{int(value)}" + ("u" if name == "uint" else "")
    return None


def _unquoted(text: str, name: str) -> str | None:
    if name in (TIMESTAMP.name, DURATION.name):
        meant = moment_text(text) if name == TIMESTAMP.name else span_text(text)
        return None if meant is None else f'{_CONVERSIONS[name]}("{meant}")'
    if name == "bool":
        return _YES.get(text.lower())
    if name in ("int", "uint") and _WHOLE.fullmatch(text.rstrip("0").removesuffix(".") if "." in text else text):
        return text.partition(".")[0] + ("u" if name == "uint" else "")
    if name in ("double", "number") and _DECIMAL.fullmatch(text):
        return text if "." in text or name == "number" else f"{text}.0"
    return None


def field_for(held: Type, node: Node, kind: Type) -> str | None:
    """The field of an object that `node`, of type `kind`, is likely to be compared with; None where none is likely."""
    if not isinstance(held, ObjectType) or isinstance(kind, ObjectType | ListType):
        return None
    names = [name for name, field in held.fields.items() if field.type.name == kind.name and name.isidentifier()]
    if type(node) is Literal:
        for name in names:
            values = held.fields[name].type.values
            if values is not None and node.value in values:
                return name
    likely = [name for name in ("id", "name") if name in names]
    return likely[0] if likely else names[0] if len(names) == 1 else None
