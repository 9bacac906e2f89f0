"""What to say about a function that there is not: what other languages call like that, and what CEL writes for it."""

import re
from collections.abc import Sequence
from typing import Final

from oap_core.cel import foreign
from oap_core.cel.calendar import moment_text, span_text
from oap_core.cel.codes import LoadCode
from oap_core.cel.environment import Env
from oap_core.cel.names import MACROS
from oap_core.cel.report import Report, did_you_mean
from oap_core.cel.syntax.leftout import LEFT_OUT
from oap_core.cel.tree import Call, Has, Ident, Literal, Node, Select
from oap_core.cel.types import ObjectType
from oap_core.cel.wording import code, listed, operand

_MOST_LISTED: Final = 8
"""Functions that are named where none is like the one that was written."""

_MOST_COPIED: Final = 120
_LIKENESS: Final = 0.76
"""How alike a name has to be to be offered: functions have short names, and many of them share some letters."""
_PLACE: Final = re.compile(r"(?P<inside>(?<=[(\\[])|(?<=, ))?\{(?P<number>[0-9])\}(?P<closed>(?=[),\]]))?")
_BY_TEXT: Final = {"timestamp": moment_text, "duration": span_text}


def is_namespace(name: str, env: Env) -> bool:
    """Whether some registered or left-out function lives in the namespace."""
    start = f"{name}."
    return any(function.name.startswith(start) for function in env.functions) or any(
        left_out.startswith(start) for left_out in LEFT_OUT
    )


def unknown_function(node: Call, name: str, env: Env, report: Report, namespace: str | None = None) -> None:
    """Report a function that is not registered; one that CEL has and this engine leaves out is named as such."""
    left_out = LEFT_OUT.get(name)
    loop = _as_loop(node, report.source)
    if left_out is not None and loop is None:
        report.blame(LoadCode.UNSUPPORTED, node, f"`{name}` is left out here", left_out)
        return
    advice = None if report.full else loop or _advice_on_function(node, name, env, report.source, namespace)
    report.blame(LoadCode.UNKNOWN_FUNCTION, node, f"unknown function `{name}`", advice)


def _advice_on_function(node: Call, name: str, env: Env, source: str, namespace: str | None) -> str | None:
    known = [*(function.name for function in env.functions), *MACROS]
    full = f"{namespace}.{name}" if namespace is not None else name
    form = foreign.IN_NAMESPACES.get(full)
    if form is not None:
        return _filled(form, node.args, source)
    near = did_you_mean(full, known) if namespace is not None else None
    special = (
        _as_variable(node, env) or _as_member(node, source) or _as_default(node, source) or _as_range(node, source)
    )
    if special or near:
        return special or near
    form = "has({0})" if asks_presence(node) is not None else foreign.FUNCTIONS.get(name)
    part = foreign.PARTS_OF_A_MOMENT.get(name.lower())
    if part is not None and len(node.children()) == 1 and (form is None or node.target is not None):
        form = f"{{0}}.{part}"
    if form is not None:
        return _filled(form, node.children(), source)
    return did_you_mean(name, known, cutoff=_LIKENESS) or _listed_functions(node, env)


def _listed_functions(node: Call, env: Env) -> str | None:
    """The functions that could be called like that, the first few of them."""
    method = node.target is not None
    found = [function.name for function in env.functions if any(one.method is method for one in function.overloads)]
    return f"{'methods' if method else 'functions'} are {listed(found, _MOST_LISTED)}" if found else None


def _filled(form: str, parts: Sequence[Node], source: str) -> str | None:
    """A form with the author's own text in it; without it, where that would be long."""

    def text(match: re.Match[str]) -> str:
        part = parts[int(match["number"])] if int(match["number"]) < len(parts) else None
        if part is None:
            return _dots(match)
        alone = match["inside"] is not None and match["closed"] is not None
        return code(source, part) if alone else operand(source, part)

    made = _moment(form, parts) or _PLACE.sub(text, form)
    return f"write `{made}`" if len(made) <= _MOST_COPIED else f"write `{_PLACE.sub(_dots, form)}`"


