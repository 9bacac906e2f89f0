"""The promise list is complete, and it and the tests name each other."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.guarantees import GROUPS, GUARANTEES, OWN, REQUIREMENTS, Changed, Deferred, Group, Guarantee, Tested
from tests.promises.ledger import faults, read_markers

ROOT: Final = Path(__file__).parents[2]

# Stated and derived requirements in each group, as counted in the documents that they come from.
COUNTS: Final = {
    "G1": (22, 5), "G2": (6, 2), "G3": (18, 4), "G4": (8, 6), "G5": (3, 4), "G6": (17, 9), "G7": (18, 6),
    "G8": (19, 13), "G9": (2, 5), "G10": (14, 6), "G11": (8, 5), "G12": (16, 12), "G13": (16, 6), "G14": (10, 3),
    "G15": (6, 4), "G16": (2, 5), "G17": (3, 3), "G18": (2, 7), "G19": (2, 1), "G20": (3, 4), "G21": (3, 3),
    "G22": (7, 1), "G23": (2, 3), "G24": (5, 2), "G25": (7, 3), "G26": (3, 1), "G27": (4, 2), "G28": (2, 7),
}  # fmt: skip
STATED_PER_DOCUMENT: Final = {"S0": 98, "S1": 46, "S2": 51, "S3": 33}

TEST: Final = "tests/core/test_door.py::test_door_shuts"


def sample(tmp_path: Path, text: str, *, place: str = "tests/core/test_door.py") -> Path:
    """Write a made-up test file and return the root of its tree."""
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.write_text("import pytest\n\n" + text, encoding="utf-8")
    return tmp_path


def door(status: Tested | Deferred | Changed, *, sentence: str = "The door shuts.") -> tuple[Group, ...]:
    return (Group("own", "The door", (Guarantee("own-door", sentence, status),)),)


MARKED: Final = '@pytest.mark.guarantee("own-door")\ndef test_door_shuts():\n    assert shut\n'


@pytest.mark.guarantee("design-true-promises")
def test_list_and_tests_name_each_other() -> None:
    assert faults(GROUPS, ROOT) == []


def test_every_requirement_is_listed_once_in_its_group() -> None:
    counted = {
        group.id: (
            sum(guarantee.id.startswith("S") for guarantee in group.guarantees),
            sum(guarantee.id.startswith("D") for guarantee in group.guarantees),
        )
        for group in REQUIREMENTS
    }
    assert list(counted.items()) == list(COUNTS.items())
    assert (sum(stated for stated, _ in COUNTS.values()), sum(derived for _, derived in COUNTS.values())) == (228, 132)


def test_ids_of_requirements_have_no_gaps() -> None:
    ids = sorted(guarantee.id for group in REQUIREMENTS for guarantee in group.guarantees)
    stated = [f"{document}-{n:02}" for document, last in STATED_PER_DOCUMENT.items() for n in range(1, last + 1)]
    derived = [f"D-{n:03}" for n in range(1, 133)]
    assert ids == sorted(stated + derived)
    assert len(ids) == 360


def test_our_own_ids_start_with_the_id_of_their_group() -> None:
    assert not {group.id for group in OWN} & set(COUNTS)
    for group in OWN:
        for guarantee in group.guarantees:
            assert re.fullmatch(rf"{group.id}-[a-z0-9]+(-[a-z0-9]+)*", guarantee.id)


def test_sentences_are_those_of_the_requirements() -> None:
    source = ROOT.parent / "shared" / "requirements.md"
    if not source.exists():
        pytest.skip("the requirements do not lie beside this checkout")
    text = source.read_text(encoding="utf-8")
    read = re.findall(r"^- \*\*([SD]\d?-\d+)\*\* (.+)$", text, re.MULTILINE)
    assert dict(read) == {guarantee.id: guarantee.sentence for group in REQUIREMENTS for guarantee in group.guarantees}


def test_only_the_design_changes_a_requirement() -> None:
    changed = [guarantee for guarantee in GUARANTEES if isinstance(guarantee.status, Changed)]
    assert changed
    for guarantee in changed:
        assert isinstance(guarantee.status, Changed)
        assert guarantee.id.startswith("D-"), "what the documents state is mandatory"
        assert guarantee.status.now != guarantee.sentence
        assert 2 <= guarantee.status.section <= 13


def test_a_tested_promise_with_its_marked_test_is_accepted(tmp_path: Path) -> None:
    root = sample(tmp_path, MARKED)
    assert faults(door(Tested((TEST,))), root) == []
    assert faults(door(Changed(4, "The door shuts by itself.", Tested((TEST,)))), root) == []


def test_a_marker_counts_in_a_plugin_on_an_async_test_and_with_several_ids(tmp_path: Path) -> None:
    text = '@pytest.mark.guarantee("own-door", "own-lock")\nasync def test_door_shuts():\n    assert shut\n'
    root = sample(tmp_path, text, place="plugins/oap-door/tests/test_door.py")
    marked = read_markers(root)
    expected = {"plugins/oap-door/tests/test_door.py::test_door_shuts"}
    assert marked.by_id == {"own-door": expected, "own-lock": expected}


@pytest.mark.guarantee("design-true-promises")
@pytest.mark.parametrize(
    ("text", "status", "fault"),
    [
        pytest.param("", Tested((TEST,)), f"own-door names {TEST}, which does not exist", id="no such test"),
        pytest.param(
            "def test_door_shuts():\n    assert shut\n",
            Tested((TEST,)),
            f"own-door names {TEST}, which does not carry its marker",
            id="no marker",
        ),
        pytest.param(
            f"@pytest.mark.skip(reason='later')\n{MARKED}",
            Tested((TEST,)),
            f"own-door names {TEST}, which is marked to be skipped or to fail",
            id="skipped",
        ),
        pytest.param(
            f"@pytest.mark.xfail\n{MARKED}",
            Tested((TEST,)),
            f"own-door names {TEST}, which is marked to be skipped or to fail",
            id="expected to fail",
        ),
        pytest.param(
            MARKED,
            Deferred("waits for a hinge"),
            f"{TEST} is marked with own-door, whose entry does not name it",
            id="deferred although a test proves it",
        ),
        pytest.param("", Tested(()), "own-door is said to be tested, by no test", id="tested by nothing"),
        pytest.param("", Deferred(" "), "own-door is deferred without a reason", id="no reason"),
        pytest.param(
            "",
            Changed(4, "Door", Deferred("waits for a hinge")),
            "own-door is no sentence: Door",
            id="what holds now is no sentence",
        ),
    ],
)
def test_a_disagreement_is_found(tmp_path: Path, text: str, status: Tested | Deferred | Changed, fault: str) -> None:
    assert faults(door(status), sample(tmp_path, text)) == [fault]


@pytest.mark.guarantee("design-true-promises")
def test_a_marker_with_an_unknown_id_is_found(tmp_path: Path) -> None:
    assert faults((), sample(tmp_path, MARKED)) == [f"{TEST} is marked with own-door, which is no promise"]


def test_a_second_entry_with_the_same_id_is_found(tmp_path: Path) -> None:
    twice = door(Deferred("waits for a hinge")) + door(Deferred("waits for a hinge"))
    assert faults(twice, tmp_path) == ["own-door stands in the list 2 times"]


def test_an_entry_that_is_no_sentence_is_found(tmp_path: Path) -> None:
    assert faults(door(Deferred("waits for a hinge"), sentence="door"), tmp_path) == ["own-door is no sentence: door"]


@pytest.mark.parametrize(
    "text",
    [
        'ID = "own-door"\n@pytest.mark.guarantee(ID)\ndef test_door_shuts():\n    pass\n',
        '@pytest.mark.guarantee(id="own-door")\ndef test_door_shuts():\n    pass\n',
        "@pytest.mark.guarantee\ndef test_door_shuts():\n    pass\n",
        "@pytest.mark.guarantee()\ndef test_door_shuts():\n    pass\n",
        'pytestmark = pytest.mark.guarantee("own-door")\n',
        'CASES = [pytest.param(1, marks=pytest.mark.guarantee("own-door"))]\n',
        'class TestDoor:\n    @pytest.mark.guarantee("own-door")\n    def test_door_shuts(self):\n        pass\n',
    ],
)
def test_a_marker_that_cannot_be_read_is_found(tmp_path: Path, text: str) -> None:
    [fault] = faults(door(Deferred("waits for a hinge")), sample(tmp_path, text))
    assert fault.endswith("has a guarantee marker that is not on a test function, or without literal ids")


def test_counts_add_up_over_all_entries() -> None:
    standings = Counter(type(guarantee.standing).__name__ for guarantee in GUARANTEES)
    assert standings["Tested"] + standings["Deferred"] == len(GUARANTEES) >= 360
