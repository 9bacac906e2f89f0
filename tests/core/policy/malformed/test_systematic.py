"""Every key of the format misspelt, doubled, left out, marked, emptied and given other values: the place is always told."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.core.policy.malformed.bases import TEXTS, found
from tests.core.policy.malformed.systematic import Malformed, fields, keys, malformed

ALL: Final = list(malformed())


@pytest.mark.parametrize("case", [pytest.param(case, id=case.title) for case in ALL])
def test_malformed(case: Malformed, tmp_path: Path) -> None:
    loads, told = found(case.base, case.text, tmp_path)
    assert [(one.code, one.line, one.column) for one in told] == list(case.expected), [str(one) for one in told]
    assert not loads


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_file_is_good_before(name: str, tmp_path: Path) -> None:
    loads, told = found(name, TEXTS[name], tmp_path)
    assert told == ()
    assert loads


def test_there_are_many_and_all_differ() -> None:
    assert len({(case.base, case.text) for case in ALL}) > 900
    assert len({case.title for case in ALL}) == len(ALL)


def test_every_key_that_is_listed_stands_in_a_good_file() -> None:
    there = {(base, key.path) for base, text in TEXTS.items() for key in keys(text)}
    assert not fields().keys() - there
