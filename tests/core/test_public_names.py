"""The names that `oap_core` offers: all there, all from their modules, none imported before it is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import oap_core

OBJECTS = {"hookimpl": "oap_core.hookspecs"}
"""Names of what is neither a class nor a function, with their modules."""


@pytest.mark.parametrize("name", oap_core.__all__)
def test_a_public_name_is_there(name: str) -> None:
    found = getattr(oap_core, name)
    if name in OBJECTS:
        assert getattr(import_module(OBJECTS[name]), name) is found
        return
    assert found.__name__ == name
    assert found.__module__.startswith("oap_core.")


def test_the_names_stand_alike_for_people_for_type_checkers_and_for_python() -> None:
    tree = ast.parse(Path(oap_core.__file__).read_text(encoding="utf-8"))
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module != "typing"]
    typed = {name.name: node.module for node in imported for name in node.names if node.module != "importlib"}
    assert sorted(typed) == sorted(oap_core.__all__)
    modules = {name: OBJECTS.get(name) or getattr(oap_core, name).__module__ for name in typed}
    assert modules == typed
    assert set(oap_core.__all__) <= set(dir(oap_core))


def test_a_name_that_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="`oap_core` has no attribute `Guardian`"):
        oap_core.Guardian  # noqa: B018  # the access is the test


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    program = "import sys, oap_core; print([name for name in sys.modules if name.startswith('oap_core.')])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
