"""A configuration, its plugins and its policies, loaded together from a folder."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from oap_core.config import find_config
from oap_core.decision import Default
from oap_core.errors import ConfigError, PolicyError
from oap_core.frozen import freeze_object
from oap_core.policy.facts import SessionFacts
from oap_core.policy.ruleset import RuleSet
from oap_core.project import Project, load_project, load_rules
from oap_core.types import Subject
from tests.core.policy.deciding import NOW, call, catalog, decide, policy
from tests.core.policy.distributions import Install, install

__all__ = ["install"]

OPEN: Final = policy("- {id: open, effect: allow, match: {tools: ['fs/*']}}")
Folder = Callable[..., Project]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Lets a test write files, and loads the project that they make."""

    def load(**files: str) -> Project:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_yaml", ".yaml").replace("_toml", ".toml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return load_project(find_config(tmp_path), tmp_path, NOW)

    return load


def good(project: Project) -> RuleSet:
    assert project.rules is not None, project.diagnostics
    return project.rules


def told(project: Project) -> list[tuple[str, str, int]]:
    """Code, name of the file and line of each error."""
    return [
        (str(one.code), Path(one.file or "").name, one.line)
        for one in project.diagnostics
        if one.severity.value == "error"
    ]


@pytest.mark.guarantee("config-strict")
def test_without_a_configuration_the_folder_of_policies_is_in_force(folder: Folder) -> None:
    rules = good(folder(policies__a_yaml=OPEN))
    assert decide(rules, call("fs/read")) == "allow p/open"
    assert decide(rules, call("mail/send")) == "deny core/default"


def test_without_any_policy_nothing_runs(folder: Folder, tmp_path: Path) -> None:
    project = folder()
    assert project.rules is None or decide(project.rules, call()) == "deny core/default"
    (tmp_path / "policies").mkdir()
    empty = folder()
    assert empty.rules is None or decide(empty.rules, call()) == "deny core/default"


def test_what_the_configuration_says_holds(folder: Folder) -> None:
    rules = good(
        folder(
            oap_yaml="policies: [mine]\ncatalog: [known.yaml]\ndefault: ask\nobserve_until: 2026-06-05\n",
            mine__a_yaml=OPEN,
            known_yaml=catalog("- {id: fs/read}"),
            policies__b_yaml="not: a policy\n",
        )
    )
    assert rules.default is Default.ASK
    assert decide(rules, call("fs/read")) == "allow p/open"
    assert decide(rules, call("fs/write")) == "ask core/default"
    assert rules.decide(call("fs/write")).observing
    assert not rules.decide(call("fs/write", now=NOW + timedelta(days=4))).observing


def test_a_table_in_pyproject_does_as_well(folder: Folder) -> None:
    project = folder(pyproject_toml="[tool.oap]\npolicies = ['mine']\nrequired = ['p', 'q']\n", mine__a_yaml=OPEN)
    assert told(project) == [("OAP314", "pyproject.toml", 3)]


@pytest.mark.guarantee("config-strict")
def test_everything_that_is_wrong_anywhere_is_told_at_once(folder: Folder) -> None:
    project = folder(
        oap_yaml=(
            "plugins:\n  - oap-authorization\n  - oap-nothing\ncatalog: [gone.yaml]\n"
            "required:\n  - base\nreserved:\n  - {tools: ['pay/*'], policies: [payments]}\n"
        ),
        policies__a_yaml=policy("- {id: a, effect: alow}\n- {id: b, effect: deny, when: args.n >}"),
        policies__b_yaml="apiVersion: oap/v1\nkind: Policy\nkind: Policy\n",
    )
    assert project.rules is None
    found = told(project)
    for one in [
        ("OAP601", "oap.yaml", 3),
        ("OAP303", "a.yaml", 6),
        ("OAP102", "b.yaml", 3),
    ]:
        assert one in found
    assert {file for _, file, _ in found} >= {"oap.yaml", "a.yaml", "b.yaml"}
    # A file that is not there is told where it is named.
    assert ("OAP603", "oap.yaml", 4) in found
    assert any(code.startswith("CEL") and line == 7 for code, _, line in found)


@pytest.mark.guarantee("config-required")
def test_a_required_policy_that_is_missing_is_a_failed_load(folder: Folder) -> None:
    config = "required:\n  - p\n  - base-rules\n"
    project = folder(oap_yaml=config, policies__a_yaml=OPEN)
    assert (project.rules, told(project)) == (None, [("OAP314", "oap.yaml", 3)])
    near = folder(policies__b_yaml=policy("- {id: w, effect: deny}", name="base-rule"))
    assert [one.help for one in near.diagnostics] == ["did you mean `base-rule`?"]
    good(folder(policies__b_yaml=policy("- {id: w, effect: deny}", name="base-rules")))


