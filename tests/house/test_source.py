"""Modules and functions stay small, say what they are for, and name nothing of the machine they were written on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.house import source
from tests.house.places import ROOT, product_modules, tracked_files
from tests.house.traces import REGISTRIES, Traces, traces

Check = Callable[[list[Path], Path], list[str]]

# For each check a text that it finds fault with, and what it says about it.
BAD: Final[dict[Check, tuple[str, str, str]]] = {
    source.long_modules: ("long.py", "x = 1\n" * 451, "long.py has 451 lines"),
    source.long_functions: (
        "long.py",
        'def long() -> None:\n    """Do much."""\n' + "    x = 1\n" * 41,
        "long.py:1 `long` has 41 lines",
    ),
    source.empty_names: ("door/utils.py", "", "door/utils.py"),
    source.modules_without_a_sentence: ("door.py", '"""door stuff"""\n', "door.py"),
    source.undocumented_fields: (
        "door.py",
        'from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Door:\n    """It."""\n    width: int\n',
        "door.py:5 `Door.width`",
    ),
}

GOOD: Final = (
    '''"""Doors that shut."""

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Door:
    """A door of some height."""

    width: int
    """In centimetres."""
    height: int
    kind: str = field(default="door", init=False)
    _hinge: int = 0
    made_of: ClassVar[str] = "wood"


@dataclass
class _Inner:
    width: int


class Plain:
    width: int


def table() -> tuple[int, ...]:
    return (
'''
    + "        1,\n" * 50
    + "    )\n"
)


@pytest.mark.parametrize("check", BAD, ids=lambda check: check.__name__)
def test_the_product_keeps_to_it(check: Check) -> None:
    files = product_modules()
    assert len(files) > 3
    assert check(files, ROOT) == []


@pytest.mark.parametrize("check", BAD, ids=lambda check: check.__name__)
def test_what_breaks_it_is_found(tmp_path: Path, check: Check) -> None:
    name, text, fault = BAD[check]
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    assert check([file], tmp_path) == [fault]


@pytest.mark.parametrize("check", BAD, ids=lambda check: check.__name__)
def test_a_good_module_passes(tmp_path: Path, check: Check) -> None:
    file = tmp_path / "door.py"
    file.write_text(GOOD, encoding="utf-8")
    assert check([file], tmp_path) == []


def test_the_limits_themselves_are_allowed(tmp_path: Path) -> None:
    file = tmp_path / "door.py"
    file.write_text("x = 1\n" * 450, encoding="utf-8")
    assert source.long_modules([file], tmp_path) == []
    file.write_text('def fits() -> None:\n    """Do much."""\n' + "    x = 1\n" * 40, encoding="utf-8")
    assert source.long_functions([file], tmp_path) == []


def test_tests_and_generators_are_split_like_the_product() -> None:
    files = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("docs/**/*.py")]
    assert source.long_modules(files, ROOT) == []
    assert source.empty_names(files, ROOT) == []


def test_no_tracked_file_names_this_machine_or_a_registry() -> None:
    files = tracked_files()
    assert ROOT / "pyproject.toml" in files
    assert traces(files, ROOT, Traces.here(ROOT)) == []


CHECKOUT: Final = Path("/build/anybody/checkout")


@pytest.mark.parametrize("trace", [str(CHECKOUT), "/build/anybody/shared", *REGISTRIES])
def test_a_trace_of_the_machine_is_found(tmp_path: Path, trace: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(f"fine\nsee {trace}/x\n", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    assert traces(sorted(tmp_path.iterdir()), tmp_path, Traces.here(CHECKOUT)) == ["notes.txt:2"]


@pytest.mark.parametrize("place", ["/srv/app", "/srv/app/main", "/w", "/w/app", "/home/u", "/app", "/"])
def test_a_checkout_may_lie_where_the_examples_say(place: str) -> None:
    assert traces(tracked_files(), ROOT, Traces.here(Path(place))) == []


@pytest.mark.parametrize("place", [CHECKOUT, Path("/srv/app")])
def test_the_environment_that_runs_is_looked_for(place: Path) -> None:
    looked_for = Traces.here(place).texts
    assert [text for text in (sys.prefix, sys.base_prefix) if text.count("/") > 1 and text not in looked_for] == []
