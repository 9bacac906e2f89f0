"""Blaming reads of optional fields that may fail because the field is absent."""

from typing import Final

from oap_core.cel.check.flow import Read, absent_reads
from oap_core.cel.check.state import Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.references import path_of
from oap_core.cel.tree import Has, Index, Logic, Macro, Node, Select, Ternary, Unary, walk
from oap_core.cel.types import BOOL
from oap_core.cel.wording import code, operand, shown

_MOST_COPIED: Final = 80


def examine(root: Node, state: Checking) -> None:
    """Report every read among `state.optional` that can make the expression fail where its field is absent.

    Reads of one chain, such as the two in `args.options.network`, are one mistake.
    """
    if _plainly_guarded(root, state):
        return
    absent = absent_reads(root, state)
    if not absent:
        return
    parents = {id(child): node for node in walk(root) for child in node.children()}
    unguarded = {id(read): read for number, read in enumerate(state.optional) if absent >> number & 1}
    for read in list(unguarded.values()):
        if id(read) in unguarded:
            chain = _chain(read, unguarded, parents)
            message = f"`{shown(state.source, read)}` is optional and may be absent here"
            state.blame(LoadCode.MAYBE_ABSENT, read, message, _advice(state, chain, parents))


def _plainly_guarded(root: Node, state: Checking) -> bool:
    """Whether the whole is `has(a.b) && ...` or `!has(a.b) || ...` with a `has` for every read: a quick way to a yes.

    Where one of the fields is absent and everything above it is present, the `has` settles the result.
    """
    if not isinstance(root, Logic):
        return False
    guards = root.terms
    if root.op == "||":
        guards = tuple(term.operand for term in guards if isinstance(term, Unary) and term.op == "!")
    guarded = {(*path, guard.field) for guard in guards if isinstance(guard, Has) and (path := path_of(guard.operand))}
    return all(path_of(read) in guarded for read in state.optional)


def _chain(read: Read, unguarded: dict[int, Read], parents: dict[int, Node]) -> list[Read]:
    """The read and those on top of it, which leave `unguarded`. Inner reads come first in it, as they were found."""
    chain = [unguarded.pop(id(read))]
    inner: Node = read
    while isinstance(outer := parents.get(id(inner)), Select | Index) and outer.operand is inner:
        if id(outer) in unguarded:
            chain.append(unguarded.pop(id(outer)))
        inner = outer
    return chain


def _advice(state: Checking, chain: list[Read], parents: dict[int, Node]) -> str:
    """How to guard the reads of one chain, with the smallest boolean part around them."""
    source, last = state.source, chain[-1]
    term: Node = last
    while (parent := parents.get(id(term))) is not None and not _separates(parent, term):
        term = parent
    guards = [_guard(source, read) for read in chain]
    guard = " && ".join(guards)
    if state.types.get(id(term)) != BOOL:
        return f"write `{guard} ? {code(source, last)} : ...` with a value for where it is absent"
    text = code(source, term)
    if len(text) > _MOST_COPIED or type(term) is Ternary:
        text = "..."
    negated = f"!({guard})" if len(guards) > 1 or isinstance(last, Index) else f"!{guard}"
    return f"write `{guard} && {text}`, or `{negated} || {text}` if it should hold where the field is absent"


def _guard(source: str, read: Read) -> str:
    if isinstance(read, Index):
        return f"{code(source, read.index)} in {operand(source, read.operand)}"
    return f"has({code(source, read)})"


def _separates(parent: Node, term: Node) -> bool:
    """Whether a guard has to stand below this parent to be beside the term."""
    if isinstance(parent, Macro):
        return parent.target is not term
    return type(parent) in (Logic, Ternary)
