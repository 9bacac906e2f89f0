"""What can become of each node of an expression where a field that it reads is absent.

For every read of an optional field the expression is looked at once more, under the assumption that the field is
absent and everything above it is present. Each node then has a set of possible outcomes: true, false (any other value
counts as both), failed because of this read, failed for another reason. `&&`, `||`, `!`, `? :` and the macros combine
these sets exactly as they combine outcomes when they run, so `args.x == 1 && has(args.x)` is false and no mistake: CEL
absorbs the error in either order.

INVARIANT: an outcome that is possible is in the set. Sets are exact for `has`, `in` and the logical operators, and
contain everything for what is not understood, so a mistake may be seen where there is none, never overlooked. It
follows that no presence error can reach the root unseen, however many fields are absent at once: take the reads that
the error came from, all of places that are absent while everything above them is present. An operator's outcome holds
"failed because of this read" for each read that contributed, whatever else failed beside it, so the set of the root
holds it for these reads.

A read below a loop variable is looked at under the assumption that some element of the list lacks the field. A macro
over that list then has one element of which this is known, and any number of which nothing is.

All reads are looked at in one pass: a set is four integers with one bit for each read.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from oap_core.cel.check.places import NOWHERE, Places
from oap_core.cel.check.state import Checking
from oap_core.cel.tree import (
    Binary,
    Has,
    Ident,
    Index,
    ListLiteral,
    Literal,
    Logic,
    Macro,
    MacroKind,
    MapLiteral,
    Node,
    Select,
    Ternary,
    Unary,
    Var,
)
from oap_core.cel.types import BOOL, Field, ObjectType

Read = Select | Index
"""A node that reads a field."""


class Outcomes(NamedTuple):
    """What can become of a node, each a set of reads under whose assumption it can."""

    true: int
    """It can be true; so can a value that is no boolean."""
    false: int
    """It can be false; so can a value that is no boolean."""
    other: int
    """It can fail for another reason than the read."""
    absent: int
    """It can fail because of the read."""


def absent_reads(root: Node, state: Checking) -> int:
    """The reads among `state.optional` that can make the expression fail, as bits by their position there."""
    return _Flow(root, state).visit(root).absent


class _Flow:
    """The pass over one expression."""

    __slots__ = ("_above", "_all", "_at", "_definitions", "_loops", "_passing", "_places", "_reads", "_types")

    def __init__(self, root: Node, state: Checking) -> None:
        self._types = state.types
        self._definitions = state.definitions
        self._places = places = Places(root, state.functions)
        self._reads = {id(read): number for number, read in enumerate(state.optional)}
        self._all = (1 << len(state.optional)) - 1
        self._at: dict[int, int] = {}
        """By place, the reads of exactly that place."""
        self._above: dict[int, int] = {}
        """By place, the reads of places below it; looking at one of them assumes that this place is present."""
        self._loops: dict[int, int] = {}
        """By place of a loop variable, the reads of places that are reached through it."""
        self._passing: dict[int, Outcomes] = {}
        """By identity of a `filter`, the outcomes of its predicate."""
        for number, read in enumerate(state.optional):
            place = places.of[id(read)]
            self._at[place] = self._at.get(place, 0) | 1 << number
            for each in set(places.each.values()):
                if places.mentions[place] >> each & 1:
                    self._loops[each] = self._loops.get(each, 0) | 1 << number
            above = places.parent[place]
            while above != NOWHERE:
                self._above[above] = self._above.get(above, 0) | 1 << number
                above = places.parent[above]

    def visit(self, node: Node) -> Outcomes:
        rule = _RULES.get(type(node))
        found = self.strict(node, fails=True) if rule is None else rule(self, node)
        above = self._above.get(self._places.of[id(node)])
        # What leads to a place that a read takes for granted does not fail under its assumption.
        return found if above is None else found._replace(other=found.other & ~above)

    def boolean(self, node: Node) -> Outcomes:
        """The outcomes of a part that has to be boolean; any other value fails there."""
        found = self.visit(node)
        if self._types.get(id(node)) == BOOL:
            return found
        return found._replace(other=found.other | found.true | found.false)

    def strict(self, node: Node, *, fails: bool) -> Outcomes:
        """Any value, once all children have one; with `fails`, an error of its own as well."""
        value, other, absent = self._all, 0, 0
        for child in node.children():
            found = self.visit(child)
            value &= found.true | found.false
            other |= found.other
            absent |= found.absent
        return Outcomes(value, value, other | value if fails else other, absent)

    def total(self, _node: Node) -> Outcomes:
        return Outcomes(self._all, self._all, 0, 0)

    def name(self, node: Ident) -> Outcomes:
        # A definition may fail for reasons of its own; its reads were looked at when it was loaded.
        return self.strict(node, fails=node.name in self._definitions)

    def collection(self, node: Node) -> Outcomes:
        return self.strict(node, fails=type(node) is MapLiteral)

    def literal(self, node: Literal) -> Outcomes:
        return Outcomes(0 if node.value is False else self._all, 0 if node.value is True else self._all, 0, 0)

    def read(self, node: Read) -> Outcomes:
        """A field or an element."""
        number = self._reads.get(id(node))
        if number is None:
            return self.strict(node, fails=self._declared(node) is None)
        own, place = 1 << number, self._places.of[id(node)]
        found = self.strict(node, fails=True)
        present = found.true & ~self._at[place]
        return Outcomes(present, present, found.other & ~own, found.absent | (found.true & own))

    def _declared(self, node: Read) -> Field | None:
        """The declared field that a node reads."""
        holder = self._types.get(id(node.operand))
        if type(holder) is not ObjectType:
            return None
        name = _text(node.index) if isinstance(node, Index) else node.field
        return None if name is None else holder.fields.get(name)

    def has(self, node: Has) -> Outcomes:
        found = self.strict(node, fails=type(self._types.get(id(node.operand))) is not ObjectType)
        return self._asked(found, self._places.of[id(node)])

    def _asked(self, found: Outcomes, place: int) -> Outcomes:
        """Outcomes of asking whether a place is present."""
        return found._replace(true=found.true & ~self._at.get(place, 0), false=found.false & ~self._above.get(place, 0))

    def unary(self, node: Unary) -> Outcomes:
        if node.op != "!":
            return self.strict(node, fails=True)
        found = self.boolean(node.operand)
        return found._replace(true=found.false, false=found.true)

    def binary(self, node: Binary) -> Outcomes:
        if node.op == "in":
            return self.contained(node)
        if node.op in ("<", "<=", ">", ">="):
            return self.strict(node, fails=any(self._types[id(side)].name == "dyn" for side in (node.left, node.right)))
        if node.op not in ("==", "!="):
            return self.strict(node, fails=True)
        left, right = self.visit(node.left), self.visit(node.right)
        same = (left.true & right.true) | (left.false & right.false)
        different = (left.true & right.false) | (left.false & right.true)
        if node.op == "!=":
            same, different = different, same
        return Outcomes(same, different, left.other | right.other, left.absent | right.absent)

    def contained(self, node: Binary) -> Outcomes:
        holder = self._types.get(id(node.right))
        if type(holder) is not ObjectType:
            return self.strict(node, fails=holder is None or holder.name == "dyn")
        found = self.strict(node, fails=False)
        name = _text(node.left)
        if name is None or name not in holder.fields:
            return found
        return self._asked(found, self._places.field(node.right, name))

    def logic(self, node: Logic) -> Outcomes:
        terms = [self.boolean(term) for term in node.terms]
        if node.op == "||":
            terms = [term._replace(true=term.false, false=term.true) for term in terms]
        true, false, other, absent, open_still = self._all, 0, 0, 0, self._all
        for term in terms:
            true &= term.true
            false |= term.false
            other |= term.other
            absent |= term.absent
            open_still &= term.true | term.other | term.absent
        found = Outcomes(true, false, other & open_still, absent & open_still)
        return found if node.op == "&&" else found._replace(true=found.false, false=found.true)

    def ternary(self, node: Ternary) -> Outcomes:
        condition = self.boolean(node.condition)
        then, otherwise = self.visit(node.then), self.visit(node.otherwise)
        chosen = [
            (condition.true & one) | (condition.false & other) for one, other in zip(then, otherwise, strict=True)
        ]
        return Outcomes(chosen[0], chosen[1], chosen[2] | condition.other, chosen[3] | condition.absent)

    def macro(self, node: Macro) -> Outcomes:
        target = self.visit(node.target)
        value = target.true | target.false
        inside, outside = self._membership(node.target)
        found = self._loop(node, inside, outside)
        return Outcomes(
            found.true & value,
            found.false & value,
            (found.other & value) | target.other,
            (found.absent & value) | target.absent,
        )

    def _membership(self, target: Node) -> tuple[int, int]:
        """Where an element without the field can be, and can fail to be, among those that the macro goes over."""
        inside, outside = self._all, 0
        while isinstance(target, Macro) and target.kind is MacroKind.FILTER:
            passing = self._passing[id(target)]
            inside &= passing.true
            outside |= passing.false
            target = target.target
        return inside, outside | (self._all & ~inside)

    def _loop(self, node: Macro, inside: int, outside: int) -> Outcomes:
        body = Outcomes(self._all, self._all, 0, 0) if node.predicate is None else self.boolean(node.predicate)
        known = self._loops.get(self._places.each[id(node)], 0)
        if node.kind is MacroKind.EXISTS:
            return self._exists(body, known, inside, outside)
        if node.kind is MacroKind.ALL:
            flipped = body._replace(true=body.false, false=body.true)
            found = self._exists(flipped, known, inside, outside)
            return found._replace(true=found.false, false=found.true)
        other, absent = body.other, body.absent & inside
        if node.kind is MacroKind.FILTER:
            self._passing[id(node)] = body
        if node.transform is not None:
            made = self.visit(node.transform)
            other |= made.other
            absent |= made.absent & inside & body.true
        return Outcomes(self._all, self._all, other, absent)

    def _exists(self, body: Outcomes, known: int, inside: int, outside: int) -> Outcomes:
        """Combine the outcomes of the body for all elements with `||`.

        Under the assumption of a read in `known`, one element lacks the field, and of the others nothing is known.
        Under any other, the assumption is about something outside the loop and holds for every element.
        """
        unsettled = body.false | body.other | body.absent | outside
        return Outcomes(
            true=known | (body.true & inside),
            false=(self._all & ~known) | body.false | outside,
            other=(known & unsettled) | (~known & body.other & inside),
            absent=body.absent & inside,
        )


def _text(node: Node) -> str | None:
    """The value of a literal text."""
    return node.value if type(node) is Literal and type(node.value) is str else None


_RULES: Final[dict[type[Node], Callable[[_Flow, Any], Outcomes]]] = {
    Literal: _Flow.literal,
    Ident: _Flow.name,
    Var: _Flow.total,
    Select: _Flow.read,
    Index: _Flow.read,
    Has: _Flow.has,
    Unary: _Flow.unary,
    Binary: _Flow.binary,
    Logic: _Flow.logic,
    Ternary: _Flow.ternary,
    ListLiteral: _Flow.collection,
    MapLiteral: _Flow.collection,
    Macro: _Flow.macro,
}
