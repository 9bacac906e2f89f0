"""Where things lie in the repository, for tests about the repository itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PYPROJECT: Final = ROOT / "pyproject.toml"
CORE: Final = ROOT / "oap_core"


def tracked_files() -> list[Path]:
    """Return every file that is committed or could be: neither ignored nor removed.

    Skips the test where nobody can say: in a tree that is no checkout, or on a machine without git.
    """
    if not (ROOT / ".git").exists():
        pytest.skip("which files belong to the project is known in a checkout alone, and this tree is none")
    if shutil.which("git") is None:
        pytest.skip("which files belong to the project only git can say, and it is not installed")
    # The owner of a checkout need not be who runs its tests, so git is told that the folder is fine.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode("utf-8")
    return sorted(ROOT / name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())


def product_modules() -> list[Path]:
    """Return every Python file that is shipped: the core and the packages of the plugins."""
    return sorted((*CORE.rglob("*.py"), *ROOT.glob("plugins/*/oap_*/**/*.py")))
