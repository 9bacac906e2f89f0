"""What the command line relies on of the schema of SARIF 2.1.0, with nothing beside it.

The schema of the standard takes far more and describes it in a hundred kilobytes; what passes here passes there.
"""

from __future__ import annotations

from typing import Any, Final

import jsonschema

from oap_core import __version__


def strict(**properties: object) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def optional(schema: dict[str, Any], **properties: object) -> dict[str, Any]:
    return {**schema, "properties": {**schema["properties"], **properties}}


RULE: Final = {
    "type": "array",
    "minItems": 1,
    "maxItems": 1,
    "items": strict(fullyQualifiedName={"type": "string"}, kind={"const": "rule"}),
}
POSITION: Final = {"type": "integer", "minimum": 1}
TEXT: Final = strict(text={"type": "string", "minLength": 1})
LOG: Final = strict(
    **{"$schema": {"const": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"}},
    version={"const": "2.1.0"},
    runs={
        "type": "array",
        "minItems": 1,
        "maxItems": 1,
        "items": strict(
            tool=strict(
                driver=strict(
                    name={"const": "oap"},
                    version={"const": __version__},
                    rules={
                        "type": "array",
                        "uniqueItems": True,
                        "items": {**strict(id={"type": "string"}, shortDescription=TEXT), "required": ["id"]},
                    },
                )
            ),
            columnKind={"const": "unicodeCodePoints"},
            properties=strict(summary={"type": "string"}),
            results={
                "type": "array",
                "items": strict(
                    ruleId={"type": "string"},
                    ruleIndex={"type": "integer", "minimum": 0},
                    level={"enum": ["error", "warning"]},
                    message=TEXT,
                    locations={
                        "type": "array",
                        "minItems": 1,
                        "maxItems": 1,
                        "items": {
                            "oneOf": [
                                optional(strict(message=TEXT), logicalLocations=RULE),
                                optional(
                                    strict(
                                        physicalLocation=strict(
                                            artifactLocation=strict(
                                                uri={"type": "string", "pattern": r"^(file:///[\w.~/%:-]*|[\w.~/%-]+)$"}
                                            ),
                                            region=strict(
                                                startLine=POSITION,
                                                startColumn=POSITION,
                                                endLine=POSITION,
                                                endColumn=POSITION,
                                            ),
                                        )
                                    ),
                                    logicalLocations=RULE,
                                ),
                            ]
                        },
                    },
                ),
            },
        ),
    },
)
VALIDATOR: Final = jsonschema.Draft202012Validator(LOG)
