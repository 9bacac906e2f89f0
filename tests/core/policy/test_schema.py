"""The schemas that editors use: never stricter than the loader, and as strict about keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pydantic import BaseModel

from oap_core import Effect, Kind
from oap_core.cel.library import FUNCTIONS
from oap_core.config.model import ConfigModel
from oap_core.plugins import load_plugins
from oap_core.policy.assemble import assemble
from oap_core.policy.documents import KINDS
from oap_core.policy.files import gather
from oap_core.policy.load import read
from oap_core.policy.model.fields import FileModel
from oap_core.policy.report import failed
from oap_core.policy.schema import files_schema, kind_schema, model_schema
from oap_core.policy.setup import Setup, core_effects
from oap_core.policy.shape import plain, validate
from tests.core.policy.good_files import GOOD, HOST, PAUSE, POLICY

ROOT: Final = Path(__file__).parents[3]
POLICIES: Final = sorted((ROOT / "policies").rglob("*.yaml"))


class Unspeakable(BaseModel):
    """Settings that JSON Schema has no words for."""

    check: Callable[[int], int]


PLAIN: Final = load_plugins(["oap-authorization"], FUNCTIONS).effects
EFFECTS: Final = {**PLAIN, "pause": PAUSE}
FILES: Final = Draft7Validator(files_schema(EFFECTS).schema)
CONFIG: Final = Draft7Validator(model_schema(ConfigModel))

Path_ = tuple[str | int, ...]
# Below these anything may stand.
FREE: Final = {
    "annotations", "args", "constants", "fixtures", "input_schema", "items", "labels", "matrix", "output_schema",
    "session", "subject", "variables",
}  # fmt: skip


def loads(name: str, document: dict[str, Any]) -> bool:
    """Whether the loader takes a document in the place of the good one of that name."""
    texts = {**GOOD, name: document}
    if name != "exceptions":
        # They need the policy as it is.
        del texts["exceptions"]
    files = [read(json.dumps(text, ensure_ascii=False), f"{one}.yaml") for one, text in texts.items()]
    return not failed(assemble(files, Setup(EFFECTS)).diagnostics)


def configures(document: dict[str, Any]) -> bool:
    root = read(json.dumps(document, ensure_ascii=False)).root
    assert root is not None
    return not isinstance(validate(ConfigModel, root, None), list)


def test_the_good_files_are_good() -> None:
    assert [name for name, document in GOOD.items() if not loads(name, document)] == []
    assert configures(HOST)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_file_is_accepted(name: str) -> None:
    assert list(FILES.iter_errors(GOOD[name])) == []


@pytest.mark.parametrize("document", [HOST, {}], ids=["full", "empty"])
def test_a_good_configuration_is_accepted(document: dict[str, Any]) -> None:
    assert list(CONFIG.iter_errors(document)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_of_one_kind_takes_files_of_that_kind_alone(kind: str) -> None:
    validator = Draft7Validator(kind_schema(kind, EFFECTS).schema)
    taken = [name for name, document in GOOD.items() if validator.is_valid(document)]
    assert [GOOD[name]["kind"] for name in taken] == [kind]


@pytest.mark.parametrize("file", POLICIES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_the_policies_of_the_project_are_accepted(file: Path) -> None:
    [document] = gather([file])
    assert document.root is not None
    assert not document.problems
    validator = CONFIG if file.name == "oap.yaml" else FILES
    assert [error.message for error in validator.iter_errors(plain(document.root))] == []


@pytest.mark.parametrize(
    "schema",
    [
        files_schema(EFFECTS).schema,
        files_schema(core_effects()).schema,
        model_schema(ConfigModel),
        *(kind_schema(kind, EFFECTS).schema for kind in KINDS),
    ],
)
def test_a_schema_is_one_of_draft_7(schema: dict[str, Any]) -> None:
    Draft7Validator.check_schema(schema)
    text = json.dumps(schema)
    assert "$defs" not in text
    assert "prefixItems" not in text
    used = {node["$ref"] for node in nodes(schema) if "$ref" in node}
    assert {ref.removeprefix("#/definitions/") for ref in used} <= schema["definitions"].keys()
    assert [node for node in nodes(schema) if "$ref" in node and len(node) > 1] == []


def test_every_mapping_with_known_keys_is_shut() -> None:
    definitions = files_schema(EFFECTS).schema["definitions"]
    models = [one for one in definitions.values() if one.get("type") == "object"]
    assert len(models) > 15
    assert [one for one in models if one.get("additionalProperties") is not False] == []


def nodes(schema: object) -> Iterator[dict[str, Any]]:
    pending = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            yield node
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)


def mappings(node: object, path: Path_ = ()) -> Iterator[Path_]:
    """The paths of the mappings whose keys the format knows."""
    if isinstance(node, dict):
        yield path
        for key, value in node.items():
            if key not in FREE or (path in ((), ("subject",), ("session",)) and key == "attributes"):
                yield from mappings(value, (*path, key))
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from mappings(value, (*path, number))


def at(document: Any, path: Path_) -> Any:
    for step in path:
        document = document[step]
    return document


UNKNOWN: Final = [(name, path) for name, document in GOOD.items() for path in mappings(document)]


@pytest.mark.parametrize(("name", "path"), UNKNOWN)
def test_an_unknown_key_is_refused_by_both(name: str, path: Path_) -> None:
    document = deepcopy(GOOD[name])
    at(document, path)["unknwon"] = "x"
    assert not FILES.is_valid(document)
    # What a model of a plugin passes over is its plugin's affair, and the schema marks it all the same.
    if path[-1:] != ("with",) or at(document, path[:-1])["effect"] != "pause":
        assert not loads(name, document)


def test_there_are_unknown_keys_at_every_depth() -> None:
    assert len(UNKNOWN) > 25
    assert max(len(path) for _, path in UNKNOWN) >= 4


@pytest.mark.parametrize("path", [(), ("paths",), ("reserved", 0), ("subject",), ("subject", "attributes", "team")])
def test_an_unknown_key_of_the_configuration_is_refused_by_both(path: Path_) -> None:
    document = deepcopy(HOST)
    at(document, path)["unknwon"] = "x"
    assert not CONFIG.is_valid(document)
    assert not configures(document)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("policy", ("apiVersion",), "oap/v2"),
        ("policy", ("kind",), "policy"),
        ("policy", ("metadata", "name"), "a/b"),
        ("policy", ("metadata", "review"), "June 2027"),
        ("policy", ("match", "tools"), []),
        ("policy", ("match", "tools", 0), "pay"),
        ("policy", ("match", "reach", 0), "none"),
        ("policy", ("match", "sources", 0), "pay/refund"),
        ("policy", ("constants",), {"a-b": 1}),
        ("policy", ("variables",), {"large": 1}),
        ("policy", ("mode",), "off"),
        ("policy", ("rules",), []),
        ("policy", ("rules", 0, "effect"), "alow"),
        ("policy", ("rules", 0, "effect"), "redact"),
        ("policy", ("rules", 0, "stage"), "result"),
        ("policy", ("rules", 0, "waivable"), True),
        ("policy", ("rules", 0, "when"), None),
        ("policy", ("rules", 0, "when"), ""),
        ("policy", ("rules", 0, "match"), None),
        ("policy", ("rules", 0, "expires"), "2026-12-31"),
        ("policy", ("rules", 0, "expires"), None),
        ("policy", ("rules", 1, "with"), {"reason": "a"}),
        ("policy", ("rules", 1, "severity"), "fatal"),
        ("policy", ("rules", 1, "with"), ["a"]),
        ("policy", ("rules", 2, "with", "timeout"), ""),
        ("policy", ("rules", 2, "with", "timeout"), "10 minutes"),
        ("policy", ("rules", 2, "with", "timeout"), 10),
        ("policy", ("rules", 2, "with", "quorum"), 0),
        ("policy", ("rules", 2, "with", "quorum"), "2"),
        ("policy", ("rules", 2, "with", "approvers"), []),
        ("policy", ("rules", 4, "with"), {"length": "1h"}),
        ("policy", ("rules", 4), {"id": "rest", "effect": "pause", "stage": "result"}),
        ("policy", ("rules", 4), {"id": "rest", "effect": "pause", "with": {"reasons": ["a"]}}),
        ("policy", ("tests", 0, "expect_each", 0), "maybe"),
        ("policy", ("tests", 0, "now"), "noon"),
        ("policy", ("tests", 0, "matrix", "n"), []),
        ("exceptions", ("exceptions", 0, "waives", 0), "pay"),
        ("exceptions", ("exceptions", 0, "reason"), ""),
        ("catalog", ("tools", 0, "id"), "refund"),
        ("catalog", ("tools", 0, "definition_hash"), "sha256:0"),
        ("tests", ("tests", 0, "expect", "verdict"), "no"),
        ("fixtures", ("fixtures",), []),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_both(name: str, path: Path_, value: object) -> None:
    document = deepcopy(GOOD[name])
    at(document, path[:-1])[path[-1]] = value
    assert not FILES.is_valid(document)
    assert not loads(name, document)


REQUIRED: Final = [
    ("policy", ("metadata",)), ("policy", ("metadata", "owner")), ("policy", ("rules",)), ("policy", ("rules", 0, "id")),
    ("policy", ("rules", 0, "effect")), ("policy", ("apiVersion",)), ("policy", ("kind",)),
    ("policy", ("tests", 0, "name")), ("exceptions", ("exceptions", 0, "expires")), ("catalog", ("tools", 0, "id")),
    ("exceptions", ("exceptions", 0, "approved_by")), ("tests", ("tests",)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path"), REQUIRED)
def test_a_missing_key_is_refused_by_both(name: str, path: Path_) -> None:
    document = deepcopy(GOOD[name])
    del at(document, path[:-1])[path[-1]]
    assert not FILES.is_valid(document)
    assert not loads(name, document)


def places(node: object, path: Path_ = ()) -> Iterator[Path_]:
    yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


PLACES: Final = [(name, path) for name, document in GOOD.items() for path in places(document) if path]
VALUES: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 30),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=6),
    st.from_regex(r"\A(?:\d{1,2}[dhms]){1,3}\Z"),
    st.from_regex(
        r"\A202[5-7]-[01][0-9]-[0-3][0-9](?:T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](?:Z|[+-][0-2][0-9]:[0-9]{2}))?\Z"
    ),
    st.sampled_from(["allow", "deny", "ask", "observe", "pause", "call", "result", "prompt", "shadow", "low", "pay/*"]),
    st.sampled_from(["pay/refund", "a", "1.5", "${n}", "oap/v1", "true", "a/b", "10m", "write", "none", "default"]),
    st.sampled_from(["١٠m", "2026-12-31T23:59:59Z", "2027-06-01", "2026-12-31T23:59:59+05:99"]),
    st.lists(st.sampled_from(["pay/*", "a", 1, None]), max_size=2),
    st.dictionaries(
        st.sampled_from(["a", "tools", "timeout", "a-b"]), st.sampled_from(["a", "10m", 1, ["pay/*"]]), max_size=2
    ),
)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(PLACES), VALUES)
def test_what_loads_is_accepted(place: tuple[str, Path_], value: object) -> None:
    name, path = place
    document = deepcopy(GOOD[name])
    at(document, path[:-1])[path[-1]] = value
    if loads(name, document):
        assert [error.message for error in FILES.iter_errors(document)] == []


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([path for path in places(HOST) if path]), VALUES)
def test_a_configuration_that_loads_is_accepted(path: Path_, value: object) -> None:
    document = deepcopy(HOST)
    at(document, path[:-1])[path[-1]] = value
    if configures(document):
        assert [error.message for error in CONFIG.iter_errors(document)] == []


def effect_names(effects: dict[str, Effect]) -> list[str]:
    names: list[str] = files_schema(effects).schema["definitions"]["Rule"]["properties"]["effect"]["enum"]
    return names


def test_only_the_effects_of_enabled_plugins_are_offered() -> None:
    assert effect_names(core_effects()) == ["ask", "observe"]
    assert effect_names(dict(PLAIN)) == ["allow", "ask", "deny", "observe"]
    assert effect_names(EFFECTS) == ["allow", "ask", "deny", "observe", "pause"]


def test_an_effect_says_what_it_is_and_who_offers_it() -> None:
    effect = files_schema(EFFECTS).schema["definitions"]["Rule"]["properties"]["effect"]
    said = dict(zip(effect["enum"], effect["enumDescriptions"], strict=True))
    assert said["allow"] == "Kind `grant`, from `oap-authorization`: it makes a call possible."
    assert said["ask"] == "Kind `gate`, from the core: it stops a call until something holds."
    assert said["pause"] == "Kind `gate`, from `acme-pause`: it stops a call until something holds."


def test_docstrings_describe_keys_and_models() -> None:
    definitions = files_schema(EFFECTS).schema["definitions"]
    asks = definitions["with-ask"]
    assert asks["description"] == "Who is asked, how long the question stands, and what is shown."
    assert asks["properties"]["timeout"]["description"] == "How long the question stands; no yes counts afterwards."
    assert definitions["Rule"]["properties"]["match"]["description"].startswith("Which tools it speaks about")


def test_a_default_is_shown_as_an_author_writes_it() -> None:
    definitions = files_schema(EFFECTS).schema["definitions"]
    assert definitions["with-ask"]["properties"]["timeout"]["default"] == "10m"
    assert definitions["with-pause"]["properties"]["length"]["default"] == "1h30m"


def test_a_model_that_holds_itself_is_described_at_every_depth() -> None:
    rule = {"id": "a", "effect": "pause", "stage": "result", "with": {"reasons": ["a"], "deep": {"reasons": ["a"]}}}
    document = {**POLICY, "rules": [rule]}
    assert FILES.is_valid(document)
    rule["with"] = {"reasons": ["a"], "deep": {"reasons": ["a"], "deep": {"reasons": [7]}}}
    assert not FILES.is_valid(document)


def test_two_plugins_may_call_their_models_alike() -> None:
    other = type("PauseSettings", (FileModel,), {"__annotations__": {"pages": int}, "__doc__": "Pages."})
    effects = {**EFFECTS, "page": Effect("page", Kind.OBSERVE, "acme-page", model=other)}
    definitions = files_schema(effects).schema["definitions"]
    assert set(definitions["with-page"]["properties"]) == {"pages"}
    assert set(definitions["with-pause"]["properties"]) == {"length", "reasons", "deep"}


def test_settings_that_cannot_be_described_take_anything() -> None:
    effects = {**PLAIN, "odd": Effect("odd", Kind.OBSERVE, "acme-odd", model=Unspeakable)}
    found = files_schema(effects)
    assert found.undescribed == ("odd",)
    assert kind_schema("Policy", effects).undescribed == ("odd",)
    assert kind_schema("Catalog", effects).undescribed == ()
    document = {**POLICY, "rules": [{"id": "a", "effect": "odd", "with": {"anything": 1}}]}
    assert Draft7Validator(found.schema).is_valid(document)


def test_equal_effects_give_equal_schemas() -> None:
    backwards = dict(reversed(list(EFFECTS.items())))
    assert json.dumps(files_schema(EFFECTS).schema) == json.dumps(files_schema(backwards).schema)


def test_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(KeyError):
        kind_schema("Policies", EFFECTS)


@pytest.mark.parametrize("key", ["description", "match", "when", "with", "message", "mode", "expires"])
def test_a_key_without_a_value_widens_nothing(key: str) -> None:
    document = deepcopy(POLICY)
    owner = document["metadata"] if key == "description" else document["rules"][0]
    owner[key] = None
    found = assemble([read(json.dumps(document), "a.yaml")], Setup(EFFECTS))
    told = [(one.code, one.message.rpartition("`")[2]) for one in found.diagnostics]
    assert told == [("OAP203", " is empty")]
    assert not FILES.is_valid(document)
