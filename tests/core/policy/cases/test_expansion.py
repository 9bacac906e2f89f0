"""What a matrix makes of a test, and what names are replaced by."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.policy.assemble import TestFile as File
from oap_core.policy.cases.expand import expand
from oap_core.policy.cases.placeholders import TooMuchError, fill
from oap_core.policy.load import read
from oap_core.policy.model.cases import PolicyTestModel
from oap_core.policy.shape import validate
from tests.core.policy.cases.project import HEAD, prepared

SCALARS = st.none() | st.booleans() | st.integers(-99, 99) | st.text("ab ${}:", max_size=6)
MATRICES = st.dictionaries(
    st.sampled_from(["zeta", "alpha", "mid", "b1"]), st.lists(SCALARS, min_size=1, max_size=4), min_size=1, max_size=4
)


def escaped(value: object) -> object:
    return value.replace("${", "$${") if isinstance(value, str) else value


def cases(test: dict[str, Any]) -> list[dict[str, Any]]:
    """The prompt and the values of each case of one test, which is written as JSON."""
    document = read(f"{HEAD}  - {json.dumps(test)}\n", "t.yaml")
    assert document.root is not None
    assert not document.problems
    model = validate(PolicyTestModel, document.root, "t.yaml")
    assert isinstance(model, PolicyTestModel)
    problems: list[Any] = []
    (written,) = expand(File(document, ("tests",), tuple(model.tests), ()), {}, problems)
    assert problems == []
    return [{"values": case.values, "args": case.filled().args} for case in written.cases()]


@given(MATRICES)
def test_the_last_key_varies_fastest(matrix: dict[str, list[Any]]) -> None:
    test = {
        "name": "t",
        "call": {"tool": "a/b", "args": {name: f"${{{name}}}" for name in matrix}},
        "matrix": {name: [escaped(value) for value in values] for name, values in matrix.items()},
        "expect": "deny",
    }
    found = cases(test)
    wanted = [dict(zip(matrix, values, strict=True)) for values in product(*matrix.values())]
    assert [case["values"] for case in found] == wanted
    # A value is put in as it is, and nothing in it is taken for a name.
    assert [case["args"] for case in found] == wanted
    assert [[type(value) for value in case["args"].values()] for case in found] == [
        [type(value) for value in one.values()] for one in wanted
    ]


@given(st.text("ab$${}:n", max_size=12), st.text("ab${}", max_size=5))
def test_what_is_escaped_comes_back(text: str, value: str) -> None:
    assert fill(escaped(text), {}) == text
    if not text.endswith("$"):
        assert fill(f"{escaped(text)}${{n}}", {"n": value}) == (f"{text}{value}" if text else value)


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("${n}", 7),
        ("<${n}>", "<7>"),
        ("${n}${t}", "7true"),
        ("${f}x", "0.5x"),
        ("${repeat:ab:3}", "ababab"),
        ("${repeat:a:b:2}", "a:ba:b"),
        ("${repeat:x:0}", ""),
        ("$${n}", "${n}"),
        ("$$${n}", "$${n}"),
        ({"${n}": ["${t}", 1, None]}, {"${n}": [True, 1, None]}),
        ("$n {n} $", "$n {n} $"),
    ],
)
def test_what_names_are_replaced_by(value: object, filled: object) -> None:
    assert fill(value, {"n": 7, "t": True, "f": 0.5}) == filled


def test_all_holes_together_are_bounded() -> None:
    assert len(fill("${repeat:x:1000000}", {})) == 1_000_000
    with pytest.raises(TooMuchError):
        fill(["${repeat:x:999999}", "${repeat:xx:1}"], {})


def test_the_nearest_fixture_counts(tmp_path: Path) -> None:
    (tmp_path / "policies" / "tests").mkdir(parents=True)
    (tmp_path / "fixtures.yaml").write_text("fixtures: {top: 1, both: 1}\n", encoding="utf-8")
    (tmp_path / "policies" / "tests" / "fixtures.yaml").write_text("fixtures: {both: 2}\n", encoding="utf-8")
    test = "  - {name: t, call: {tool: pay/status, args: {a: '${top}', b: '${both}', c: '${long}'}}, expect: allow}\n"
    _, found = prepared(tmp_path, test)
    assert next(found.tests[0].cases()).filled().args == {"a": 1, "b": 2, "c": "ababab"}


def test_fixtures_above_the_project_are_none(tmp_path: Path) -> None:
    (tmp_path / "fixtures.yaml").write_text("fixtures: {far: 1}\n", encoding="utf-8")
    test = "  - {name: t, call: {tool: pay/status, args: {a: '${far}'}}, expect: allow}\n"
    _, found = prepared(tmp_path / "project", test)
    assert [one.code for one in found.diagnostics] == ["OAP504"]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("fixtures: {a: '${b}', b: 1}\n", "OAP504", 1, 16),
        ("fixture: {}\n", "OAP201", 1, 1),
        ("fixtures: {a: 1, a: 2}\n", "OAP102", 1, 18),
        ("fixtures: {a: '${repeat:x:600000}${repeat:x:600000}'}\n", "OAP504", 1, 15),
    ],
)
def test_fixtures_that_are_wrong(tmp_path: Path, text: str, code: str, line: int, column: int) -> None:
    (tmp_path / "fixtures.yaml").write_text(text, encoding="utf-8")
    _, found = prepared(tmp_path, "  - {name: t, call: {tool: pay/status}, expect: allow}\n")
    first = found.diagnostics[0]
    assert (first.code, first.line, first.column) == (code, line, column)
    assert Path(first.file or "").name == "fixtures.yaml"
    assert found.sources[first.file or ""] == text


def test_a_folder_has_one_file_of_fixtures(tmp_path: Path) -> None:
    for name in ("fixtures.yaml", "fixtures.yml"):
        (tmp_path / name).write_text("fixtures: {}\n", encoding="utf-8")
    _, found = prepared(tmp_path, "  - {name: t, call: {tool: pay/status}, expect: allow}\n")
    assert [one.code for one in found.diagnostics] == ["OAP504"]
