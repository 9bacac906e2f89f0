from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from oap_core.names import RuleAddress, ToolId, check_name


@pytest.mark.parametrize(
    ("text", "source", "name"),
    [
        ("payments/refund", "payments", "refund"),
        ("files/resources:read", "files", "resources:read"),
        ("s/löschen", "s", "löschen"),
        ("s/two words", "s", "two words"),
        ("a" * 127 + "/" + "b" * 128, "a" * 127, "b" * 128),
    ],
)
def test_a_tool_id_has_a_source_and_a_name(text: str, source: str, name: str) -> None:
    tool = ToolId(text)
    assert (tool, tool.source, tool.name) == (text, source, name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "refund",
        "/refund",
        "payments/",
        "payments//refund",
        "payments/re/fund",
        " payments/refund",
        "payments/refund ",
        "payments /refund",
        "payments/ refund",
        "payments/re\nfund",
        "payments/refund\0",
        "payments/\x1b[2Jrefund",
        "payments/\u202edunfer",
        "payments/re\u200bfund",
        "payments/re\u00a0fund",
        "payments/re\ufefffund",
        "payments/\ud800",
        "payments/lo\u0308schen",
        "p/" + "x" * 255,
    ],
)
def test_a_malformed_tool_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="tool id"):
        ToolId(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("payments/refund-cap", ("payments", "refund-cap", None)),
        ("2026-q4/EX-41", ("2026-q4", "EX-41", None)),
        ("core/default", ("core", "default", None)),
        ("a.b_c/d.e_f", ("a.b_c", "d.e_f", None)),
        ("plugin:oap-shell", (None, None, "oap-shell")),
        ("p" * 100 + "/" + "r" * 100, ("p" * 100, "r" * 100, None)),
    ],
)
def test_a_rule_address_has_a_policy_and_a_rule_or_a_plugin(text: str, parts: tuple[str | None, ...]) -> None:
    address = RuleAddress(text)
    assert address == text
    assert (address.policy, address.rule, address.plugin) == parts


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "payments",
        "/cap",
        "payments/",
        "payments/cap/x",
        "payments/cap\n",
        "payments/ cap",
        "-payments/cap",
        "payments/.cap",
        "payments/kapıcı",
        "plugin:",
        "plugin:a/b",
        "plugin/a:b",
        "p" * 101 + "/r",
        "p/" + "r" * 101,
    ],
)
def test_a_malformed_rule_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="rule address"):
        RuleAddress(text)


@pytest.mark.parametrize("kind", [ToolId, RuleAddress])
@pytest.mark.parametrize("value", [None, 1, b"a/b", ["a/b"]])
def test_a_name_is_text(kind: Any, value: object) -> None:
    with pytest.raises(TypeError, match="string"):
        kind(value)


@pytest.mark.parametrize("name", [ToolId("a/b"), RuleAddress("a/b")])
def test_a_name_behaves_as_its_text_and_carries_nothing_else(name: Any) -> None:
    assert {name: 1}["a/b"] == 1
    assert json.dumps([name]) == '["a/b"]'
    moved = pickle.loads(pickle.dumps(name))  # noqa: S301  # our own bytes
    assert (moved, type(moved)) == (name, type(name))
    with pytest.raises(AttributeError):
        name.source_ = "x"


def test_addresses_order_by_code_point() -> None:
    addresses = [RuleAddress(text) for text in ("b/a", "a/b", "a-x/a", "B/a", "a/a")]
    assert sorted(addresses) == ["B/a", "a-x/a", "a/a", "a/b", "b/a"]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("", "empty"),
        ("x" * 257, "longer"),
        ("a\nb", "control"),
        ("a\u202eb", "control"),
        (" a", "white space"),
        ("a ", "white space"),
        ("e\u0301", "normal form"),
    ],
)
def test_a_name_that_is_not_safe_to_print_is_refused_and_named(value: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^a role .*{error}") as caught:
        check_name(value, "a role")
    assert str(caught.value).isprintable()


def test_a_safe_name_comes_back_as_it_is() -> None:
    assert check_name("agent:vip-desk", "a subject id") == "agent:vip-desk"
    assert check_name("x" * 256, "a subject id") == "x" * 256