def _dots(match: re.Match[str]) -> str:
    return "x" if match["number"] == "0" else "..."


def _moment(form: str, parts: Sequence[Node]) -> str | None:
    """A moment or a span that is written out, as CEL writes it."""
    function = form.partition("(")[0]
    if function not in _BY_TEXT or len(parts) != 1:
        return None
    text = parts[0].value if type(parts[0]) is Literal else None
    meant = _BY_TEXT[function](text) if type(text) is str else None
    return None if meant is None else f'{function}("{meant}")'


def _as_loop(node: Call, source: str) -> str | None:
    """A macro that is called as a function, or a loop that another language has."""
    parts = node.children()
    macro = foreign.GENERATORS.get(node.function, node.function)
    if macro not in MACROS[1:] or len(parts) != 3 or type(parts[1]) is not Ident:
        return None
    return _filled(f"{{0}}.{macro}({{1}}, {{2}})", parts, source)


def loop_name(node: Call) -> Ident | None:
    """The loop variable of a loop that another language has, or of a macro that is called as a function."""
    if node.target is not None:
        first = node.args[0] if len(node.args) > 1 else None
    else:
        first = node.args[1] if len(node.args) == 3 and node.function in MACROS else None
    return first if isinstance(first, Ident) else None


def _as_variable(node: Call, env: Env) -> str | None:
    """A variable, or a field of one, that is called."""
    if node.args:
        return None
    if node.target is None:
        called = node.function in env.declared
        return f"`{node.function}` is a variable and takes no parentheses" if called else None
    if not isinstance(node.target, Ident):
        return None
    kind, constants = env.declared.get(node.target.name), env.constants.get(node.target.name)
    fields = kind.fields if isinstance(kind, ObjectType) else constants if isinstance(constants, dict) else ()
    text = f"{node.target.name}.{node.function}"
    return f"`{text}` is a field and takes no parentheses" if node.function in fields else None


def _as_member(node: Call, source: str) -> str | None:
    """A method that asks whether something is among the elements of a list or the keys of a map."""
    if node.function not in foreign.MEMBERSHIP or node.target is None or len(node.args) != 1:
        return None
    held, part = operand(source, node.target), code(source, node.args[0])
    text = f"{operand(source, node.args[0])} in {held}"
    if type(node.args[0]) is not Literal or node.function not in ("includes", "include", "contain"):
        return f"write `{text}`"
    return f"write `{text}` for a list, `{held}.contains({part})` for a text"


def _as_default(node: Call, source: str) -> str | None:
    """`a.get("b")` and `a.get("b", other)`."""
    if node.function not in ("get", "getOrDefault", "getOrElse", "dig") or node.target is None or not node.args:
        return None
    key, held = node.args[0], operand(source, node.target)
    plain = type(key) is Literal and type(key.value) is str and key.value.isidentifier()
    read = f"{held}.{key.value}" if plain and type(key) is Literal else f"{held}[{code(source, key)}]"
    asked = f"has({read})" if plain else f"{operand(source, key)} in {held}"
    if len(node.args) == 1:
        return f"write `{read}`, behind `{asked} &&` where it may be absent"
    return f"write `({asked} ? {read} : {code(source, node.args[1])})`"


def _as_range(node: Call, source: str) -> str | None:
    """`range(1, 10)`."""
    if node.function != "range" or node.target is not None or len(node.args) not in (1, 2):
        return None
    bounds = ["0", *(operand(source, one) for one in node.args)][-2:]
    return f"there are no ranges; write `{bounds[0]} <= x && x < {bounds[1]}`"


def asks_presence(node: Call) -> Has | None:
    """The `has` that is meant by a call of a function that other languages have for it."""
    if node.function not in foreign.PRESENCE or node.target is not None or len(node.args) != 1:
        return None
    field = node.args[0]
    return Has(node.start, node.end, field.anchor, field.operand, field.field) if isinstance(field, Select) else None
