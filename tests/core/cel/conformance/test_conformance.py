"""The vectors of the specification: no wrong value, no exception, and every case that does not pass is on a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from docs.generate import PAGES, ROOT, cel_conformance
from tests.core.cel.conformance.left_out import left_out
from tests.core.cel.conformance.ours import Ended, Result, results
from tests.core.cel.conformance.peer import letters
from tests.core.cel.conformance.vectors import ABSENT, CASES, CORE, vectors

pytestmark = pytest.mark.skipif(not CASES.exists(), reason=ABSENT)


def _shown(ended: Iterable[Ended]) -> list[str]:
    return [f"{each.vector.name}: {each.vector.source!r} {each.result} {each.detail}" for each in ended]


def _passed(files: Iterable[str]) -> int:
    wanted = set(files)
    return sum(each.result is Result.PASSED and each.vector.file in wanted for each in results())


def test_every_vector_is_run() -> None:
    assert len(results()) == 1752
    assert sum(vector.file in CORE for vector in vectors()) == 1091
    assert len({vector.name for vector in vectors()}) == 1752


@pytest.mark.guarantee("cel-no-wrong-value")
def test_no_vector_has_a_wrong_value() -> None:
    assert _shown(each for each in results() if each.result is Result.WRONG) == []


@pytest.mark.guarantee("cel-no-wrong-value")
def test_no_vector_raises() -> None:
    assert _shown(each for each in results() if each.result is Result.RAISED) == []


@pytest.mark.guarantee("cel-no-wrong-value")
def test_every_vector_that_does_not_pass_is_listed() -> None:
    listed = {name for names in left_out().values() for name in names}
    missing = [each for each in results() if each.result is not Result.PASSED and each.vector.name not in listed]
    assert _shown(missing) == []


def test_no_vector_that_passes_is_listed() -> None:
    listed = {name for names in left_out().values() for name in names}
    assert _shown(each for each in results() if each.result is Result.PASSED and each.vector.name in listed) == []


def test_the_list_names_vectors_once_and_each_for_a_reason() -> None:
    listed = Counter(name for names in left_out().values() for name in names)
    assert [name for name, count in listed.items() if count > 1] == []
    assert set(listed) <= {vector.name for vector in vectors()}
    assert all(len(reason.split()) >= 3 and names for reason, names in left_out().items())


@pytest.mark.guarantee("cel-no-wrong-value")
def test_listed_vectors_are_rejected_or_errors() -> None:
    listed = {name for names in left_out().values() for name in names}
    assert {each.result for each in results() if each.vector.name in listed} <= {Result.REJECTED, Result.FAILED}


def test_what_is_left_out_is_rejected_with_a_hint() -> None:
    left = {name for reason, names in left_out().items() if "left out" in reason for name in names}
    assert len(left) > 300
    assert _shown(each for each in results() if each.vector.name in left and each.hint is None) == []


def test_nearly_all_of_the_core_language_passes() -> None:
    assert _passed(CORE) >= 1050


def test_nearly_all_of_the_string_extension_passes() -> None:
    assert _passed(["string_ext"]) >= 180


def test_the_page_is_what_this_run_gives() -> None:
    (name,) = (name for name, page in PAGES.items() if page is cel_conformance.page)
    assert (ROOT / name).read_text(encoding="utf-8") == cel_conformance.made()


def test_the_figures_of_cel_python_are_those_of_this_run() -> None:
    core = Counter(letter for vector, letter in zip(vectors(), letters(), strict=True) if vector.file in CORE)
    assert core.total() == 1091
    assert set(core) <= {"", "W", "M", "U", "E", "X"}
    assert core["W"] > 0, "the harness would not see a wrong value"
