"""What `oap init` writes is green at once, from a checkout and from a wheel, and nothing that was there is touched."""

from __future__ import annotations

import importlib.resources
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from oap_core import plugins
from oap_core.cli.verbs import oap

ROOT: Final = Path(__file__).parents[3]
STARTER: Final = ROOT / "oap_core" / "policy" / "starter"
WRITTEN: Final = {
    "call.json": "call.json",
    "catalog.yaml": "catalog.yaml",
    "oap.yaml": "oap.yaml",
    "policies/README.md": "README.md",
    "policies/fixtures.yaml": "policies/fixtures.yaml",
    "policies/starter.yaml": "policies/starter.yaml",
    "policies/starter_test.yaml": "policies/starter_test.yaml",
}


def typed(*arguments: str) -> tuple[int, str]:
    """Run the command; its exit code, and what it printed."""
    result = CliRunner().invoke(oap, list(arguments))
    return result.exit_code, result.output


def files_below(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_it_is_green_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert typed("init")[0] == 0
    code, told = typed("check")
    assert code == 0
    assert "warning" not in told
    assert typed("test", "--cover", "100")[0] == 0
    code, told = typed("explain", "call.json")
    assert code == 0
    assert told.startswith("DENY files/read  by starter/no-secrets")


def test_a_plugin_that_is_not_installed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "installed", lambda: ())
    monkeypatch.chdir(tmp_path)
    code, told = typed("init")
    assert code == 0
    assert "the plugin `oap-authorization` is enabled and not installed, so nothing is decided yet\n" in told
    assert "from `plugins/oap-authorization` in a checkout of OAP\n" in told
    assert "which is nothing" not in told
    assert typed("check")[0] == 3


def test_every_command_that_it_names_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = typed("init", "front desk")[1]
    commands = [re.split(" {2,}", line.strip())[0] for line in told.splitlines() if line.startswith("  oap ")]
    assert [command.split()[1] for command in commands] == ["check", "test", "explain", "schema"]
    assert [typed(*shlex.split(command)[1:])[0] for command in commands] == [0, 0, 0, 0]
    written = tmp_path / "front desk"
    for file in written.rglob("*.yaml"):
        first = file.read_text(encoding="utf-8").partition("\n")[0]
        if "$schema=" in first:
            assert (file.parent / first.partition("$schema=")[2]).is_file()


def test_it_writes_every_file_that_is_shipped(tmp_path: Path) -> None:
    assert typed("init", str(tmp_path / "new"))[0] == 0
    shipped = files_below(STARTER)
    assert files_below(tmp_path / "new") == {name: shipped[source] for name, source in WRITTEN.items()}
    assert set(WRITTEN.values()) == set(shipped)


@pytest.mark.parametrize("name", sorted(WRITTEN.keys() - {"oap.yaml"}))
def test_what_is_there_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine\n", encoding="utf-8")
    code, told = typed("init", str(tmp_path))
    assert code == 0
    assert [line.split()[1].endswith(name) for line in told.splitlines() if line.startswith("left")] == [True]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine\n"
    assert set(files_below(tmp_path)) == set(WRITTEN)


@pytest.mark.parametrize("name", ["oap.yaml", "oap.yml"])
def test_a_configuration_is_left_alone_with_everything_around_it(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("default: deny\n", encoding="utf-8")
    code, told = typed("init", str(tmp_path))
    assert code == 2
    assert "is there already" in told
    assert files_below(tmp_path) == {name: b"default: deny\n"}


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own on Windows")
@pytest.mark.parametrize("name", ["oap.yaml", "catalog.yaml"])
def test_nothing_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    folder, elsewhere = tmp_path / "project", tmp_path / "elsewhere.yaml"
    folder.mkdir()
    (folder / name).symlink_to(elsewhere)
    assert typed("init", str(folder))[0] == (2 if name == "oap.yaml" else 0)
    assert not elsewhere.exists()


def test_a_configuration_above_belongs_to_another_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "oap.yaml").write_text("default: deny\n", encoding="utf-8")
    assert typed("init", str(tmp_path / "agents" / "desk"))[0] == 0
    assert (tmp_path / "agents" / "desk" / "oap.yaml").is_file()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="whoever may write everywhere is refused nowhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        code, told = typed("init", str(tmp_path))
    finally:
        tmp_path.chmod(0o700)
    assert code == 2
    assert "cannot write" in told


def test_the_texts_are_found_where_the_package_is() -> None:
    shipped = importlib.resources.files("oap_core.policy") / "starter"
    assert (shipped / "oap.yaml").is_file()
    assert (shipped / "policies" / "starter.yaml").is_file()


def test_the_texts_are_in_the_wheel(tmp_path: Path) -> None:
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        pytest.skip("a wheel is built with uv, which is not installed")
    command = [
        uv,
        "build",
        "--wheel",
        "--offline",
        "--quiet",
        "--out-dir",
        str(tmp_path),
        "--python",
        sys.executable,
        ".",
    ]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    if built.returncode and "hatchling" in built.stderr:
        pytest.skip("a wheel is built with hatchling, which no cache of this machine has")
    assert built.returncode == 0, built.stderr
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    assert files_below(tmp_path / "installed" / "oap_core" / "policy" / "starter") == files_below(STARTER)
    # In a process that has nothing but the wheel before it, and the packages that the wheel needs.
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed"), "PYTHONDONTWRITEBYTECODE": "1"}
    script = (
        "import oap_core, sys; from oap_core.cli import main; print(oap_core.__file__); sys.argv[0] = 'oap'; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, "init", "new"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert str(tmp_path / "installed") in ran.stdout.splitlines()[0]
    assert set(files_below(tmp_path / "new")) == set(WRITTEN)


@pytest.mark.skipif(os.name == "nt", reason="no such name there")
def test_a_folder_whose_name_a_terminal_would_obey_is_shown_as_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(oap, ["init", "a\x1b[2J\n::error::b"], color=True)
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert not any(line.startswith("::") for line in result.output.splitlines())


def test_a_reader_who_goes_away_leaves_no_half_project(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "oap_core.cli", "init", "demo"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait(timeout=60)
    assert set(files_below(tmp_path / "demo")) == set(WRITTEN)
