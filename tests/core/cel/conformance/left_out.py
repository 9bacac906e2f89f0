"""The vectors that do not pass, each under the reason why; read from `left_out.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("left_out.json")


def left_out() -> Mapping[str, tuple[str, ...]]:
    """The names of the vectors by reason, as they are written down."""
    return {group["reason"]: tuple(group["vectors"]) for group in json.loads(FILE.read_text(encoding="utf-8"))}
