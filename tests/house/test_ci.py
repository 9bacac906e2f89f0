"""`.ci/run` runs the test command of the README on whatever machine it is started, or says what is missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.house.places import ROOT
from tests.house.test_pages import README, commands

SCRIPT: Final = ROOT / ".ci" / "run"
TEST: Final = "run poe test"

# Programs that only write down that they were called. Pip and apt-get do what they are asked for as well.
RECORD: Final = 'echo "${0##*/} $*" >>"$RECORD"\n'
WITH_PIP: Final = RECORD
WITHOUT_PIP: Final = RECORD + '[[ "$*" != "-m pip"* || -e "$RECORD.pip" ]]\n'
APT: Final = RECORD + '[[ "$*" != *"install"*"python3-pip" ]] || : >"$RECORD.pip"\n'


def run(folder: Path, programs: dict[str, str], *, root: bool = True) -> tuple[int, list[str], str]:
    """Run the script where these programs are all there is; give the exit code, what was called, and the errors."""
    bash, dirname = shutil.which("bash"), shutil.which("dirname")
    if bash is None or dirname is None:
        pytest.skip("the script needs bash and dirname")
    path = folder / "bin"
    path.mkdir()
    (path / "dirname").symlink_to(dirname)
    for name, text in {**programs, "id": f"echo {0 if root else 1000}\n"}.items():
        (path / name).write_text(f"#!{bash}\n{text}", encoding="utf-8")
        (path / name).chmod(0o755)
    record = folder / "record"
    record.touch()
    environment = {"PATH": str(path), "RECORD": str(record)}
    done = subprocess.run([bash, SCRIPT], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, record.read_text(encoding="utf-8").splitlines(), done.stderr


def test_it_is_the_command_of_the_readme() -> None:
    install, command = commands(README)[1]
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert "set -euo pipefail" in lines
    assert install in [line.strip() for line in lines]
    assert command.endswith(TEST)
    assert lines[-1] == command.replace("python3 -m uv", '"${uv[@]}"') + " </dev/null"


def test_it_uses_the_uv_that_is_there(tmp_path: Path) -> None:
    code, called, _ = run(tmp_path, {"uv": RECORD})
    assert (code, called) == (0, ["uv --version", f"uv {TEST}"])


@pytest.mark.parametrize("uv", [{}, {"uv": "exit 127\n"}], ids=["no uv", "a uv that does not start"])
def test_it_installs_uv_where_there_is_pip(tmp_path: Path, uv: dict[str, str]) -> None:
    code, called, _ = run(tmp_path, {"python3": WITH_PIP, **uv})
    assert code == 0
    assert called == ["python3 -m pip --version", "python3 -m pip install uv", f"python3 -m uv {TEST}"]


def test_it_installs_pip_where_it_may(tmp_path: Path) -> None:
    code, called, errors = run(tmp_path, {"python3": WITHOUT_PIP, "apt-get": APT})
    assert code == 0
    assert called == [
        "python3 -m pip --version",
        "apt-get --version",
        "apt-get update -qq",
        "apt-get install -qq --no-install-recommends python3-pip",
        "python3 -m pip install uv",
        f"python3 -m uv {TEST}",
    ]
    assert errors.startswith("installing pip")


@pytest.mark.parametrize(
    ("programs", "root"),
    [({"python3": WITHOUT_PIP}, True), ({"python3": WITHOUT_PIP, "apt-get": APT}, False), ({}, True)],
    ids=["no apt-get", "not root", "nothing"],
)
def test_it_says_what_is_missing(tmp_path: Path, programs: dict[str, str], *, root: bool) -> None:
    code, called, errors = run(tmp_path, programs, root=root)
    assert code == 1
    assert errors == "this needs uv, or a Python with pip (`python3-pip` on Debian and Ubuntu)\n"
    assert not any(TEST in line for line in called)


def test_tests_that_fail_make_it_fail(tmp_path: Path) -> None:
    code, _, _ = run(tmp_path, {"uv": f'[[ "$*" != "{TEST}" ]]\n'})
    assert code == 1
