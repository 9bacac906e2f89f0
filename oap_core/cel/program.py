"""Loading an expression: from source to something that decides, or to everything that is wrong with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from oap_core.cel.activation import Activation
from oap_core.cel.check import check
from oap_core.cel.codes import LoadCode
from oap_core.cel.compile import Compiled, compile_tree
from oap_core.cel.compile.piece import UNITS, Frame, Roots
from oap_core.cel.cost import estimate
from oap_core.cel.definition import (
    ANSWERS,
    Answer,
    Definition,
    Estimate,
    all_definitions,
    examine_depth,
    read_definitions,
)
from oap_core.cel.environment import Env
from oap_core.cel.failure import MATCH, NO_MATCH, Code, EvalError, Failure, Outcome
from oap_core.cel.functions import Registry
from oap_core.cel.infer import tool_constraint
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.parse import parse
from oap_core.cel.references import references
from oap_core.cel.report import Report
from oap_core.cel.resolve import resolve
from oap_core.cel.tree import Node
from oap_core.cel.types import Type
from oap_core.cel.values import Value


@dataclass(frozen=True, slots=True)
class Program:
    """An expression that has passed every check. Immutable; any number of threads may use one at once."""

    source: str
    """The text it was made from."""
    tree: Node
    """The resolved syntax tree."""
    type: Type
    """What the checker knows of the result."""
    cost: Estimate
    """Static upper bound of what an evaluation costs."""
    decide: Callable[[Activation], Outcome]
    """Whether the condition holds: `MATCH`, `NO_MATCH` or an error outcome. Never raises for what the data holds."""
    evaluate: Callable[[Activation], Value | Failure]
    """The value, or why there is none. Never raises for what the data holds.

    Lists and maps of the value may be those of the activation: they are for reading.
    """
    answer: Callable[[Roots], Answer]
    """The value as those get it that read this program as a definition: evaluated once for one activation's roots."""
    functions: Registry
    """The functions that it calls."""
    definitions: Mapping[str, Definition]
    """What it reads by name of `Env.definitions`, in the order of the names; not what those read in turn."""
    depth: int
    """Levels of nesting, with the definitions that it reads in place of their names."""

    @property
    def references(self) -> frozenset[str]:
        """Everything of the activation that it may read itself, as full paths (`args.options.network`).

        What it reads through a definition is there as the name (`variables.inside`).
        """
        return references(self.tree)

    @property
    def all_references(self) -> frozenset[str]:
        """The references, and those of all definitions that it reads, directly or not."""
        return self.references.union(*(references(one.tree) for one in all_definitions(self.definitions)))

    def tool_constraint(self, path: tuple[str, ...] = ("tool", "id")) -> frozenset[str] | None:
        """The only texts at `path` for which the outcome can be anything but `NO_MATCH`; None for any text."""
        return tool_constraint(self.tree, path, self.definitions)


def peek(activation: Activation, definition: Definition) -> Answer | None:
    """What a definition evaluated to on this activation, for the record; None where nobody has read it."""
    return activation.answers.get(definition.answer)


def load(source: str, env: Env, *, condition: bool = True) -> Program:
    """Parse, resolve, check, bound and compile an expression.

    With `condition`, the expression must be boolean. Raises `CelError` with every mistake that was found. What is wrong
    with the host passes as it is and is never taken for a mistake: a RecursionError where its stack is nearly used up.
    """
    report = Report(source)
    parsed = parse(source, report)
    if parsed is None:
        report.raise_if_failed()
        message = "the parser gave neither a tree nor a reason"
        raise AssertionError(message)
    root = resolve(parsed, env, report)
    # A name that means nothing can have any type, so that the mistakes beside it are shown as well.
    checked = check(root, env, report, condition=condition)
    definitions = read_definitions(root, env.definitions)
    depth = examine_depth(root, definitions, report)
    report.raise_if_failed()
    cost = estimate(root, checked)
    if cost.units > EVALUATION_UNITS and not cost.assumed:
        report.blame(
            LoadCode.COST,
            root,
            f"an evaluation may cost {cost.units:,} units and its budget is {EVALUATION_UNITS:,}",
            "nest fewer macros, or bound the lists with `maxItems` in the schema",
        )
    report.raise_if_failed()
    compiled = compile_tree(root, env.functions, definitions)
    return Program(
        source,
        root,
        checked.type,
        cost,
        _decider(compiled, report),
        _evaluator(compiled, report),
        _answerer(compiled, report),
        env.functions,
        definitions,
        depth,
    )


_INTERNAL: Final = Failure(Code.INTERNAL, 0, 0)
"""An exception that no one foresaw. Its text may hold anything, so it goes nowhere."""

_INTERNAL_OUTCOME: Final = Outcome(None, _INTERNAL)

_NOT_FROZEN: Final = "an evaluation takes an Activation: give it `freeze(variables)`"


def _failure(error: EvalError, report: Report) -> Failure:
    if error.offset < 0:
        return Failure(error.code, 0, 0)
    return Failure(error.code, *report.place(error.offset))


def _decider(compiled: Compiled, report: Report) -> Callable[[Activation], Outcome]:
    run, slots = compiled.run, [EVALUATION_UNITS, *[None] * compiled.variables]
    not_boolean = Outcome(None, Failure(Code.NOT_BOOLEAN, 1, 1))

    def decide(activation: Activation) -> Outcome:
        try:
            try:
                value = run(activation.roots, slots.copy())
            except EvalError as error:
                return Outcome(None, _failure(error, report))
        except (Exception, SystemExit):  # noqa: BLE001  # fail closed: whatever this is, it is no answer
            if isinstance(activation, Activation):
                return _INTERNAL_OUTCOME
            raise TypeError(_NOT_FROZEN) from None
        if value is True:
            return MATCH
        if value is False:
            return NO_MATCH
        return not_boolean

    return decide


def _evaluator(compiled: Compiled, report: Report) -> Callable[[Activation], Value | Failure]:
    run, slots = compiled.run, [EVALUATION_UNITS, *[None] * compiled.variables]

    def evaluate(activation: Activation) -> Value | Failure:
        try:
            try:
                return run(activation.roots, slots.copy())
            except EvalError as error:
                return _failure(error, report)
        except (Exception, SystemExit):  # noqa: BLE001  # fail closed, and no text of a third party
            if isinstance(activation, Activation):
                return _INTERNAL
            raise TypeError(_NOT_FROZEN) from None

    return evaluate


def _answerer(compiled: Compiled, report: Report) -> Callable[[Roots], Answer]:
    run, slots = compiled.run, [EVALUATION_UNITS, *[None] * compiled.variables]

    def answer(roots: Roots) -> Answer:
        kept: dict[object, Answer] = roots[ANSWERS]
        if answer in kept:
            return kept[answer]
        frame: Frame = slots.copy()
        # Any other exception says something about this moment, such as a stack that is used up: it is not kept, and it
        # becomes an error of the reader's.
        try:
            result = run(roots, frame)
        except EvalError as error:
            result = _failure(error, report)
        return kept.setdefault(answer, Answer(result, EVALUATION_UNITS - max(frame[UNITS], 0)))

    return answer