RESERVED: Final = "reserved:\n  - {tools: ['pay/*', 'bank/wire'], policies: [payments]}\n"


@pytest.mark.guarantee("config-reserved")
@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("{id: r, effect: allow, match: {tools: [pay/refund]}}", True),
        ("{id: r, effect: allow, match: {tools: ['*/refund']}}", True),
        ("{id: r, effect: allow, match: {tools: [fs/read, 'p*/x']}}", True),
        ("{id: r, effect: allow, match: {sources: [pay]}}", True),
        ("{id: r, effect: allow, match: {tags: [x]}}", True),
        ("{id: r, effect: allow, match: {tools: [bank/wire]}, mode: shadow}", True),
        ("{id: r, effect: allow}", True),
        ("{id: r, effect: allow, match: {tools: [bank/look, 'payments/*']}}", False),
        ("{id: r, effect: allow, match: {sources: [fs]}}", False),
        ("{id: r, effect: deny, match: {tools: [pay/refund]}}", False),
        ("{id: r, effect: ask}", False),
    ],
)
def test_a_grant_of_a_reserved_tool_elsewhere_is_a_failed_load(folder: Folder, rule: str, wrong: bool) -> None:
    project = folder(
        oap_yaml=RESERVED,
        policies__pay_yaml=policy("- {id: pay, effect: allow, match: {tools: ['pay/*']}}", name="payments"),
        policies__a_yaml=policy(f"- {rule}"),
    )
    assert told(project) == ([("OAP313", "a.yaml", 6)] if wrong else [])
    if not wrong:
        assert decide(good(project), call("pay/refund")) in ("allow payments/pay", "deny p/r", "ask p/r")
        assert decide(good(project), call("bank/wire")) != "allow p/r"


def test_tools_that_are_reserved_for_nobody_who_is_there_are_told(folder: Folder) -> None:
    project = folder(oap_yaml=RESERVED, policies__a_yaml=OPEN)
    assert told(project) == [("OAP606", "oap.yaml", 2)]


TYPED: Final = """\
subject:
  attributes:
    level: {type: integer}
    region: {type: string, enum: [eu, us]}
    team: {type: string, optional: true}
session:
  attributes:
    case_id: {type: string}
"""


@pytest.mark.guarantee("config-typed")
@pytest.mark.parametrize(
    "condition",
    [
        "subject.level > 3",
        "subject.region == 'eu'",
        "has(subject.team) && subject.team == 'a'",
        "session.case_id == args.case_id",
        "'ops' in subject.roles && session.id != ''",
    ],
)
def test_declared_attributes_can_be_read(folder: Folder, condition: str) -> None:
    good(folder(oap_yaml=TYPED, policies__a_yaml=policy(f'- {{id: r, effect: deny, when: "{condition}"}}')))


@pytest.mark.guarantee("config-typed")
@pytest.mark.parametrize(
    "condition",
    [
        "subject.levels > 3",
        "subject.level == 'high'",
        "subject.level.startsWith('3')",
        "subject.region == 'asia'",
        "subject.team == 'a'",
        "session.caseid == args.case_id",
        "subject.tenant == 'a'",
        "session.level > 3",
        "subject.roles == 'ops'",
    ],
)
def test_what_is_not_declared_or_of_another_type_does_not_load(folder: Folder, condition: str) -> None:
    project = folder(oap_yaml=TYPED, policies__a_yaml=policy(f'- {{id: r, effect: deny, when: "{condition}"}}'))
    assert project.rules is None
    assert [(code[:3], file, line) for code, file, line in told(project)] == [("CEL", "a.yaml", 6)]


def test_a_host_that_gives_other_attributes_than_it_declared_loosens_nothing(folder: Folder) -> None:
    rules = good(
        folder(
            oap_yaml=TYPED,
            policies__a_yaml=policy(
                "- {id: open, effect: allow}\n- {id: wall, effect: deny, when: subject.level < 3}\n"
                "- {id: case, effect: deny, when: session.case_id != args.case_id}"
            ),
        )
    )
    session = SessionFacts("s", "i", attributes=freeze_object({"case_id": "C1"}))

    def by(attributes: dict[str, object], session: SessionFacts = session) -> str:
        subject = Subject("kim", attributes=freeze_object(attributes))
        return decide(rules, call(args={"case_id": "C1"}, subject=subject, session=session))

    assert by({"level": 3}) == "allow p/open"
    assert by({"level": 2}) == "deny p/wall"
    some_odd: list[dict[str, object]] = [{}, {"level": "3"}, {"level": None}, {"level": [9]}, {"Level": 3}]
    for odd in some_odd:
        assert by(odd) == "deny p/wall"
    assert by({"level": 3}, SessionFacts("s", "i")) == "deny p/case"
    # No attribute of a session replaces what the host says of it.
    for name in ("id", "issuer", "labels", "workspace", "started"):
        with pytest.raises(ValueError, match=f"cannot be called `{name}`"):
            SessionFacts("s", "i", attributes=freeze_object({"case_id": "C1", name: "other"}))
    with pytest.raises(TypeError, match="frozen set"):
        SessionFacts("s", "i", labels={"untrusted"})  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize(("fold", "verdict"), [("true", "allow p/open"), ("false", "deny core/default")])
