"""Brings the language server for YAML into the checkout, once, beside the project and not into it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.house.places import ROOT

PACKAGE: Final = "yaml-language-server"
VERSION: Final = "^1.25"
FOLDER: Final = ROOT / ".node"
INSTALL_SECONDS: Final = 300


def yaml_language_server() -> list[str]:
    """The command that starts the server. Skips the test where it cannot be had."""
    command, reason = _command()
    if reason:
        pytest.skip(reason)
    return command


@cache
def _command() -> tuple[list[str], str]:
    """The command, or why there is none."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return [], "the language server runs on node and is installed by npm, and one of them is not on the path"
    home = FOLDER / f"{PACKAGE}-{VERSION.removeprefix('^')}"
    if not home.exists():
        try:
            if reason := _install(npm, home):
                return [], reason
        except OSError as error:
            return [], f"{PACKAGE} cannot be installed into the checkout: {error.strerror}"
    return [node, str(home / "node_modules" / PACKAGE / "bin" / PACKAGE), "--stdio"], ""


def _install(npm: str, home: Path) -> str:
    """Install it beside, then move it to its place in one step, so that runs at the same time do not meet."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as name:
        quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"]
        command = [npm, "install", *quiet, "--prefix", name, f"{PACKAGE}@{VERSION}"]
        try:
            done = subprocess.run(command, cwd=name, capture_output=True, timeout=INSTALL_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"npm did not install {PACKAGE} within {INSTALL_SECONDS} seconds"
        if done.returncode:
            return f"npm cannot install {PACKAGE} here, exit code {done.returncode}: is there a network?"
        beside = Path(name) / "whole"
        beside.mkdir()
        (Path(name) / "node_modules").rename(beside / "node_modules")
        try:
            beside.rename(home)
        except OSError:
            # Another run was faster, and what it brought is as good.
            if not home.exists():
                raise
    return ""
