"""From the tests of a file to tests whose cases can be made: holes, matrices, names and shapes are checked here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from math import prod
from typing import Any, Final

from oap_core.diagnostic import Diagnostic, printable
from oap_core.policy.assemble import TestFile
from oap_core.policy.cases.placeholders import Hole, Path, TooMuchError, fill, holes, problem
from oap_core.policy.cases.written import Spot, Written
from oap_core.policy.codes import FileCode
from oap_core.policy.model.cases import CaseModel

__all__ = ["MOST_CASES", "MOST_COMBINATIONS", "expand"]

MOST_COMBINATIONS: Final = 10_000
"""Cases that one matrix may stand for."""
MOST_CASES: Final = 100_000
"""Cases that one file may hold."""

_PARTS: Final = ("call", "prompt", "result", "subject", "session")
"""The keys of a test in which names are replaced."""


def expand(file: TestFile, fixtures: Mapping[str, Any], problems: list[Diagnostic]) -> tuple[Written, ...]:
    """The tests of a file, without those in which something is wrong, which is added to `problems`."""
    top = Spot(file.document, file.path)
    if not file.cases:
        message = "there is no test here, so nothing would be checked"
        problems.append(top.blame(FileCode.NO_CASES, (), message, "write one, or take `tests` away"))
    first: dict[str, int] = {}
    found: list[Written] = []
    total = 0
    for number, model in enumerate(file.cases):
        spot = Spot(file.document, (*file.path, number))
        if model.name in first:
            message = f"two tests have this name; the first is on line {first[model.name]}"
            problems.append(spot.blame(FileCode.REPEATED_CASE, ("name",), message))
        first.setdefault(model.name, spot.span("name").line)
        written = _written(spot, model, file.policies, fixtures, problems)
        if written is None:
            continue
        total += written.count
        if total > MOST_CASES:
            message = f"the file holds more than {MOST_CASES:,} cases"
            problems.append(spot.blame(FileCode.MATRIX, (), message, "split it into several files"))
            break
        found.append(written)
    return tuple(found)


def _written(
    spot: Spot,
    model: CaseModel,
    policies: tuple[str, ...],
    fixtures: Mapping[str, Any],
    problems: list[Diagnostic],
) -> Written | None:
    shared = {name: [value] for name, value in fixtures.items()}
    wrong = [*_shape(spot, model), *_matrix(spot, model)]
    for path, hole in holes(model.matrix or {}, ("matrix",)):
        wrong += _told(spot, path, hole, shared)
    matrix: dict[str, list[Any]] = dict(model.matrix or {})
    if not wrong:
        try:
            matrix = fill(matrix, fixtures)
        except TooMuchError:
            wrong.append(spot.blame_key(FileCode.MATRIX, ("matrix",), "the values of the matrix are too long"))
    wrong += _holes(spot, model, {**shared, **matrix})
    problems.extend(wrong)
    return None if wrong else Written(spot, model, policies, matrix, fixtures)


def _shape(spot: Spot, model: CaseModel) -> Iterator[Diagnostic]:
    """What belongs together in a test."""
    if model.call is None and model.prompt is None:
        help_ = "a result says with `call` which tool gave it" if model.result is not None else None
        yield spot.blame(FileCode.MISSING_KEY, (), "the key `call` is missing: a test judges a call or a prompt", help_)
    for key in ("call", "result"):
        if model.prompt is not None and getattr(model, key) is not None:
            yield spot.blame_key(FileCode.EXPECTATION, (key,), f"a prompt belongs to no call, so it has no `{key}`")
    if model.result is not None and model.call is not None and model.call.original is not None:
        message = "only a call is judged in two views, so the call of a result has no `original`"
        yield spot.blame_key(FileCode.EXPECTATION, ("call", "original"), message)
    if model.expect is None and model.expect_each is None:
        message = "the key `expect` is missing: a test without it would check nothing"
        yield spot.blame(FileCode.MISSING_KEY, (), message, "say `expect: {verdict: deny}` or the like")
    if model.expect is not None and model.expect_each is not None:
        message = "a test has `expect` for all of its cases or `expect_each` for each, and not both"
        yield spot.blame_key(FileCode.EXPECTATION, ("expect_each",), message)
    if model.todo and model.skip is not None:
        message = "a test that is skipped shows no known gap: `todo` and `skip` do not go together"
        yield spot.blame_key(FileCode.EXPECTATION, ("todo",), message)


def _holes(spot: Spot, model: CaseModel, known: Mapping[str, list[Any]]) -> Iterator[Diagnostic]:
    used: set[str] = set()
    for path, hole in _in_parts(model):
        used.add(hole.inner)
        yield from _told(spot, path, hole, known)
    unknown = used - known.keys()
    for name in model.matrix or ():
        # A name that is nearly this one has been told.
        if name not in used and not get_close_matches(name, unknown, n=1, cutoff=0.6):
            message = f"nothing in the test names `{printable(name)}`"
            help_ = "say `${...}` with the name where its values belong"
            yield spot.blame_key(FileCode.MATRIX, ("matrix", name), message, help_)


def _told(spot: Spot, path: Path, hole: Hole, known: Mapping[str, list[Any]]) -> Iterator[Diagnostic]:
    found = problem(hole, known)
    if found is not None:
        stretch = (hole.start, hole.start + len(hole.inner) + 2 + hole.closed)
        yield spot.blame_inside(FileCode.FIXTURE, path, stretch, found.message, found.help)


def _in_parts(model: CaseModel) -> Iterator[tuple[Path, Hole]]:
    given = model.model_dump(include=set(_PARTS), exclude_unset=True)
    for part in _PARTS:
        yield from holes(given.get(part), (part,))
    if model.expect is not None:
        yield from holes(model.expect.message, ("expect", "message"))
    for number, one in enumerate(model.expect_each or ()):
        yield from holes(one.message, ("expect_each", number, "message"))


def _matrix(spot: Spot, model: CaseModel) -> Iterator[Diagnostic]:
    count = prod(len(values) for values in (model.matrix or {}).values())
    if count > MOST_COMBINATIONS:
        message = f"the matrix stands for {count:,} cases, and at most {MOST_COMBINATIONS:,} are run"
        yield spot.blame_key(FileCode.MATRIX, ("matrix",), message)
    each = model.expect_each
    if each is not None and len(each) != count:
        cases = "one case" if count == 1 else f"{count:,} cases"
        has = "one entry" if len(each) == 1 else f"{len(each):,} entries"
        message = f"`expect_each` has {has} for {cases}"
        help_ = "the last key of the matrix varies fastest" if model.matrix and len(model.matrix) > 1 else None
        yield spot.blame_key(FileCode.MATRIX, ("expect_each",), message, help_)
