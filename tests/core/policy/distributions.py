"""Small plugin distributions in a folder, with the description that an installer writes, so that they are found."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

__all__ = ["HEAD", "Install", "install"]

HEAD: Final = "from oap_core import Effect, Kind, Stage, hookimpl\nOAP_API = 1\n"
"""What most plugins begin with."""
Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Lets a test put distributions into a folder of its own. What was imported from there is forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)

    def put(
        name: str,
        source: str,
        *,
        entry: str = "main",
        value: str | None = None,
        version: str = "1.0",
        head: bool = True,
    ) -> Path:
        module = name.replace("-", "_").replace(".", "_").lower()
        (folder / f"{module}.py").write_text((HEAD if head else "") + dedent(source), encoding="utf-8")
        described = folder / f"{module}-{version}.dist-info"
        described.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (described / "METADATA").write_text(metadata if name != "nameless" else "Version: 1\n", encoding="utf-8")
        points = f"[oap.plugins]\n{entry} = {module if value is None else value}\n"
        (described / "entry_points.txt").write_text(points, encoding="utf-8")
        importlib.invalidate_caches()
        return folder / f"{module}.py"

    yield put
    for module in set(sys.modules) - before:
        file = getattr(sys.modules[module], "__file__", None)
        if file is not None and Path(file).is_relative_to(folder):
            del sys.modules[module]
