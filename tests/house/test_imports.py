"""Who may import whom: the contracts hold, each can break, and importing the core stays cheap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from tests.house.places import CORE, PYPROJECT, ROOT

LINT_IMPORTS: Final = str(Path(sys.executable).with_name("lint-imports"))

# What a module would have to contain to break each contract, by the id of the contract.
BREAKS: Final = [
    ("layers", "errors.py", "from oap_core import types"),
    ("layers", "combine.py", "def late() -> None:\n    from oap_core.cel import parse"),
    ("layers", "kinds.py", "from oap_core import clock"),
    ("layers", "cel/tree.py", "import oap_core.cli"),
    ("layers", "gadget.py", '"""A module without a place."""'),
    ("acyclic", "cel/values.py", "def late() -> None:\n    from oap_core.cel import tree"),
    ("celpy", "cel/tree.py", "import celpy"),
    ("celpy", "cli/__init__.py", "def late() -> None:\n    from celpy import CELParser"),
    ("re2", "cel/tree.py", "import re2"),
    ("re2", "cli/__init__.py", "def late() -> None:\n    import re2"),
    ("trial", "cel/program.py", "def late() -> None:\n    from oap_core.cel import trial"),
    ("trial", "cel/__init__.py", "def late() -> None:\n    from oap_core.cel.trial import attempt"),
    ("lark", "cel/parse.py", "import lark"),
    ("click", "cel/tree.py", "import click"),
    ("yaml", "cli/__init__.py", "import yaml"),
    ("oracles", "types.py", "import hypothesis"),
]

HEAVY: Final = {
    "asyncio", "celpy", "click", "google.protobuf", "http.client", "httpx", "jsonschema", "lark", "re2", "requests",
    "socket", "spacy", "sqlite3", "ssl", "urllib.request", "yaml",
}  # fmt: skip


def contracts() -> dict[str, dict[str, Any]]:
    settings = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    return {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}


def lint(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [LINT_IMPORTS, "--no-cache", *options]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.guarantee("design-layers")
def test_contracts_hold() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


def test_every_contract_is_shown_to_break() -> None:
    assert {contract for contract, _, _ in BREAKS} == set(contracts())


@pytest.mark.guarantee("design-layers")
@pytest.mark.parametrize(("contract", "module", "line"), BREAKS)
def test_a_forbidden_import_breaks_its_contract(tmp_path: Path, contract: str, module: str, line: str) -> None:
    shutil.copytree(CORE, tmp_path / "oap_core", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PYPROJECT, tmp_path)
    with (tmp_path / "oap_core" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    result = lint(tmp_path, "--contract", contract)
    assert result.returncode == 1, result.stdout
    assert f"{contracts()[contract]['name']} BROKEN" in result.stdout or "gadget" in result.stdout


def test_a_module_that_exists_is_not_in_brackets() -> None:
    layers = " ".join(contracts()["layers"]["layers"])
    awaited = {name.strip("()") for name in layers.replace("|", " ").replace(":", " ").split() if name[0] == "("}
    there = {path.stem for path in CORE.iterdir()}
    assert awaited
    assert not awaited & there, "take the brackets away, so that the layer is no longer optional"


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after the statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    command = [sys.executable, "-W", "error", "-c", code]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.guarantee("design-light-import")
def test_importing_the_core_loads_nothing_heavy() -> None:
    # A name is imported when it is asked for, so all of them are.
    loaded = loaded_by("import oap_core\nfor name in oap_core.__all__: getattr(oap_core, name)")
    assert {"oap_core", "oap_core.combine", "oap_core.clock", "oap_core.types"} <= loaded
    assert not loaded & HEAVY


def test_importing_the_cel_engine_loads_no_parser() -> None:
    loaded = loaded_by("import oap_core.cel")
    assert not loaded & {"celpy", "lark", "click", "jsonschema", "yaml"}


def test_a_heavy_import_would_be_seen() -> None:
    assert {"celpy", "lark"} <= loaded_by("import celpy") & HEAVY