def test_paths_compare_as_the_configuration_says(folder: Folder, fold: str, verdict: str) -> None:
    rules = good(
        folder(
            oap_yaml=f"paths: {{fold_case: {fold}, windows: false}}\n",
            policies__a_yaml=policy("- {id: open, effect: allow, when: \"within(args.path, '/srv/app')\"}"),
        )
    )
    assert decide(rules, call(args={"path": "/srv/App/x"})) == verdict
    assert decide(rules, call(args={"path": "/srv/app/x"})) == "allow p/open"


def test_the_file_system_and_the_versions_of_plugins_are_part_of_the_revision(folder: Folder) -> None:
    def revision(config: str) -> str:
        return good(folder(oap_yaml=config, policies__a_yaml=OPEN)).revision

    first = revision("paths: {fold_case: true, windows: false}\n")
    assert revision("paths: {fold_case: false, windows: false}\n") != first
    assert revision("paths: {fold_case: true, windows: true}\n") != first
    assert revision("# nothing new\npaths: {windows: false, fold_case: true}\nrequired: [p]\n") == first
    assert revision("plugins: [oap-authorization]\npaths: {fold_case: true, windows: false}\n") is not None


def test_a_plugin_that_cannot_be_used_is_told_where_it_is_enabled(folder: Folder, install: Install) -> None:
    install("acme-odd", "raise SystemExit")
    project = folder(oap_yaml="default: deny\nplugins:\n  - acme-odd\n", policies__a_yaml=OPEN)
    assert ("OAP602", "oap.yaml", 3) in told(project)
    assert project.rules is None


def test_an_effect_of_a_plugin_that_is_not_enabled_says_which_offers_it(folder: Folder) -> None:
    project = folder(oap_yaml="plugins: []\n", policies__a_yaml=OPEN)
    [problem] = [one for one in project.diagnostics if str(one.code) == "OAP303"]
    assert "`oap-authorization`" in (problem.help or "")


def test_a_host_gets_rules_or_an_exception_that_holds_everything(folder: Folder, tmp_path: Path) -> None:
    folder(policies__a_yaml=OPEN)
    assert decide(load_rules(tmp_path, NOW), call("fs/read")) == "allow p/open"
    folder(policies__a_yaml=policy("- {id: a, effect: allow, when: args.n >}\n- {id: b, effect: nope}"))
    with pytest.raises(PolicyError) as raised:
        load_rules(tmp_path, NOW)
    assert len(raised.value.diagnostics) == 2
    assert all((Path(one.file or "").name, one.line > 5) == ("a.yaml", True) for one in raised.value.diagnostics)
    folder(oap_yaml="defaults: deny\n", policies__a_yaml=OPEN)
    with pytest.raises(ConfigError) as wrong:
        load_rules(tmp_path, NOW)
    assert [str(one.code) for one in wrong.value.diagnostics] == ["OAP201"]
    folder(oap_yaml="plugins: [oap-nothing]\n")
    with pytest.raises(ConfigError):
        load_rules(tmp_path / "oap.yaml", NOW)


def test_a_folder_that_is_not_there_and_a_moment_without_an_offset_are_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not there"):
        load_rules(tmp_path / "nowhere", NOW)
    with pytest.raises(ValueError, match="offset from UTC"):
        load_rules(tmp_path, NOW.replace(tzinfo=None))


def test_a_path_can_be_a_text(folder: Folder, tmp_path: Path) -> None:
    folder(policies__a_yaml=OPEN)
    assert load_rules(str(tmp_path), NOW).rule("p/open") is not None


def test_a_name_that_no_file_can_have_is_told(folder: Folder) -> None:
    found = folder(oap_yaml='policies: ["policies", "a\\0b.yaml"]\n', policies__a_yaml=OPEN)
    assert [code for code, _, _ in told(found)] == ["OAP112"]
    assert found.rules is None


def test_what_may_be_a_folder_and_cannot_be_looked_at_is_told(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "policies" / "locked").mkdir(parents=True)
    is_dir = Path.is_dir

    def refuse(path: Path) -> bool:
        if path.name == "locked":
            raise PermissionError
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", refuse)
    assert folder(policies__a_yaml=OPEN).rules is None
