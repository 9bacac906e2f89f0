"""The comparison would notice an engine that is wrong: each mistake below is caught by the expressions of the one run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from tests.core.cel.differential.paths import BY_TYPE
from tests.core.cel.differential.phrase import PRIMARY, Phrase, Slot, call, chosen, literal, operator, rewrite
from tests.core.cel.differential.run import Run, typed_run
from tests.core.cel.differential.sample import REJECTED, Case, three

Change = Callable[[Phrase], Phrase]


def _operands(phrase: Phrase) -> list[Phrase]:
    return [part.phrase for part in phrase.parts if isinstance(part, Slot)]


def _swapped(construct: str, sign: str) -> Change:
    """One operator or function taken for another."""

    def change(phrase: Phrase) -> Phrase:
        if phrase.construct != construct:
            return phrase
        parts = tuple(
            part.replace(construct.strip(".()"), sign) if isinstance(part, str) else part for part in phrase.parts
        )
        return Phrase(phrase.construct, parts, phrase.level)

    return change


def _strict_and(phrase: Phrase) -> Phrase:
    """`&&` does not look at its right side where the left one is an error."""
    if phrase.construct != "&&":
        return phrase
    left, right = _operands(phrase)
    return chosen(left, right, literal("bool literal", "false", False))


def _strict_or(phrase: Phrase) -> Phrase:
    """`||` does not look at its right side where the left one is an error."""
    if phrase.construct != "||":
        return phrase
    left, right = _operands(phrase)
    return chosen(left, literal("bool literal", "true", True), right)


def _sign_of_the_divisor(phrase: Phrase) -> Phrase:
    """`%` takes the sign of its right side, as Python's does."""
    if phrase.construct != "int %":
        return phrase
    left, right = _operands(phrase)
    return operator("int %", operator("int +", operator("int %", left, "%", right, 5), "+", right, 4), "%", right, 5)


_TEXTS: Final = frozenset(map(str, BY_TYPE["string"]))


def _size_in_bytes(phrase: Phrase) -> Phrase:
    """`size` counts the bytes of text in UTF-8."""
    if phrase.construct not in ("size()", ".size()") or str(_operands(phrase)[0]) not in _TEXTS:
        return phrase
    return call("size()", "size", call("bytes(string)", "bytes", *_operands(phrase)))


def _last_where_there_is_none(phrase: Phrase) -> Phrase:
    """A list gives its first element for an index that it does not have."""
    if phrase.construct != "list index":
        return phrase
    source, index = _operands(phrase)
    within = operator("<", index, "<", call("size()", "size", source), 3)
    inner = chosen(within, index, literal("int literal", "0", 0))
    return Phrase("list index", (Slot(source, PRIMARY), "[", Slot(inner), "]"))


CHANGES: Final[dict[str, Change]] = {
    "< is taken for <=": _swapped("<", "<="),
    ">= is taken for >": _swapped(">=", ">"),
    "!= is taken for ==": _swapped("!=", "=="),
    "startsWith is taken for contains": _swapped(".startsWith()", "contains"),
    "exists is taken for all": _swapped("exists", "all"),
    "exists_one is taken for exists": _swapped("exists_one", "exists"),
    "&& stops at an error": _strict_and,
    "|| stops at an error": _strict_or,
    "% has the sign of the divisor": _sign_of_the_divisor,
    "size counts bytes": _size_in_bytes,
    "an index outside a list is the first": _last_where_there_is_none,
}
"""Mistakes, as the change to an expression that a mistaken engine would make of it."""


@pytest.fixture(scope="module")
def run() -> Run:
    return typed_run()


Engine = Callable[[Case, tuple[str, ...]], tuple[str, ...]]
"""Gives the outcomes of a case; it also gets those that our engine gave."""


def _caught(run: Run, engine: Engine) -> bool:
    """Whether the run tells the engine from the specification, by an outcome that cel-expr-python does not give."""
    theirs = {(str(pair.case.phrase), pair.activation): three(pair.theirs) for pair in run.google}
    for case, ours in zip(run.sample.cases, run.ours, strict=True):
        if not ours[0].startswith(REJECTED):
            outcomes = engine(case, ours)
            expected = tuple(theirs[str(case.phrase), number] for number in case.activations)
            if not outcomes[0].startswith(REJECTED) and outcomes != expected:
                return True
    return False


@pytest.mark.guarantee("cel-as-other-engines")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_mistaken_engine_is_caught(run: Run, change: Change) -> None:
    def engine(case: Case, ours: tuple[str, ...]) -> tuple[str, ...]:
        changed = rewrite(case.phrase, change)
        return ours if changed == case.phrase else run.sample.answer(case, change=lambda _: changed)

    assert _caught(run, engine)


@pytest.mark.parametrize("value", ["true", "false"])
def test_an_engine_that_absorbs_errors_is_caught(run: Run, value: str) -> None:
    assert _caught(run, lambda _, ours: tuple(value if outcome == "error" else outcome for outcome in ours))


def test_an_engine_that_is_right_is_not_caught(run: Run) -> None:
    assert not _caught(run, lambda _, ours: ours)
