"""The configuration: what it may say, what is told of it, and where it is found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from oap_core.cel.types import INT, STRING
from oap_core.config import Config, find_config, load_config
from oap_core.decision import Default
from tests.core.policy.deciding import NOW

WHOLE: Final = """\
plugins: [oap-authorization, acme-inspect:main]
policies: [rules, more/a.yaml]
catalog: [tools.yaml]
default: ask
subject:
  attributes:
    tenant: {type: string, description: Whose data it is.}
    level: {type: integer, optional: true}
session:
  attributes:
    case: {type: object, properties: {id: {type: string}}}
reserved:
  - {tools: ['pay/*'], policies: [payments]}
required: [base, payments]
observe_until: 2026-06-20
paths: {fold_case: true, windows: false}
"""
TABLE: Final = """\
[project]
name = "x"

[tool.oap]
plugins = ["oap-authorization", "acme-inspect:main"]
policies = ["rules", "more/a.yaml"]
catalog = ["tools.yaml"]
default = "ask"
required = ["base", "payments"]
observe_until = 2026-06-20

[tool.oap.subject.attributes]
tenant = {type = "string", description = "Whose data it is."}
level = {type = "integer", optional = true}

[tool.oap.session.attributes.case]
type = "object"
properties = {id = {type = "string"}}

[[tool.oap.reserved]]
tools = ["pay/*"]
policies = ["payments"]

