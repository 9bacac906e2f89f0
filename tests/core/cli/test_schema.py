"""What `oap schema` prints and writes, as far as a transcript is too small for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft7Validator
from pydantic import BaseModel, ConfigDict

from oap_core import Effect, Kind, hookimpl, plugins
from oap_core.cli.schema import CONFIG
from oap_core.cli.verbs import oap
from oap_core.policy.documents import KINDS

OAP_API = 1


class Odd(BaseModel):
    model_config = ConfigDict(extra="forbid")
    """Settings that JSON Schema has no words for."""

    check: Callable[[int], int]


@hookimpl
def oap_effects() -> tuple[Effect, ...]:
    return (Effect("odd", Kind.OBSERVE, "acme-odd", model=Odd),)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "oap.yaml").write_text("plugins: [oap-authorization]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", [*KINDS, CONFIG])
def test_a_kind_is_printed_as_a_schema_and_nothing_is_written(project: Path, kind: str) -> None:
    result = CliRunner().invoke(oap, ["schema", "--kind", kind])
    assert (result.exit_code, result.stderr) == (0, "")
    schema = json.loads(result.stdout)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(schema)
    assert [path.name for path in project.iterdir()] == ["oap.yaml"]


def test_the_written_schemas_judge_files(project: Path) -> None:
    assert CliRunner().invoke(oap, ["schema"]).exit_code == 0
    policy, config = (
        Draft7Validator(json.loads((project / ".oap" / f"{name}.schema.json").read_text(encoding="utf-8")))
        for name in ("policy", "config")
    )
    rules = [{"id": "a", "effect": "deny"}]
    good = {"apiVersion": "oap/v1", "kind": "Policy", "metadata": {"name": "a", "owner": "b"}, "rules": rules}
    assert policy.is_valid(good)
    assert not policy.is_valid({**good, "rulez": []})
    assert config.is_valid({"default": "ask"})
    assert not config.is_valid({"default": "allow"})


def test_a_second_run_changes_no_byte(project: Path) -> None:
    runs = []
    for _ in range(2):
        assert CliRunner().invoke(oap, ["schema"]).exit_code == 0
        runs.append({path.name: path.read_bytes() for path in (project / ".oap").iterdir()})
    assert runs[0] == runs[1]
    assert set(runs[0]) == {"policy.schema.json", "config.schema.json"}


def test_mistakes_in_policies_keep_nobody_from_the_schema(project: Path) -> None:
    (project / "policies").mkdir()
    (project / "policies" / "a.yaml").write_text("rules: [", encoding="utf-8")
    assert CliRunner().invoke(oap, ["schema"]).exit_code == 0


def test_settings_without_a_schema_are_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = plugins.Installed("acme-odd", "odd", "1.0", EntryPoint("odd", __name__, "oap.plugins"))
    monkeypatch.setattr(plugins, "installed", lambda: (found,))
    (project / "oap.yaml").write_text("plugins: [acme-odd]\n", encoding="utf-8")
    result = CliRunner().invoke(oap, ["schema"])
    assert result.exit_code == 0
    told = "warning  JSON Schema has no words for the settings of `odd` from `acme-odd`; nothing in them is checked\n"
    assert result.stderr == told


def test_a_link_beside_a_file_leads_no_text_elsewhere(project: Path) -> None:
    other = project / "mine.txt"
    other.write_text("mine", encoding="utf-8")
    (project / ".oap").mkdir()
    (project / ".oap" / "policy.schema.json.new").symlink_to(other)
    (project / ".oap" / "config.schema.json").symlink_to(other)
    assert CliRunner().invoke(oap, ["schema"]).exit_code == 0
    assert other.read_text(encoding="utf-8") == "mine"
    names = ["config.schema.json", "policy.schema.json"]
    assert sorted(path.name for path in (project / ".oap").iterdir() if not path.is_symlink()) == names
