"""The names that `oap_core` offers: all there, all from their modules, none imported before it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import oap_core


@pytest.mark.parametrize("name", oap_core.__all__)
def test_a_public_name_is_there(name: str) -> None:
    found = getattr(oap_core, name)
    assert found.__name__ == name
    assert found.__module__.startswith("oap_core.")


def test_a_name_that_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="`oap_core` has no attribute `Guardian`"):
        oap_core.Guardian  # noqa: B018  # the access is the test


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    program = "import sys, oap_core; print([name for name in sys.modules if name.startswith('oap_core.')])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