[tool.oap.paths]
fold_case = true
windows = false
"""


def written(tmp_path: Path, text: str, name: str = "oap.yaml") -> Config:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return load_config(file, tmp_path, NOW)


def told(config: Config) -> list[tuple[str, int, str]]:
    return [(str(one.code), one.line, one.message) for one in config.diagnostics]


def lines(config: Config) -> list[tuple[str, int]]:
    return [(code, line) for code, line, _ in told(config)]


@pytest.mark.guarantee("config-strict")
@pytest.mark.parametrize(("text", "name"), [(WHOLE, "oap.yaml"), (TABLE, "pyproject.toml")])
def test_everything_that_it_can_say(tmp_path: Path, text: str, name: str) -> None:
    found = written(tmp_path, text, name)
    assert found.diagnostics == ()
    assert [plugin for plugin, _ in found.plugins or ()] == ["oap-authorization", "acme-inspect:main"]
    assert [path for path, _ in found.policies] == [tmp_path / "rules", tmp_path / "more/a.yaml"]
    assert [path for path, _ in found.catalog] == [tmp_path / "tools.yaml"]
    assert found.default is Default.ASK
    assert {one: (found.subject[one].type.name, found.subject[one].required) for one in found.subject} == {
        "tenant": (STRING.name, True),
        "level": (INT.name, False),
    }
    assert list(found.session) == ["case"]
    [reserved] = found.reservations
    assert (list(reserved.tools), reserved.policies) == (["pay/*"], frozenset({"payments"}))
    assert set(found.required) == {"base", "payments"}
    assert found.observe_until == datetime(2026, 6, 20, tzinfo=UTC)
    assert found.file_system == {"fold_case": True, "windows": False}


@pytest.mark.guarantee("config-strict")
def test_without_a_file_it_works(tmp_path: Path) -> None:
    found = load_config(None, tmp_path, NOW)
    assert (found.file, found.plugins) == (None, None)
    assert [path for path, _ in found.policies] == [tmp_path / "policies"]
    assert (found.default, found.diagnostics, found.observe_until) == (Default.DENY, (), None)
    assert found.functions.get("within") is not None


@pytest.mark.guarantee("config-strict")
def test_every_mistake_is_told_at_once_and_in_its_place(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        "plugin: [a]\n"
        "policies: rules\n"
        "default: allow\n"
        "subject: {attributes: {tenant: {type: text}, 1a: {type: string}}}\n"
        "reserved: [{tools: [pay], policies: []}]\n"
        "required: [core]\n"
        "paths: {fold: true, windows: 'no'}\n",
    )
    assert lines(found) == [
        ("OAP201", 1), ("OAP203", 2), ("OAP204", 3), ("OAP204", 4), ("OAP204", 4), ("OAP204", 5), ("OAP204", 5),
        ("OAP204", 6), ("OAP201", 7), ("OAP203", 7),
    ]  # fmt: skip
    helps = {one.message: one.help for one in found.diagnostics}
    assert any(help is not None and "`plugins`" in help for help in helps.values())
    # What is wrong is not in force.
    assert (found.default, found.plugins, found.policies) == (Default.DENY, None, ())


@pytest.mark.guarantee("config-strict")
@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("[tool.oap]\ndefault = 'allow'\n", "OAP204", 2),
        ("[tool.oap]\n\ndefalt = 'deny'\n", "OAP201", 3),
        ("[tool.oap]\npolicies = [1]\n", "OAP203", 2),
        ("[tool.oap.paths]\nfold_cases = true\n", "OAP201", 2),
        ("[tool]\noap = 3\n", "OAP203", 1),
        ("[tool.oap]\ndefault = \n", "OAP101", 2),
        ("[tool.oap]\ndefault = 'deny'\ndefault = 'ask'\n", "OAP101", 3),
        ("[tool.oap]\ndefault = 1.5\n", "OAP203", 2),
        ("[tool.oap]\nobserve_until = 2027-01-01\n", "OAP605", 2),
        ("[tool.oap]\nobserve_until = 07:00:00\n", "OAP204", 2),
        ("[tool.oap]\nrequired = ['a', 'a b']\n", "OAP204", 2),
    ],
)
def test_a_mistake_in_a_table_has_its_place(tmp_path: Path, text: str, code: str, line: int) -> None:
    found = written(tmp_path, text, "pyproject.toml")
    assert lines(found) == [(code, line)]
    assert found.diagnostics[0].file is not None
    assert found.diagnostics[0].file.endswith("pyproject.toml")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n",
        "- a\n",
        "[",
        "a: &x 1\nb: *x\n",
        "default: deny\ndefault: deny\n",
        "a: !x 1\n",
        "---\na: 1\n---\nb: 1\n",
    ],
)
def test_a_file_that_is_no_mapping_is_no_configuration(tmp_path: Path, text: str) -> None:
    found = written(tmp_path, text)
    assert [one.severity.value for one in found.diagnostics].count("error") >= 1
    assert found.default is Default.DENY


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    assert lines(load_config(tmp_path / "gone.yaml", tmp_path, NOW)) != []
    assert lines(load_config(tmp_path, tmp_path, NOW)) != []
    (tmp_path / "pyproject.toml").write_bytes(b"\xff[tool.oap]\n")
    assert lines(load_config(tmp_path / "pyproject.toml", tmp_path, NOW)) == [("OAP108", 1)]


@pytest.mark.parametrize(
    "declared",
    [
        "{type: string, enum: []}",
        "{type: array, items: {type: text}}",
        "{type: object, properties: {a: 5}}",
        "{type: object, properties: {a: {type: [x]}}}",
        "{type: array, items: {'$ref': '#/nowhere', type: string}}",
        "{type: string, items: {type: string}}",
        "{type: array, properties: {a: {type: string}}}",
        "{type: integer, enum: [1, a]}",
        "{type: integer, enum: [true]}",
        "{type: object, properties: {a: {type: array, items: {type: string, enum: [1]}}}}",
        "{type: string, default: x}",
        "{}",
        "string",
    ],
)
def test_an_attribute_that_is_declared_wrongly_is_told(tmp_path: Path, declared: str) -> None:
    found = written(tmp_path, f"subject:\n  attributes:\n    tenant: {declared}\n")
    assert [line for _, line in lines(found)] == [3]


@pytest.mark.parametrize(("owner", "name"), [("subject", "id"), ("subject", "roles"), ("session", "labels")])
def test_no_attribute_hides_what_every_one_has(tmp_path: Path, owner: str, name: str) -> None:
    found = written(tmp_path, f"{owner}: {{attributes: {{{name}: {{type: string}}}}}}\n")
    assert lines(found) == [("OAP604", 1)]


@pytest.mark.guarantee("config-observation")
@pytest.mark.parametrize(
    ("until", "told_of", "in_force"),
    [
        ("2026-06-01T12:00:01Z", None, True),
        ("2026-07-01T12:00:00Z", None, True),
        ("2026-07-01T12:00:01Z", "OAP605", False),
        ("2026-07-01", None, True),
        ("2026-07-02", "OAP605", False),
        ("2026-07-01T14:00:00+02:00", None, True),
        ("2026-06-01T12:00:00Z", "OAP322", False),
        ("2020-01-01", "OAP322", False),
        ("9999-12-31", "OAP605", False),
        ("tomorrow", "OAP204", False),
        ("2026-06-31", "OAP204", False),
        ("2026-06-10T12:00:00", "OAP204", False),
    ],
)
def test_an_observation_ends_soon_or_is_none(tmp_path: Path, until: str, told_of: str | None, in_force: bool) -> None:
    found = written(tmp_path, f"observe_until: '{until}'\n")
    assert [code for code, _ in lines(found)] == ([] if told_of is None else [told_of])
    assert (found.observe_until is not None) is in_force


def test_now_is_compared_at_the_latest_moment_of_the_calendar(tmp_path: Path) -> None:
    file = tmp_path / "oap.yaml"
    file.write_text("observe_until: 9999-12-30\n", encoding="utf-8")
    late = datetime(9999, 12, 20, tzinfo=UTC)
    assert load_config(file, tmp_path, late).observe_until == datetime(9999, 12, 30, tzinfo=UTC)
    assert load_config(file, tmp_path, late - timedelta(days=300)).observe_until is None


def test_the_nearest_configuration_is_found_within_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "oap.yaml").write_text("default: ask\n", encoding="utf-8")
    assert find_config(inner) is None
    (tmp_path / "repo" / ".git").mkdir()
    assert find_config(inner) is None
    top = tmp_path / "repo" / "oap.yaml"
    top.write_text("default: ask\n", encoding="utf-8")
    assert find_config(inner) == top
    (tmp_path / "repo" / "a" / "pyproject.toml").write_text("[tool.other]\nx = 'oap'\n", encoding="utf-8")
    assert find_config(inner) == top
    (tmp_path / "repo" / "a" / "pyproject.toml").write_text("[tool.oap]\n", encoding="utf-8")
    assert find_config(inner) == tmp_path / "repo" / "a" / "pyproject.toml"
    (tmp_path / "repo" / "a" / "oap.yml").write_text("default: ask\n", encoding="utf-8")
    assert find_config(inner) == tmp_path / "repo" / "a" / "oap.yml"
    assert find_config(tmp_path) == tmp_path / "oap.yaml"


def test_a_repository_within_another_ends_the_search(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "oap.yaml").write_text("default: ask\n", encoding="utf-8")
    inner = tmp_path / "vendor"
    inner.mkdir()
    # A linked work tree has a file there.
    (inner / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    assert find_config(inner) is None
    assert find_config(tmp_path) == tmp_path / "oap.yaml"


def test_a_broken_table_that_speaks_of_us_is_not_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool.oap]\ndefault = \n", encoding="utf-8")
    assert find_config(tmp_path) == file
    file.write_text("[tool.other]\ndefault = \n", encoding="utf-8")
    assert find_config(tmp_path) is None


@pytest.mark.parametrize("name", ["oap.yaml", "oap.yml", "pyproject.toml"])
def test_a_configuration_that_is_there_and_cannot_be_read_is_not_passed_over(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.symlink_to(tmp_path / "nothing")
    assert find_config(tmp_path) == file
    assert lines(load_config(file, tmp_path, NOW)) == [("OAP603", 1)]
    file.unlink()
    file.mkdir()
    assert find_config(tmp_path) == file
    assert lines(load_config(file, tmp_path, NOW)) == [("OAP112", 1)]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"[tool.oap]\n# \xff\n", "OAP108"),
        (b"[ tool . 'oap' ]\nrequired = [\n", "OAP101"),
        (b"tool.oap.required = [\n", "OAP101"),
        (b"[tool]\noap = {required = [\n", "OAP101"),
        ("[tool.oap]\n".encode("utf-16"), "OAP108"),
        (b"[tool.oap]\n" + b"# more\n" * 200_000 + b"required = ['base']\n", "OAP107"),
    ],
)
def test_a_table_that_nobody_can_read_to_its_end_is_not_passed_over(tmp_path: Path, content: bytes, code: str) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_bytes(content)
    assert find_config(tmp_path) == file
    assert [found for found, _ in lines(load_config(file, tmp_path, NOW))] == [code]


def test_a_key_with_an_escape_is_the_key_that_it_stands_for(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('["tool"."\\u006fap"]\n', encoding="utf-8")
    assert find_config(tmp_path) == tmp_path / "pyproject.toml"
