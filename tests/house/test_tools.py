"""ruff, mypy and pytest are set up so that they find what they are there to find."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from tests.house.places import PYPROJECT, ROOT

SETTINGS: Final[dict[str, Any]] = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["tool"]

# A line of product code, and the rule that has to find fault with it.
UNSOUND: Final = [
    ("print(1)", "T201"),
    ("from . import errors", "TID252"),
    ("def f(x): ...", "ANN001"),
    ("def f() -> None: ...", "D103"),
    ("import os", "F401"),
    ("try:\n    f()\nexcept Exception:\n    f()", "BLE001"),
    ("try:\n    f()\nexcept:\n    f()", "E722"),
    ("x = 1  # TODO: finish", "FIX002"),
    ("x = eval('1')", "S307"),
    ("x = 1  # type: ignore", "PGH003"),
    ("x = 1  # noqa", "PGH004"),
    ("x = 1  # noqa: F401", "RUF100"),
    ("# x = f(1)", "ERA001"),
]

MISTYPED: Final = """
from typing import Any

def untyped(x):
    return x

def ignored() -> int:
    return "1"  # type: ignore

def bare(x: dict) -> Any:
    return untyped(x)

def dead(x: int) -> str:
    if isinstance(x, str):
        return x
    return str(x)
"""


# Everything that ruff has to say about the repository, as `poe check` asks for it.
RUFF: Final = (["ruff", "check"], ["ruff", "check", "--preview", "--select", "PLW1514"], ["ruff", "format", "--check"])


def ruff(text: str, place: str, *options: str) -> set[str]:
    """Return the codes that ruff reports for a text, as if it stood at a place in the repository."""
    command = ["ruff", "check", "--no-cache", "--output-format=json", "--stdin-filename", place, *options, "-"]
    result = run(command, text=text)
    assert result.returncode in {0, 1}, result.stderr
    return {finding["code"] for finding in json.loads(result.stdout)}


def run(command: list[str], *, text: str | None = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run one of the project's tools from the environment that runs this test."""
    tool = str(Path(sys.executable).with_name(command[0]))
    return subprocess.run([tool, *command[1:]], cwd=cwd, input=text, capture_output=True, text=True, check=False)


def test_the_repository_is_clean_and_formatted() -> None:
    for command in RUFF:
        result = run(command)
        assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(("line", "code"), UNSOUND)
def test_ruff_finds_fault_with_unsound_code(line: str, code: str) -> None:
    assert code in ruff(f'"""A sample."""\n\n{line}\n', "oap_core/sample.py")


@pytest.mark.parametrize("name", SETTINGS["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"])
def test_a_banned_name_exists_is_found_and_comes_with_advice(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    text = f"import {name}" if not module else f"from {module} import {attribute}"
    if module == "datetime.datetime":
        text = f"import datetime\n\nx = {name}(datetime.UTC)"
        assert hasattr(import_module("datetime").datetime, attribute)
    elif module:
        assert hasattr(import_module(module), attribute)
    assert "TID251" in ruff(f'"""A sample."""\n\n{text}\n', "oap_core/sample.py")
    advice = SETTINGS["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"][name]["msg"]
    assert "oap_core." in advice


def test_only_the_command_line_prints() -> None:
    text = '"""A sample."""\n\nprint(1)\n'
    assert ruff(text, "oap_core/cli/sample.py") == set()
    assert ruff(text, "oap_core/cel/sample.py") == {"T201"}


def test_a_file_opened_without_its_encoding_is_found() -> None:
    text = '"""A sample."""\n\nfile = open("x")  # noqa: SIM115\n'
    assert "PLW1514" in ruff(text, "oap_core/sample.py", *RUFF[1][2:])


def test_the_named_task_checks_all_of_this() -> None:
    commands = [step["cmd"].split() for step in SETTINGS["poe"]["tasks"]["check"]["sequence"]]
    assert commands == [*RUFF, ["mypy"], ["lint-imports"]]


def test_a_badly_formatted_file_is_found() -> None:
    assert run(["ruff", "format", "--check", "--stdin-filename", "oap_core/sample.py", "-"], text="x=1").returncode == 1


def test_mypy_is_strict(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(MISTYPED, encoding="utf-8")
    command = ["mypy", f"--config-file={PYPROJECT}", f"--cache-dir={ROOT / '.mypy_cache'}", "sample.py"]
    result = run(command, cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    found = re.findall(r"\[([a-z-]+)\]$", result.stdout, re.MULTILINE)
    assert {"no-untyped-def", "ignore-without-code", "type-arg", "unreachable", "no-untyped-call"} <= set(found)


def test_mypy_looks_at_everything() -> None:
    packages = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("plugins/*/oap_*") if path.is_dir()}
    assert set(SETTINGS["mypy"]["files"]) == {"oap_core", "docs", "tests"} | packages


STRICT: Final = {
    "unknown marker": ("@pytest.mark.slwo\ndef test_x(): pass", "'slwo' not found in `markers`"),
    "warning": ("def test_x(): warnings.warn('careful')", "UserWarning: careful"),
    "unexpected pass": ("@pytest.mark.xfail\ndef test_x(): pass", "XPASS(strict)"),
    "file left open": ("def test_x(): open(__file__)", "ResourceWarning"),
}


def pytest_on(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the project's settings on a folder of made-up tests."""
    shutil.copy(PYPROJECT, folder)
    return run(["pytest", "-p", "no:cacheprovider", *options, "."], cwd=folder)


@pytest.mark.parametrize(("test", "message"), STRICT.values(), ids=STRICT)
def test_pytest_is_strict(tmp_path: Path, test: str, message: str) -> None:
    (tmp_path / "test_sample.py").write_text(f"import pytest, warnings\n\n{test}\n", encoding="utf-8")
    result = pytest_on(tmp_path)
    assert result.returncode != 0
    assert message in result.stdout


def test_pytest_refuses_an_unknown_setting(tmp_path: Path) -> None:
    result = pytest_on(tmp_path, "-o", "made_up_setting=1")
    assert result.returncode == 4
    assert "Unknown config option: made_up_setting" in result.stderr


def test_order_is_random_with_its_seed_printed_and_equal_names_are_fine(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        tests = "\n".join(f"def test_{number}(): pass" for number in range(20))
        (tmp_path / folder / "test_same.py").write_text(tests, encoding="utf-8")
    result = pytest_on(tmp_path, "--verbose")
    assert result.returncode == 0, result.stdout
    assert re.search(r"^Using --randomly-seed=\d+$", result.stdout, re.MULTILINE)
    ran = re.findall(r"^(\S+)::test_(\d+) PASSED", result.stdout, re.MULTILINE)
    assert len(ran) == 40
    assert ran != sorted(ran, key=lambda test: (test[0], int(test[1])))
