"""What an editor shows about policy files: the schema of `oap schema` in the real language server for YAML."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from textwrap import indent
from typing import Any, Final

import pytest

from oap_core.cel.library import FUNCTIONS
from oap_core.config.model import ConfigModel
from oap_core.plugins import installed, load_plugins
from oap_core.policy.schema import files_schema, model_schema
from tests.editors.installed import yaml_language_server
from tests.editors.pager import PAGER
from tests.editors.server import LanguageServer, Place

RULE: Final = """\
apiVersion: oap/v1
kind: Policy
metadata: {name: payments, owner: payments-team}
rules:
  - id: first
"""
NUMBERS: Final = count(1)
ASK: Final = {"approvers", "timeout", "quorum", "show", "standing"}


def schemas(folder: Path) -> dict[str, str]:
    """Write the two schemas, and say which files each is for."""
    own = [one for one in installed() if one.distribution == "oap-authorization"]
    plugins = load_plugins(["oap-authorization", "acme-pager"], FUNCTIONS, [*own, PAGER])
    assert not plugins.problems
    policy, config = folder / "policy.schema.json", folder / "config.schema.json"
    policy.write_text(json.dumps(files_schema(plugins.effects).schema), encoding="utf-8")
    config.write_text(json.dumps(model_schema(ConfigModel)), encoding="utf-8")
    return {policy.as_uri(): "policies/*.yaml", config.as_uri(): "oap.yaml"}


def settings(mapping: dict[str, str]) -> dict[str, Any]:
    """The settings of an editor that fetches nothing from anywhere."""
    away = {"enable": False}
    return {
        "yaml": {
            "schemas": mapping,
            "validate": True,
            "hover": True,
            "completion": True,
            "schemaStore": away,
            "kubernetesCRDStore": away,
        },
        "editor": {"tabSize": 2, "detectIndentation": False},
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LanguageServer]:
    command = yaml_language_server()
    root = tmp_path_factory.mktemp("project")
    with LanguageServer(command, root, settings(schemas(root))) as running:
        # It takes its settings in when it likes; from the first mark on it has them.
        running.wait_for_marks(running.open("policies/of-0.yaml", f"{RULE}    efect: deny\n"))
        yield running


@pytest.fixture
def name() -> str:
    """A file of its own for each test, since the server remembers what is open."""
    return f"policies/of-{next(NUMBERS)}.yaml"


def rule(text: str) -> Place:
    """A policy with one rule that goes on with these lines."""
    return Place.marked(RULE + indent(text, "    "))


def found(server: LanguageServer, name: str, text: str) -> list[tuple[int, int, str]]:
    """Line, column (both from 1) and message of everything that is marked."""
    return [
        (one["range"]["start"]["line"] + 1, one["range"]["start"]["character"] + 1, one["message"])
        for one in server.diagnostics(server.open(name, text))
    ]


@pytest.mark.guarantee("files-editor")
@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("efect: deny\neffect: deny\n", 6, "efect"),
        ("effect: ask\nwith: {timeot: 10m}\n", 7, "timeot"),
        ("effect: ask\nwith:\n  timeout: 10m\n  quorom: 2\n", 9, "quorom"),
        ("effect: page\nwith: {team: a, urgncy: loud}\n", 7, "urgncy"),
        ("effect: page\nwith:\n  team: a\n  window: {begin: 8, end: 18, midle: 12}\n", 9, "midle"),
        ("effect: allow\nwith: {reason: none}\n", 7, "reason"),
        ("effect: deny\nmatch: {tool: [a/b]}\n", 7, "tool:"),
    ],
)
def test_an_unknown_key_is_marked_where_it_stands(
    server: LanguageServer, name: str, text: str, line: int, word: str
) -> None:
    whole = rule(text).text
    column = whole.splitlines()[line - 1].index(word) + 1
    [(found_line, found_column, message)] = found(server, name, whole)
    assert (found_line, found_column) == (line, column)
    assert word.rstrip(":") in message


@pytest.mark.parametrize(
    ("text", "line", "word", "message"),
    [
        ("effect: redact\n", 6, "redact", "allow"),
        ("effect: alow\n", 6, "alow", "allow"),
        ("effect: ask\nwith: {timeout: soon}\n", 7, "soon", "a duration is a number with its unit"),
        ("effect: ask\nwith: {quorum: 21}\n", 7, "21", "20"),
        ("effect: ask\nstage: result\n", 7, "result", "call"),
        ("effect: allow\nexpires: tomorrow\n", 7, "tomorrow", "a moment is written"),
        ("effect: deny\nmatch: {tools: [shell]}\n", 7, "shell", "`source/name`"),
        ("effect: page\nwith: {team: 7}\n", 7, "7", "string"),
    ],
)
def test_a_value_that_cannot_be_is_marked(
    server: LanguageServer, name: str, text: str, line: int, word: str, message: str
) -> None:
    whole = rule(text).text
    [(found_line, column, said)] = found(server, name, whole)
    assert (found_line, column) == (line, whole.splitlines()[line - 1].index(word) + 1)
    assert message in said


@pytest.mark.parametrize(
    "text",
    [
        "effect: allow\n",
        "effect: deny\nstage: result\nwaivable: true\nwhen: result.is_error\n",
        'effect: ask\nwith: {approvers: [lead], timeout: 1h30m, quorum: 2, show: ["args.to"], standing: true}\n',
        "effect: page\nwith: {team: platform, window: {begin: 8, end: 18}}\n",
        "effect: allow\nexpires: 2026-12-31T23:59:59Z\n",
    ],
)
def test_a_good_rule_is_left_alone(server: LanguageServer, name: str, text: str) -> None:
    assert found(server, name, rule(text).text) == []


def test_settings_that_are_needed_are_asked_for(server: LanguageServer, name: str) -> None:
    [(line, _, message)] = found(server, name, rule("effect: page\n").text)
    assert line >= 5
    assert "with" in message


def test_the_keys_of_ask_are_completed(server: LanguageServer, name: str) -> None:
    offered = server.completions(name, rule("effect: ask\nwith:\n  ¦\n"))
    assert set(offered) == ASK
    assert "How long the question stands" in json.dumps(offered["timeout"])


def test_keys_that_are_there_are_not_offered_again(server: LanguageServer, name: str) -> None:
    offered = server.completions(name, rule("effect: ask\nwith:\n  timeout: 10m\n  ¦\n"))
    assert set(offered) == ASK - {"timeout"}


@pytest.mark.guarantee("files-editor")
def test_the_keys_of_another_plugin_are_completed(server: LanguageServer, name: str) -> None:
    offered = server.completions(name, rule("effect: page\nwith:\n  ¦\n"))
    # The server offers all keys that are needed at once as well, under the name of the definition.
    assert set(offered) - {"with-page"} == {"team", "urgency", "window"}
    assert "The team that is on call." in json.dumps(offered["team"])


def test_keys_deep_in_the_settings_of_another_plugin_are_completed(server: LanguageServer, name: str) -> None:
    offered = server.completions(name, rule("effect: page\nwith:\n  team: a\n  window:\n    ¦\n"))
    assert {"begin", "end"} <= set(offered)


def test_values_of_settings_are_completed(server: LanguageServer, name: str) -> None:
    offered = server.completions(name, rule("effect: page\nwith:\n  team: a\n  urgency: ¦\n"))
    assert {"quiet", "loud"} <= set(offered)


def test_effects_are_completed_with_what_they_are(server: LanguageServer, name: str) -> None:
    offered = server.completions(name, rule("effect: ¦\n"))
    assert set(offered) == {"allow", "ask", "deny", "observe", "page"}
    assert "Kind `wall`, from `oap-authorization`" in json.dumps(offered["deny"])
    assert "Kind `observe`, from `acme-pager`" in json.dumps(offered["page"])


def test_a_new_file_begins_with_a_kind(server: LanguageServer, name: str) -> None:
    offered = server.completions(name, Place.marked("apiVersion: oap/v1\nkind: ¦\n"))
    assert set(offered) == {"Policy", "Exceptions", "PolicyTest", "Catalog"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("effect: ask\nwith: {time¦out: 10m}\n", "How long the question stands; no yes counts afterwards."),
        ("effect: page\nwith: {te¦am: a}\n", "The team that is on call."),
        ("effect: page\nwith: {team: a, window: {beg¦in: 8, end: 18}}\n", "First hour of the day."),
        ("effect: deny\nmes¦sage: none of that\n", "What the model is told"),
        ("effect: allow\nmatch: {too¦ls: [fs/read]}\n", "Patterns of tool ids"),
    ],
)
def test_hover_shows_the_docstring(server: LanguageServer, name: str, text: str, shown: str) -> None:
    assert shown in server.hover(name, rule(text))


def test_the_configuration_has_a_schema_of_its_own(server: LanguageServer) -> None:
    [(line, column, message)] = found(server, "oap.yaml", "default: ask\npolices: [policies]\n")
    assert (line, column) == (2, 1)
    assert "polices" in message


@pytest.mark.parametrize(
    "text",
    [
        "fixtures: {alice: {id: alice}}\n",
        "apiVersion: oap/v1\nkind: PolicyTest\ntests: [{name: a, call: {tool: fs/read}, expect: deny}]\n",
        "apiVersion: oap/v1\nkind: Catalog\nmetadata: {name: c, owner: o}\ntools: [{id: fs/read, reach: read}]\n",
    ],
)
def test_other_kinds_of_files_are_known(server: LanguageServer, name: str, text: str) -> None:
    assert found(server, name, text) == []


def test_the_first_line_of_a_file_is_enough(tmp_path: Path) -> None:
    command = yaml_language_server()
    (tmp_path / ".oap").mkdir()
    schemas(tmp_path / ".oap")
    first = "# yaml-language-server: $schema=../.oap/policy.schema.json\n"
    with LanguageServer(command, tmp_path, settings({})) as running:
        [(line, column, message)] = found(
            running, "policies/a.yaml", f"{first}{RULE}    efect: deny\n    effect: deny\n"
        )
    assert (line, column) == (7, 5)
    assert "efect" in message
