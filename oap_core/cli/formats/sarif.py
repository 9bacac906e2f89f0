"""Findings for code scanning: a SARIF 2.1.0 log with one run, in ASCII."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from oap_core import __version__
from oap_core.cli.formats.findings import Findings
from oap_core.cli.formats.wording import title, told
from oap_core.diagnostic import Diagnostic

__all__ = ["written"]

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def written(findings: Findings) -> str:
    """Give the log; its rules are the codes that occur, and its levels are `error` and `warning`.

    A relative path stays relative, to wherever the command ran; an absolute one becomes a `file:` address.
    """
    ordered = findings.ordered()
    codes = sorted({str(found.code) for found in ordered})
    places = {code: index for index, code in enumerate(codes)}
    run = {
        "tool": {"driver": {"name": "oap", "version": __version__, "rules": [_rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, places[str(found.code)]) for found in ordered],
        "properties": {"summary": findings.summary},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: str) -> dict[str, Any]:
    named = title(code)
    return {"id": code} if named is None else {"id": code, "shortDescription": {"text": named}}


def _result(found: Diagnostic, index: int) -> dict[str, Any]:
    return {
        "ruleId": str(found.code),
        "ruleIndex": index,
        "level": found.severity.value,
        "message": {"text": _unlinked(told(found))},
        "locations": [_location(found)],
    }


def _location(found: Diagnostic) -> dict[str, Any]:
    rule = {} if found.rule is None else {"logicalLocations": [{"fullyQualifiedName": found.rule, "kind": "rule"}]}
    if found.file is None:
        # A physical location needs a file, so the place of a text without one is told in words.
        return {"message": {"text": f"line {found.line}, column {found.column}"}, **rule}
    region = {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.end_line,
        "endColumn": found.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(found.file)}, "region": region}, **rule}


def _uri(file: str) -> str:
    path = PurePath(file)
    if path.is_absolute():
        return "file://" + quote("/" + path.as_posix().lstrip("/"), safe="/:", errors="surrogatepass")
    # A colon is escaped as well: what stands before one would be taken for a scheme.
    return quote(path.as_posix(), errors="surrogatepass")


def _unlinked(text: str) -> str:
    """Keep text of a file from becoming a link, which SARIF writes as Markdown does, also in plain messages."""
    # A space and no backslash: one that stands there already would undo it.
    return text.replace("](", "] (")
