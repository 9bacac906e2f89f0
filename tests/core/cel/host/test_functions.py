"""The table of host functions, and the choice of the file system that they are for."""

from __future__ import annotations

import os
import sys

import pytest

from oap_core.cel.functions import Function, Registry
from oap_core.cel.host import HOST_FUNCTIONS, host_functions
from oap_core.cel.host.filesystem import FileSystem
from tests.core.cel.host.calls import SYSTEMS, answer, call


def test_the_names_are_those_that_policies_use() -> None:
    names = ["within", "within_on_disk", "glob", "url_scheme", "url_host", "url_port", "domain_within", "email_domain"]
    assert [function.name for function in HOST_FUNCTIONS] == [*names, "ip_in"]
    assert len(list(Registry.of(HOST_FUNCTIONS))) == len(HOST_FUNCTIONS)


@pytest.mark.parametrize("function", HOST_FUNCTIONS, ids=lambda function: function.name)
def test_every_function_is_documented_and_charged(function: Function) -> None:
    assert function.summary.endswith(".")
    assert function.examples
    assert function.group == "host"
    assert all(overload.scans and not overload.method for overload in function.overloads)


@pytest.mark.parametrize(
    ("platform", "name", "expected"),
    [
        ("linux", "posix", FileSystem(windows=False, fold_case=False)),
        ("darwin", "posix", FileSystem(windows=False, fold_case=True)),
        ("win32", "nt", FileSystem(windows=True, fold_case=True)),
    ],
)
def test_what_is_not_said_is_as_on_the_platform(
    monkeypatch: pytest.MonkeyPatch, platform: str, name: str, expected: FileSystem
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "name", name)
    found = FileSystem.of()
    turned = FileSystem.of(fold_case=not expected.fold_case, windows=not expected.windows)
    monkeypatch.undo()
    assert found == expected
    assert turned == FileSystem(windows=not expected.windows, fold_case=not expected.fold_case)


def test_letter_case_can_be_told_apart_on_windows_too() -> None:
    functions = {function.name: function for function in host_functions(windows=True, fold_case=False)}
    within, glob = functions["within"].overloads[0].implementation, functions["glob"].overloads[0].implementation
    assert within("c:\\w\\x", "C:\\w") is glob("c:\\w\\x", "C:/w/*") is True
    assert within("C:\\W\\x", "C:\\w") is glob("C:\\W\\x", "C:/w/*") is False


def test_keys_are_nested() -> None:
    """Names that are one under the narrow key are one under the wide key, for every character."""
    systems = [FileSystem(windows=windows, fold_case=fold) for windows in (False, True) for fold in (False, True)]
    for system in systems:
        wide: dict[str, str] = {}
        for character in map(chr, [*range(0xD800), *range(0xE000, 0x30000)]):
            narrow = system.narrow(character)
            assert wide.setdefault(narrow, system.wide(character)) == system.wide(character)
            assert system.narrow(narrow) == narrow


def test_an_answer_is_the_same_twice() -> None:
    for _ in range(2):
        assert call("glob", "/w/.env", "**/.env") is True
        assert answer("glob", "/w/.env", "**.env") == "fails: invalid_argument"
        assert call("glob", "/w/.ENV", "**/.env", on="folding") is True
        assert call("glob", "/w/.ENV", "**/.env") is False
    assert set(SYSTEMS) == {"posix", "folding", "windows"}
