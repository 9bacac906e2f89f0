"""The declarations that the expressions in the case files are loaded against."""

from __future__ import annotations

from typing import Final

from oap_core.cel import Env, Function, Overload, freeze_value
from oap_core.cel.schema import type_from_schema
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, UINT, ListType, MapType

ITEM: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "count": {"type": "integer"},
        "parts": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"size": {"type": "integer"}},
            },
        },
    },
}

ARGUMENTS: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["path", "to", "n", "amount", "flag", "items"],
    "properties": {
        "path": {"type": "string"},
        "to": {"type": "array", "items": {"type": "string"}, "maxItems": 50},
        "n": {"type": "integer"},
        "amount": {"type": "number"},
        "flag": {"type": "boolean"},
        "mode": {"type": "string"},
        "limit": {"type": "integer"},
        "x-y": {"type": "string"},
        "extra": {},
        "items": {"type": "array", "items": ITEM},
        "more": {"type": "array", "items": ITEM},
        "options": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "network": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"mode": {"type": "string"}},
                }
            },
        },
    },
}

TOOL: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "risk"],
    "properties": {"id": {"type": "string"}, "risk": {"type": "integer"}},
}

EMPTY: Final = {"type": "object", "additionalProperties": False}

OPEN: Final = {
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "string"}, "note": {"type": "string"}},
    "additionalProperties": {"type": "string"},
}


def _faulty(_text: str) -> bool:
    raise RuntimeError("it breaks its promise")


def _unused(*_values: object) -> bool:
    raise AssertionError("the checker calls nothing whose arguments it does not know, and nothing that reads the world")


ENV: Final = Env(
    {
        "args": type_from_schema(ARGUMENTS),
        "tool": type_from_schema(TOOL),
        "nothing_here": type_from_schema(EMPTY),
        "subject": type_from_schema(OPEN),
        "now": TIMESTAMP,
        "any": DYN,
        "u": UINT,
        "d": DOUBLE,
        "raw": BYTES,
        "span": DURATION,
        "labels": MapType(STRING, BOOL),
        "levels": MapType(INT, STRING),
        "grid": ListType(ListType(INT)),
        "session.id": STRING,
        "session.user": type_from_schema(TOOL),
    },
    {
        "constants": freeze_value(
            {
                "limit": 50,
                "zero": 0,
                "on": True,
                "text": "five",
                "since": "2026-01-01T00:00:00Z",
                "hosts": ["a.example", "b.example"],
                "mixed": ["a", 1],
                "nested": {"deep": {"value": 1}},
                "empty": {},
                "none": [],
            }
        )
    },
    STANDARD.extended(
        (
            Function("faulty", (Overload((STRING,), BOOL, _faulty),), "Raises."),
            Function("on_disk", (Overload((STRING,), BOOL, _unused),), "Reads.", reads_world=True),
            Function(
                "inside",
                (Overload((STRING, STRING), BOOL, _unused), Overload((STRING, STRING, STRING), BOOL, _unused)),
                "Has two shapes.",
            ),
            Function("lab.domain", (Overload((STRING,), STRING, _unused),), "In a namespace."),
            Function("lab.measure", (Overload((INT,), INT, abs),), "In a namespace."),
        )
    ),
)
