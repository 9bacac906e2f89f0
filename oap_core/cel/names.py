"""What to say about a name that is neither a variable, nor a constant, nor a type."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Final

from oap_core.cel import foreign
from oap_core.cel.codes import LoadCode
from oap_core.cel.environment import Env
from oap_core.cel.report import Report, did_you_mean
from oap_core.cel.tree import Ident, Literal, MacroKind, Node
from oap_core.cel.types import ListType, ObjectType
from oap_core.cel.values import TYPE_NAMES, KeyedMap, Value
from oap_core.cel.wording import code, counted, cut, listed, literal

MACROS: Final = ("has", *(str(kind) for kind in MacroKind))
"""Names that are called like functions and are none."""

_TYPES: Final = frozenset(TYPE_NAMES.values())

_MOST_KEYS: Final = 1000
"""Members of a constant among which a similar name is looked for."""

_LONGEST_TEXT: Final = 120
_TEXT: Final = re.compile(r"[A-Za-z0-9_.@:/-]*")
_SEPARATOR: Final = re.compile(r"[@:/-]+")


def unknown_variable(node: Ident, fields: Sequence[str], env: Env, scope: Collection[str], report: Report) -> Node:
    """Report a name that is neither a variable, nor a constant, nor a type. `fields` are selected from it.

    Gives what stands for it in the tree: the value where it is another language's name for one.
    """
    report.blame(
        LoadCode.UNKNOWN_VARIABLE,
        node,
        f"unknown variable `{_unknown(node.name, fields, env)}`",
        None if report.full else _advice_on_variable(node, fields, env, scope, report),
    )
    if node.name in foreign.VALUES and not fields:
        return Literal(node.start, node.end, node.anchor, foreign.VALUES[node.name])
    return node


def _unknown(name: str, fields: Sequence[str], env: Env) -> str:
    """As much of a dotted name as it takes to be none that is known: `session.idd` where there is `session.id`."""
    for field in fields:
        if not any(known.startswith(f"{name}.") for known in (*env.declared, *_TYPES)):
            break
        name = f"{name}.{field}"
    return name


def _advice_on_variable(
    node: Ident, fields: Sequence[str], env: Env, scope: Collection[str], report: Report
) -> str | None:
    name = node.name
    if name in foreign.VALUES:
        return f"CEL writes `{literal(foreign.VALUES[name])}`"
    if env.functions.get(name) is not None or name in MACROS:
        return f"`{name}` is a function and needs arguments"
    dotted = [known for known in (*env.declared, *_TYPES) if known.startswith(f"{name}.")]
    if dotted:
        near = did_you_mean(".".join([name, *fields]), dotted)
        return near or _known(dotted)
    members = _members(name, env) + _members_of_elements(name, env, scope)
    if members:
        return f"did you mean {' or '.join(f'`{member}`' for member in members[:2])}?"
    visible = [*scope, *env.declared, *env.constants]
    known = _known(visible)
    if name in foreign.HOSTS:
        return f"other programs with CEL have it; {known}" if known else None
    quoted = _quoted(node, report.source, visible) if not fields else None
    return did_you_mean(name, visible) or "; ".join(filter(None, (quoted, known))) or None


def _known(names: Collection[str]) -> str:
    """What could have been meant, where nothing is like the name that was written."""
    if len(set(names)) == 1:
        return f"the only name here is {listed(names)}"
    return f"the names here are {listed(names)}" if names else ""


def _members(name: str, env: Env) -> list[str]:
    """The fields of variables and the members of constants that have this name."""
    fields = [
        f"{variable}.{name}"
        for variable, kind in env.declared.items()
        if isinstance(kind, ObjectType) and name in kind.fields
    ]
    return fields + [f"{root}.{name}" for root, value in env.constants.items() if type(value) is dict and name in value]


def _members_of_elements(name: str, env: Env, scope: Collection[str]) -> list[str]:
    """The field of the innermost loop variable, where elements of some declared list have one of this name."""
    lists = (
        field.type.element
        for kind in env.declared.values()
        if isinstance(kind, ObjectType)
        for field in kind.fields.values()
        if isinstance(field.type, ListType)
    )
    found = any(isinstance(element, ObjectType) and name in element.fields for element in lists)
    return [f"{list(scope)[-1]}.{name}"] if found and scope else []


def _quoted(node: Ident, source: str, visible: Collection[str]) -> str:
    """The name as a text, with what touches it where that is part of one: `payments/refund`."""
    before = _TEXT.match(source[: node.start][::-1])
    start = node.start if before is None else node.start - before.end()
    after = _TEXT.match(source, node.end)
    text = source[start : node.end if after is None else after.end()].strip("@:/-.")
    parts = [part.partition(".")[0] for part in _SEPARATOR.split(text)]
    if len(parts) == 1 or len(text) > _LONGEST_TEXT or any(part in visible or part.isdigit() for part in parts):
        text = cut(node.name)
    return f'a text needs quotes: `"{text}"`'


def unknown_constant(held: Literal, key: Value, part: Node, report: Report) -> None:
    """Report a member that a constant does not have."""
    known = _keys(held.value)
    message = f"`{code(report.source, held)}` has no member `{key}`"
    held_here = f"it has {listed(known)}" if known else None if len(held.value) else "it is empty"
    report.blame(LoadCode.UNKNOWN_CONSTANT, part, message, did_you_mean(str(key), known) or held_here)


def unknown_element(held: Literal, position: int, part: Node, report: Report) -> None:
    """Report a position that a constant list does not have."""
    size = len(held.value)
    message = f"`{code(report.source, held)}` has {counted(size, 'element')} and none at {position}"
    report.blame(LoadCode.UNKNOWN_CONSTANT, part, message, positions(size))


def positions(size: int) -> str | None:
    """How the elements of a list of this size are counted."""
    if size < 2:
        return "its only element is at position 0" if size else None
    return f"positions go from 0 to {size - 1}"


def _keys(value: Mapping[str, Value] | KeyedMap) -> list[str]:
    return [key for key in islice(value, _MOST_KEYS) if type(key) is str]
