"""Digests of values: equal exactly where the values are equal as JSON."""

from __future__ import annotations

import hashlib
import json

__all__ = ["digest"]


def digest(value: object) -> str:
    """`sha256:` and the hash over the canonical form of a JSON value: sorted keys, no white space, UTF-8.

    Takes what `json` takes, with dates as texts. Numbers keep their type: 1 and 1.0 differ.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=str)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
