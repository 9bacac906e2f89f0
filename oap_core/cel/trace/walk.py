"""Finding the clauses that decided: from the outcome of an expression down to the parts that settle it.

Of `a && b` that is false, the first part that is false decides, of one that is true all parts do; `||` is the mirror
image. An error leads to the part that failed itself, and a name to the text behind it. Parts are looked at in the order
of the evaluation and no further than it went, so looking asks the world nothing that the evaluation did not ask.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from oap_core.cel.activation import Activation
from oap_core.cel.definition import Definition
from oap_core.cel.failure import Code, EvalError, Failure, Outcome
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.parts import Parts
from oap_core.cel.program import Program
from oap_core.cel.render import value_text
from oap_core.cel.trace.clauses import Clause, Result, Trace
from oap_core.cel.trace.elements import element_note, elements_note
from oap_core.cel.trace.operands import SHOWN, values_text
from oap_core.cel.trace.scope import Scope
from oap_core.cel.tree import Binary, Call, Ident, Logic, Macro, MacroKind, Node, Ternary, Unary, walk
from oap_core.cel.values import Value, type_of
from oap_core.cel.wording import code

MOST_CLAUSES: Final = 12
"""Clauses of one trace."""

_MOST_UNITS: Final = 10 * EVALUATION_UNITS
"""What one trace may spend on looking again."""

_LONGEST_TEXT: Final = 200


def trace(program: Program, activation: Activation) -> Trace:
    """Decide a condition once more and say why it comes out so.

    Never raises for what the data holds. What the evaluation asked the world is taken from the activation.
    """
    outcome = program.decide(activation)
    if activation.failure is not None:
        whole = Clause(_cut(" ".join(program.source.split())), 1, 1, activation.failure)
        return Trace(outcome, (whole,))
    found = _Tracer(activation)
    scope = found.scope(program)
    try:
        found.explain_whole(scope, outcome.failure)
    except _FullError:
        if not found.clauses:
            found.whole(scope, outcome)
        return Trace(outcome, tuple(found.clauses), cut=True)
    return Trace(outcome, tuple(found.clauses))


class _FullError(Exception):
    """Nothing further is looked at."""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 3] + "..."


class _Tracer:
    """Collects the clauses of one trace."""

    def __init__(self, activation: Activation) -> None:
        self.clauses: list[Clause] = []
        self._roots = activation.roots
        self._answers = activation.answers
        self._left = _MOST_UNITS
        self._parts: dict[int, Parts] = {}
        """By identity of a definition; the program keeps them alive."""
        self._shown: set[int] = set()
        """Definitions whose text has been looked at, by identity."""

    def scope(self, definition: Definition, name: str | None = None) -> Scope:
        """Where the text of a definition, or of the condition itself, stands."""
        parts = self._parts.get(id(definition))
        if parts is None:
            parts = Parts(definition.functions, definition.definitions, self._roots)
            self._parts[id(definition)] = parts
        return Scope(definition, name, parts)

    def whole(self, scope: Scope, outcome: Outcome) -> None:
        """Show the expression itself, where it is not worth looking at its parts."""
        self._add(scope, scope.definition.tree, outcome.failure or outcome.matched is True)

    def explain_whole(self, scope: Scope, failure: Failure | None) -> None:
        """Show what made a whole expression what it is; `failure` is what it ended in."""
        tree = scope.definition.tree
        if failure is not None and failure.code is Code.BUDGET:
            # Each part has a budget of its own here, so none of them need run out of it.
            self.blame_place(scope, tree, failure)
            return
        before = len(self.clauses)
        self.explain(scope, tree)
        if failure is not None and not any(type(clause.outcome) is Failure for clause in self.clauses[before:]):
            self.blame_place(scope, tree, failure)

    def explain(self, scope: Scope, node: Node) -> None:
        """Show what made a part that has to be boolean what it is. Recursive, no deeper than expressions are."""
        value = self._value(scope, node)
        if type(value) is EvalError:
            self.blame(scope, node, value)
        elif type(value) is bool:
            _DECIDED.get(type(node), _Tracer.leaf)(self, scope, node, value)
        else:
            self._no_boolean(scope, node, value)

    def blame(self, scope: Scope, node: Node, error: EvalError) -> None:
        """Show the part of a part that failed."""
        _FAILED.get(type(node), _Tracer.strict_failure)(self, scope, node, error)

    def blame_place(self, scope: Scope, node: Node, failure: Failure) -> None:
        """Show the part at the place of an error that no part alone ends in, such as one of the budget."""
        place = (failure.line, failure.column)
        parts = [part for part in walk(node) if scope.place(part.anchor) == place]
        blamed = min(parts, key=lambda part: part.end - part.start, default=node)
        if isinstance(blamed, Ident):
            self._name_failed(scope, blamed, failure)
        else:
            self._add(scope, blamed, failure)

    # What decided, where there is a boolean.

    def leaf(self, scope: Scope, node: Node, outcome: Result) -> None:
        """Show a part that is not taken apart further."""
        told = type(outcome) is Failure or type(node) in (Binary, Call)
        self._add(scope, node, outcome, values_text(node, scope.value) if told else None)

    def negation(self, scope: Scope, node: Unary, _outcome: Result) -> None:
        """`!a`: what made `a` what it is."""
        self.explain(scope, node.operand)

    def logic(self, scope: Scope, node: Logic, outcome: Result) -> None:
        """`a && b`: all parts, or the first that settles it."""
        if outcome is not (node.op == "||"):
            for term in node.terms:
                self.explain(scope, term)
            return
        self.explain(scope, next((term for term in node.terms if self._value(scope, term) is outcome), node.terms[0]))

    def ternary(self, scope: Scope, node: Ternary, _outcome: Result) -> None:
        """`a ? b : c`: the condition and the branch that was taken."""
        self.explain(scope, node.condition)
        self.explain(scope, node.then if self._value(scope, node.condition) is True else node.otherwise)

    def name(self, scope: Scope, node: Ident, outcome: Result) -> None:
        """A name, and what stands behind it."""
        definition = scope.definition.definitions.get(node.name)
        if definition is None:
            self._add(scope, node, outcome)
        else:
            self._behind(scope, node, definition, outcome)

    def macro(self, scope: Scope, node: Macro, outcome: Result) -> None:
        """The element that settled it, or how many were looked at."""
        elements, predicate = scope.elements(node), node.predicate or node
        counts = node.kind is not MacroKind.ALL
        enough = len(elements) if node.kind is MacroKind.EXISTS_ONE else 1 if outcome is counts else 0
        found = (
            number
            for number, inner in enumerate(scope.inside(node, elements))
            if self._value(inner, predicate) is counts
        )
        settling = list(islice(found, enough))
        if outcome is counts and settling:
            self._in_loop(scope, node, elements, settling[0], outcome)
        elif len(elements) == 1:
            self._in_loop(scope, node, elements, 0, outcome)
        else:
            note = elements_note(node.kind, len(elements), len(settling), outcome=outcome is True)
            target = value_text(scope.value(node.target), SHOWN)
            self._add(scope, node, outcome, f"{target}.{node.kind}({node.variable}, ...)" if elements else None, note)

    def _in_loop(self, scope: Scope, node: Macro, elements: tuple[Value, ...], number: int, outcome: Result) -> None:
        """Show a macro and what made of one of its elements what it is."""
        self._add(scope, node, outcome, note=element_note(elements, number))
        (inner,) = scope.inside(node, elements[number : number + 1])
        self.explain(inner, node.predicate or node)

    # What failed.

    def strict_failure(self, scope: Scope, node: Node, error: EvalError) -> None:
        """An operator or a call: the first operand that failed, or itself."""
        for child in node.children():
            value = self._value(scope, child)
            if type(value) is EvalError:
                self.blame(scope, child, value)
                return
        failure = scope.failure(error, node)
        if failure.code is Code.BUDGET:
            self.blame_place(scope, node, failure)
        else:
            self.leaf(scope, node, failure)

    def logic_failure(self, scope: Scope, node: Logic, error: EvalError) -> None:
        """`a && b`: the first part that is neither true nor false."""
        for term in node.terms:
            if type(self._value(scope, term)) is not bool:
                self.explain(scope, term)
                return
        self.blame_place(scope, node, scope.failure(error, node))

    def ternary_failure(self, scope: Scope, node: Ternary, error: EvalError) -> None:
        """`a ? b : c`: the condition, or the branch that was taken."""
        asked = self._value(scope, node.condition)
        if type(asked) is not bool:
            self.explain(scope, node.condition)
            return
        branch = node.then if asked else node.otherwise
        value = self._value(scope, branch)
        if type(value) is EvalError:
            self.blame(scope, branch, value)
        else:
            self.blame_place(scope, node, scope.failure(error, node))

    def name_failure(self, scope: Scope, node: Ident, error: EvalError) -> None:
        """A variable that was not given, or a definition that failed or costs too much for its reader."""
        self._name_failed(scope, node, scope.failure(error, node))

    def _name_failed(self, scope: Scope, node: Ident, failure: Failure) -> None:
        definition = scope.definition.definitions.get(node.name)
        answer = None if definition is None else self._answers.get(definition.answer)
        if definition is None or answer is None:
            self._add(scope, node, failure)
        elif type(answer.result) is Failure:
            self._behind(scope, node, definition, failure, answer.result)
        else:
            self._add(scope, node, failure, note=f"its evaluation used {answer.units:,} units")

    def macro_failure(self, scope: Scope, node: Macro, error: EvalError) -> None:
        """What the macro goes over, or the first element for which what it asks fails."""
        target, failure = self._value(scope, node.target), scope.failure(error, node)
        if type(target) is EvalError:
            self.blame(scope, node.target, target)
            return
        elements = scope.elements(node)
        for number, inner in enumerate(scope.inside(node, elements)):
            asked = True if node.predicate is None else self._value(inner, node.predicate)
            if type(asked) is not bool:
                self._in_loop(scope, node, elements, number, failure)
                return
            made = self._value(inner, node.transform) if asked and node.transform is not None else None
            if type(made) is EvalError and node.transform is not None:
                self._add(scope, node, failure, note=element_note(elements, number))
                self.blame(inner, node.transform, made)
                return
        self.blame_place(scope, node, failure)

    # What is kept.

    def _behind(
        self, scope: Scope, node: Ident, definition: Definition, outcome: Result, failure: Failure | None = None
    ) -> None:
        """Show the name of a definition, and the first time what stands behind it, which ended in `failure` perhaps."""
        again = id(definition) in self._shown
        self._add(scope, node, outcome, note="explained above" if again else None)
        if not again:
            self._shown.add(id(definition))
            self.explain_whole(self.scope(definition, node.name), failure)

    def _no_boolean(self, scope: Scope, node: Node, value: Value) -> None:
        """Show a value that stands where a boolean has to."""
        failure = Failure(Code.NO_SUCH_OVERLOAD, *scope.place(node.start))
        if node is scope.definition.tree and scope.name is None:
            failure = Failure(Code.NOT_BOOLEAN, 1, 1)
        kind = type_of(value).name.rpartition(".")[2].lower()
        self._add(scope, node, failure, value_text(value, SHOWN), f"this is {kind} and has to be bool")

    def _value(self, scope: Scope, node: Node) -> Value | EvalError:
        before = scope.parts.used
        value = scope.value(node)
        self._left -= scope.parts.used - before
        if self._left < 0:
            raise _FullError
        return value

    def _add(
        self, scope: Scope, node: Node, outcome: Result, values: str | None = None, note: str | None = None
    ) -> None:
        if len(self.clauses) == MOST_CLAUSES:
            raise _FullError
        text = code(scope.definition.source, node)
        line, column = scope.place(node.start)
        shown = None if values == text else values
        self.clauses.append(Clause(_cut(text), line, column, outcome, shown, scope.name, note))


_DECIDED: Final[dict[type[Node], Callable[[_Tracer, Scope, Any, Result], None]]] = {
    Unary: _Tracer.negation,
    Logic: _Tracer.logic,
    Ternary: _Tracer.ternary,
    Ident: _Tracer.name,
    Macro: _Tracer.macro,
}
_FAILED: Final[dict[type[Node], Callable[[_Tracer, Scope, Any, EvalError], None]]] = {
    Logic: _Tracer.logic_failure,
    Ternary: _Tracer.ternary_failure,
    Ident: _Tracer.name_failure,
    Macro: _Tracer.macro_failure,
}
