"""What is said where a boolean has to stand and something else does: conditions, operands of `&&`, `||` and `!`."""

from typing import Final

from oap_core.cel.check.conversion import converted
from oap_core.cel.check.state import Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.tree import Binary, Call, Literal, Logic, Node, Select, Ternary, Unary
from oap_core.cel.types import BOOL, DYN, NOTHING, ObjectType, Type
from oap_core.cel.wording import code, named, operand, shown

MAY_BE_BOOLEAN: Final = frozenset({BOOL, DYN, NOTHING})
"""Types of which a boolean can be."""

_LONGEST: Final = 60
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
_FILLED: Final = {
    "string": '{0} != ""',
    "bytes": "size({1}) > 0",
    "list": "size({1}) > 0",
    "map": "size({1}) > 0",
    "int": "{0} != 0",
    "uint": "{0} != 0u",
    "double": "{0} != 0.0",
    "number": "{0} != 0",
}
"""What an author means who takes a value for a boolean, by the name of its type."""


def require(state: Checking, node: Node, what: str) -> None:
    """Blame a part that has to be boolean and cannot be; in a ternary, the branch that cannot."""
    kind = state.types[id(node)]
    if type(node) is Ternary and kind == DYN:
        require(state, node.then, what)
        require(state, node.otherwise, what)
    elif kind not in MAY_BE_BOOLEAN:
        message = f"{what} is {named(kind)} and has to be bool"
        state.blame(LoadCode.NOT_BOOLEAN, node, message, _before_comment(state, node) or _advice(state, node, kind))


def _before_comment(state: Checking, node: Node) -> str | None:
    """For a whole condition behind which a `//` cuts off what would have made it boolean."""
    rest = state.source[node.end :].lstrip(" \t)")
    if node is state.root and rest.startswith("//"):
        return "`//` begins a comment that goes on to the end of the line; one `/` divides"
    return None


def blame_term(state: Checking, node: Logic, term: Node, kind: Type) -> None:
    """Blame an operand of `&&` or `||` that is no boolean."""
    message = f"`{node.op}` takes bool, and `{shown(state.source, term)}` is {named(kind)}"
    advice = _compared_again(state, node, term, kind) or _advice(state, term, kind)
    state.blame(LoadCode.NO_OVERLOAD, term, message, advice)


def _compared_again(state: Checking, node: Logic, term: Node, kind: Type) -> str | None:
    """For `a == "x" || "y"`."""
    if type(term) is not Literal:
        return None
    for other in node.terms:
        if isinstance(other, Binary) and other.op in _COMPARISONS and state.types[id(other.right)].name == kind.name:
            text = f"{operand(state.source, other.left)} {other.op} {code(state.source, term)}"
            return f"write `{text}`: each side of `{node.op}` is a condition of its own"
    return None


def blame_choice(state: Checking, node: Logic) -> bool:
    """Blame `x == ("a" || "b")` as a whole, and tell whether it is that."""
    outer, source = state.parent(node), state.source
    kinds = [state.types[id(term)] for term in node.terms]
    if not all(type(one) is Literal for one in node.terms) or any(kind in MAY_BE_BOOLEAN for kind in kinds):
        return False
    several = f"[{', '.join(code(source, term) for term in node.terms)}]"
    if isinstance(outer, Binary) and outer.op in ("==", "!="):
        text = f"{operand(source, outer.right if outer.left is node else outer.left)} in {several}"
        advice = f"write `{text}`" if outer.op == "==" else f"write `!({text})`"
    elif isinstance(outer, Call) and outer.args == (node,) and outer.target is not None:
        advice = f"write `{several}.exists(e, {operand(source, outer.target)}.{outer.function}(e))`"
    else:
        return False
    message = f"`{node.op}` takes bool, and `{shown(source, node.terms[0])}` is {named(kinds[0])}"
    state.blame(LoadCode.NO_OVERLOAD, node, message, advice)
    return True


def blame_negation(state: Checking, node: Unary, kind: Type) -> None:
    """Blame `!` before something that is no boolean."""
    source, outer = state.source, state.parent(node)
    message = f"`!` takes bool, and `{shown(source, node.operand)}` is {named(kind)}"
    if isinstance(outer, Binary) and outer.left is node and outer.op in (*_COMPARISONS, "in"):
        # A parenthesis around the operand belongs to no node.
        inner = f"{operand(source, node.operand)} {outer.op} {operand(source, outer.right)}"
        advice: str | None = f"`!` binds tighter than `{outer.op}`: write `!({inner})`"
        state.forgive(node.operand)
    else:
        advice = _advice(state, node.operand, kind, negated=True)
    state.blame(LoadCode.NO_OVERLOAD, node, message, advice)


def _advice(state: Checking, node: Node, kind: Type, *, negated: bool = False) -> str | None:
    """What to write for a value that is taken for a boolean."""
    form, source = _FILLED.get(kind.name), state.source
    if type(node) is Literal:
        text = converted(source, node, kind, BOOL)
        return f"write `{text}`" if text in ("true", "false") else "compare something with it"
    if isinstance(kind, ObjectType):
        return "compare one of its fields"
    if form is None or node.end - node.start > _LONGEST:
        return None
    filled = form.format(operand(source, node), code(source, node))
    if negated:
        filled = filled.replace(" != ", " == ").replace(" > 0", " == 0")
    if any(read is node for read in state.optional) and type(node) is Select:
        state.forgive(node)
        has = f"has({code(source, node)})"
        both = f"!{has} || {filled}" if negated else f"{has} && {filled}"
        return f"write `{'!' if negated else ''}{has}` to ask whether it is there, or `{both}`"
    return f"write `{filled}` if that is meant"
