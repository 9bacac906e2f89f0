from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest

from oap_core import types
from oap_core.frozen import EMPTY, JsonObject, freeze_object
from oap_core.names import ToolId
from oap_core.types import MediaPart, Reach, SessionRef, Stage, Subject, TextPart, ToolCall, ToolResult, View

TOOL = ToolId("payments/refund")
SECRET = "hunter2-secret"


def test_the_closed_words_are_these() -> None:
    assert [one.value for one in Stage] == ["prompt", "call", "result"]
    assert [one.value for one in View] == ["original", "effective"]
    assert [one.value for one in Reach] == ["read", "idempotent", "write", "external", "unknown"]


def test_only_a_read_and_an_idempotent_tool_may_run_twice() -> None:
    assert {one for one in Reach if one.repeatable} == {Reach.READ, Reach.IDEMPOTENT}


def test_a_call_holds_its_arguments_frozen() -> None:
    given = {"amount": 20, "to": ["a"]}
    call = ToolCall.of("call-1", "payments/refund", given)
    given["amount"] = 2000
    assert call.arguments == {"amount": 20, "to": ["a"]}
    assert (call.id, call.tool, call.tool.source) == ("call-1", TOOL, "payments")
    arguments: Any = call.arguments
    with pytest.raises(TypeError, match="cannot change"):
        arguments["to"].append("b")


def test_equal_calls_are_equal() -> None:
    assert ToolCall.of("1", "a/b", {"x": [1]}) == ToolCall("1", ToolId("a/b"), freeze_object({"x": [1]}))
    assert ToolCall.of("1", "a/b", {"x": [1]}) != ToolCall.of("1", "a/b", {"x": [2]})


@pytest.mark.parametrize(
    ("call_id", "tool", "arguments"),
    [
        (1, TOOL, EMPTY),
        ("1", "payments/refund", EMPTY),
        ("1", None, EMPTY),
        ("1", TOOL, {}),
        ("1", TOOL, None),
        ("1", TOOL, []),
    ],
)
def test_a_call_takes_no_value_that_nobody_has_checked(call_id: Any, tool: Any, arguments: Any) -> None:
    with pytest.raises(TypeError):
        ToolCall(call_id, tool, arguments)


@pytest.mark.parametrize("call_id", ["", " ", "a\nb", "x" * 300])
def test_a_call_id_is_a_name(call_id: str) -> None:
    with pytest.raises(ValueError, match="call id"):
        ToolCall(call_id, TOOL, EMPTY)


@pytest.mark.parametrize("arguments", [{"x": {1, 2}}, {1: 2}, [1], None, {"x": float("nan")}])
def test_arguments_are_a_json_object(arguments: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        ToolCall.of("1", "payments/refund", arguments)


def test_a_result_has_parts() -> None:
    picture = MediaPart("image/png", b"\x89PNG")
    result = ToolResult((TextPart("done"), picture), structured=freeze_object({"ok": True}))
    assert result.parts == (TextPart("done"), picture)
    assert not result.is_error
    assert result.structured == {"ok": True}
    assert ToolResult.of_text("no", is_error=True) == ToolResult((TextPart("no"),), is_error=True)
    assert ToolResult(()).parts == ()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: ToolResult([TextPart("a")]),  # type: ignore[arg-type]  # on purpose
        lambda: ToolResult(("a",)),  # type: ignore[arg-type]  # on purpose
        lambda: ToolResult((), is_error=1),  # type: ignore[arg-type]  # on purpose
        lambda: ToolResult((), structured={}),  # type: ignore[arg-type]  # on purpose
        lambda: TextPart(b"a"),  # type: ignore[arg-type]  # on purpose
        lambda: MediaPart("image/png", "a"),  # type: ignore[arg-type]  # on purpose
        lambda: MediaPart(None, b"a"),  # type: ignore[arg-type]  # on purpose
        lambda: Subject(1),  # type: ignore[arg-type]  # on purpose
        lambda: Subject("a", roles={"r"}),  # type: ignore[arg-type]  # on purpose
        lambda: Subject("a", roles=frozenset({1})),  # type: ignore[arg-type]  # on purpose
        lambda: Subject("a", on_behalf_of=1),  # type: ignore[arg-type]  # on purpose
        lambda: Subject("a", attributes={}),  # type: ignore[arg-type]  # on purpose
        lambda: SessionRef(1, "a"),  # type: ignore[arg-type]  # on purpose
        lambda: SessionRef("a", None),  # type: ignore[arg-type]  # on purpose
    ],
)
def test_a_field_of_another_type_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_a_subject_comes_with_roles_and_attributes() -> None:
    subject = Subject("agent:desk", frozenset({"support"}), "user:7", freeze_object({"region": "eu"}))
    assert (subject.id, subject.on_behalf_of) == ("agent:desk", "user:7")
    assert subject.roles == frozenset({"support"})
    assert subject.attributes == {"region": "eu"}
    assert Subject("a") == Subject("a", frozenset(), None, EMPTY)


@pytest.mark.parametrize("name", ["id", "roles", "on_behalf_of"])
def test_no_attribute_hides_who_the_subject_is(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Subject("agent", attributes=freeze_object({name: "admin"}))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Subject(""),
        lambda: Subject("a\x1b"),
        lambda: Subject("a", roles=frozenset({""})),
        lambda: Subject("a", on_behalf_of=""),
        lambda: SessionRef("", "a"),
        lambda: SessionRef("a", ""),
        lambda: SessionRef("a", "b\n"),
        lambda: MediaPart("", b""),
    ],
)
def test_what_names_somebody_is_a_name(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"empty|control"):
        wrong()


def test_two_issuers_do_not_meet_in_one_session_id() -> None:
    assert SessionRef("slack", "1") != SessionRef("mail", "1")
    assert len({SessionRef("slack", "1"), SessionRef("slack", "1"), SessionRef("mail", "1")}) == 2


def test_no_content_shows_in_a_repr() -> None:
    values = [
        ToolCall.of("1", "a/b", {"password": SECRET}),
        ToolResult((TextPart(SECRET), MediaPart("a/b", SECRET.encode())), structured=freeze_object({"a": SECRET})),
        Subject("a", attributes=freeze_object({"token": SECRET})),
    ]
    assert not [value for value in values if SECRET in repr(value) or SECRET in str(value)]


VALUES: list[Any] = [
    ToolCall.of("1", "a/b", {}),
    TextPart("a"),
    MediaPart("a/b", b""),
    ToolResult(()),
    Subject("a"),
    SessionRef("a", "b"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_is_frozen_and_slotted(value: Any) -> None:
    for field in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        value.extra = 1
    assert not hasattr(value, "__dict__")


def test_every_public_dataclass_is_checked_above() -> None:
    public = {name for name in types.__all__ if is_dataclass(getattr(types, name))}
    assert public == {type(value).__name__ for value in VALUES}


def test_the_arguments_of_a_call_read_as_a_plain_dictionary() -> None:
    arguments = ToolCall.of("1", "a/b", {"x": {"y": [1]}}).arguments
    assert isinstance(arguments, dict)
    assert isinstance(arguments, JsonObject)
    inner = arguments["x"]
    assert isinstance(inner, dict)
    assert isinstance(inner["y"], list)
