"""One run of the comparison: a fixed number of expressions from a fixed seed, and what our engine says about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from oap_core.cel import Activation, Env, freeze, load
from oap_core.cel.codes import LoadCode
from oap_core.cel.failure import MATCH, NO_MATCH, Outcome
from oap_core.cel.standard import STANDARD
from oap_core.errors import CelError
from tests.core.cel.differential import schema
from tests.core.cel.differential.conditions import grammar
from tests.core.cel.differential.peers import Question
from tests.core.cel.differential.phrase import Phrase, constructs

REJECTED: Final = "rejected"
"""The outcome of an expression that does not load."""

ENV: Final = Env(schema.declared(), functions=STANDARD)
LOOSE_ENV: Final = Env(schema.declared(loose=True), functions=STANDARD)

_ACTIVATIONS: Final = 400


@dataclass(frozen=True, slots=True)
class Case:
    """An expression and the activations to evaluate it on."""

    phrase: Phrase
    activations: tuple[int, ...]
    constructs: Counter[str]

    @property
    def question(self) -> Question:
        """What the other engines are asked."""
        return Question(str(self.phrase), self.activations)


@dataclass(frozen=True, slots=True)
class Sample:
    """Generated expressions with generated data."""

    cases: tuple[Case, ...]
    activations: tuple[dict[str, Any], ...]
    frozen: tuple[Activation, ...] = field(repr=False)

    def questions(self) -> list[Question]:
        """What the other engines are asked."""
        return [case.question for case in self.cases]

    def ours(self, env: Env = ENV) -> list[tuple[str, ...]]:
        """What our engine says: for each case, the outcomes on its activations."""
        return [self.answer(case, env) for case in self.cases]

    def answer(self, case: Case, env: Env = ENV, change: Callable[[Phrase], Phrase] | None = None) -> tuple[str, ...]:
        """What our engine says about one case, or about what a change makes of it."""
        phrase = case.phrase if change is None else change(case.phrase)
        return decisions(str(phrase), [self.frozen[number] for number in case.activations], env)


def sample(seed: int, size: int, depths: Sequence[int] = (2, 3, 3, 4), each: int = 2, **options: Any) -> Sample:
    """Generate `size` expressions, each with some activations. `options` go to the grammar."""
    random = Random(seed)
    shared = options.get("shared", True)
    data = tuple(schema.activation(random, shared) for _ in range(_ACTIVATIONS))
    maker = grammar(random, **options)
    found: dict[str, Case] = {}
    while len(found) < size:
        phrase = maker.condition(random.choice(depths))
        numbers = tuple(random.sample(range(_ACTIVATIONS), each))
        found.setdefault(str(phrase), Case(phrase, numbers, constructs(phrase)))
    return Sample(tuple(found.values()), data, tuple(freeze(each_) for each_ in data))


def decisions(source: str, activations: Sequence[Activation], env: Env) -> tuple[str, ...]:
    """`true`, `false` or `error` on each activation; `rejected` and why for all of them where it does not load."""
    try:
        program = load(source, env)
    except CelError as error:
        return (f"{REJECTED} {' '.join(sorted({found.code for found in error.diagnostics}))}",) * len(activations)
    return tuple(shown(program.decide(activation)) for activation in activations)


def shown(outcome: Outcome) -> str:
    """`true`, `false` or `error`."""
    if outcome == MATCH:
        return "true"
    return "false" if outcome == NO_MATCH else "error"


def three(outcome: str) -> str:
    """`true`, `false` or `error`, whatever kind of error an engine gave."""
    return outcome if outcome in ("true", "false") else "error"


@dataclass(frozen=True, slots=True)
class Pair:
    """What two engines say about one expression on one activation."""

    case: Case
    activation: int
    ours: str
    theirs: str

    def __str__(self) -> str:
        """For the report of a failing test."""
        return f"{self.case.phrase}\n  on activation {self.activation}: ours {self.ours}, theirs {self.theirs}"


def pairs(sample: Sample, ours: Sequence[tuple[str, ...]], theirs: Sequence[tuple[str, ...]]) -> Iterator[Pair]:
    """Every expression and activation that both engines evaluated."""
    for case, mine, other in zip(sample.cases, ours, theirs, strict=True):
        if not mine[0].startswith(REJECTED):
            for number, one, two in zip(case.activations, mine, other, strict=True):
                yield Pair(case, number, one, two)


def rejections(ours: Sequence[tuple[str, ...]]) -> Counter[str]:
    """How many expressions did not load, by their codes."""
    return Counter(outcomes[0].removeprefix(REJECTED).strip() for outcomes in ours if outcomes[0].startswith(REJECTED))


MISTAKES: Final = frozenset({str(LoadCode.ALWAYS_FAILS), str(LoadCode.NEVER_EQUAL)})
"""Why a well-typed expression may not load: a part of it fails, or a comparison never holds, whatever the data is."""
