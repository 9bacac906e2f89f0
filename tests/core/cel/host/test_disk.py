"""`within_on_disk` on real folders and links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oap_core.cel.failure import Code, EvalError
from tests.core.cel.host.calls import SYSTEMS, UNTOLD, answer, call

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the links of these tests are those of POSIX")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A workspace beside a folder of secrets, and links between them."""
    for folder in ("desk/src/deep", "desk/empty", "secret/keys", "desk-old"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("desk/src/x.py", "secret/keys/id", "desk-old/x.py"):
        (tmp_path / file).write_text("x", encoding="utf-8")
    links = {
        "desk/inner": "src",
        "desk/inner-absolute": str(tmp_path / "desk" / "src"),
        "desk/out": "../secret",
        "desk/out-absolute": str(tmp_path / "secret"),
        "desk/key.txt": "../secret/keys/id",
        "desk/top": "/",
        "desk/parent": "..",
        "desk/self": "self",
        "desk/ping": "pong",
        "desk/pong": "ping",
        "desk/dangling": "src/not-yet",
        "desk/dangling-out": "../secret/not-yet",
        "desk/odd": "~root",
        "desk/doubled": "//etc",
        "desk/two-readings": "src\\deep",
        "secret/back": "../desk/src",
        "alias": "desk",
    }
    for link, target in links.items():
        (tmp_path / link).symlink_to(target)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("desk", True),
        ("desk/", True),
        ("desk/src/x.py", True),
        ("desk/src/../src/x.py", True),
        ("desk-old/x.py", False),
        ("desk/../desk-old/x.py", False),
        ("secret/keys/id", False),
        (".", False),
        # Links.
        ("desk/inner/x.py", True),
        ("desk/inner-absolute/x.py", True),
        ("desk/out", False),
        ("desk/out/keys/id", False),
        ("desk/out-absolute/keys/id", False),
        ("desk/key.txt", False),
        ("desk/top/etc", False),
        ("secret/back/x.py", True),
        ("alias/src/x.py", True),
        # What follows a link goes on from where it leads.
        ("desk/inner/../x.py", True),
        ("desk/inner/../../x.py", False),
        ("desk/out/../x.py", False),
        ("secret/back/../x.py", True),
        ("desk/parent/x.py", False),
        ("desk/parent/desk/src/x.py", True),
        ("desk/parent/desk/parent/desk", True),
        # What does not exist yet.
        ("desk/new.py", True),
        ("desk/new/folder/x.py", True),
        ("desk/out/new.py", False),
        ("desk/out/new/x.py", False),
        ("not/there", False),
        ("desk/new/../x.py", UNTOLD),
        ("desk/new/../../secret", UNTOLD),
        # What cannot be told.
        ("desk/self", UNTOLD),
        ("desk/self/x", UNTOLD),
        ("desk/ping", UNTOLD),
        ("desk/dangling", UNTOLD),
        ("desk/dangling/x", UNTOLD),
        ("desk/dangling-out", UNTOLD),
        ("desk/odd", UNTOLD),
        ("desk/doubled", UNTOLD),
        ("desk/two-readings", UNTOLD),
        ("desk/src/x.py/y", UNTOLD),
        ("desk/src/x.py/..", UNTOLD),
        ("desk/src/x.py/../../../secret", UNTOLD),
        ("desk/src\\..\\..\\secret", UNTOLD),
        ("desk/src\\x.py", True),
        ("desk/src/x.py\0", UNTOLD),
    ],
)
def test_an_absolute_path(tree: Path, path: str, found: bool | str) -> None:
    assert answer("within_on_disk", f"{tree}/{path}", f"{tree}/desk") == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("src/x.py", True),
        ("new.py", True),
        ("inner/../src/x.py", True),
        ("../desk/src", True),
        ("out/keys/id", UNTOLD),
        ("../secret/keys/id", UNTOLD),
        ("", UNTOLD),
        ("~/x", UNTOLD),
    ],
)
def test_a_relative_path_starts_at_the_root_or_below(tree: Path, path: str, found: bool | str) -> None:
    assert answer("within_on_disk", path, f"{tree}/desk") == found


def test_with_a_start_a_relative_path_is_exact(tree: Path) -> None:
    desk = f"{tree}/desk"
    assert call("within_on_disk", "../secret/keys/id", desk, desk) is False
    assert call("within_on_disk", "out/keys/id", desk, desk) is False
    assert call("within_on_disk", "../src/x.py", desk, f"{desk}/empty") is True
    # The start may be a link itself, and `..` goes on from where it leads.
    assert call("within_on_disk", "../x.py", desk, f"{tree}/secret/back") is True
    assert answer("within_on_disk", "x", desk, f"{tree}/not-there") == UNTOLD


def test_the_root_may_be_a_link_but_must_be_a_folder(tree: Path) -> None:
    assert call("within_on_disk", f"{tree}/desk/src", f"{tree}/alias") is True
    assert call("within_on_disk", f"{tree}/alias/src", f"{tree}/alias/src") is True
    for root in ("not-there", "desk/src/x.py", "desk/self", "desk/dangling"):
        assert answer("within_on_disk", f"{tree}/desk/src", f"{tree}/{root}") == UNTOLD
    assert answer("within_on_disk", "x", "desk") == UNTOLD


def test_above_the_top_there_is_the_top(tree: Path) -> None:
    assert call("within_on_disk", f"/../..{tree}/desk/src", f"{tree}/desk") is True
    assert call("within_on_disk", "/..", "/") is True


def test_many_links_are_followed_and_too_many_are_not(tree: Path) -> None:
    for number in range(60):
        (tree / "desk" / f"chain{number}").symlink_to(f"chain{number - 1}" if number else "src")
    assert call("within_on_disk", f"{tree}/desk/chain30/x.py", f"{tree}/desk") is True
    assert answer("within_on_disk", f"{tree}/desk/chain50/x.py", f"{tree}/desk") == UNTOLD


def test_links_that_double_a_path_end(tree: Path) -> None:
    for number in range(30):
        below = f"w{number - 1}/../" if number else ""
        (tree / "desk" / f"w{number}").symlink_to(f"{below * 2}src")
    assert answer("within_on_disk", f"{tree}/desk/w29", f"{tree}/desk") == UNTOLD


def test_a_folder_that_may_not_be_looked_into(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look = os.lstat

    def refuse(path: str) -> os.stat_result:
        if "/keys/" in path:
            raise PermissionError(13, "refused", path)
        return look(path)

    monkeypatch.setattr(os, "lstat", refuse)
    assert call("within_on_disk", f"{tree}/secret/keys", f"{tree}/desk") is False
    assert answer("within_on_disk", f"{tree}/secret/keys/id", f"{tree}/desk") == UNTOLD


def test_a_file_system_without_file_numbers_tells_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look = os.lstat
    monkeypatch.setattr(os, "lstat", lambda path: os.stat_result((*look(path)[:1], 0, *look(path)[2:])))
    assert answer("within_on_disk", f"{tree}/desk/src", f"{tree}/desk") == UNTOLD


def test_what_redirects_without_being_a_link_tells_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look = os.lstat

    class Junction:
        st_reparse_tag = 0xA0000003

        def __init__(self, path: str) -> None:
            self._status = look(path)

        def __getattr__(self, name: str) -> object:
            return getattr(self._status, name)

    monkeypatch.setattr(os, "lstat", lambda path: Junction(path) if path.endswith("src") else look(path))
    assert call("within_on_disk", f"{tree}/desk/empty", f"{tree}/desk") is True
    assert answer("within_on_disk", f"{tree}/desk/src", f"{tree}/desk") == UNTOLD


def test_a_path_longer_than_the_system_takes(tree: Path) -> None:
    assert answer("within_on_disk", f"{tree}/desk/{'/'.join(['..', 'desk'] * 3000)}", f"{tree}/desk") == UNTOLD
    assert answer("within_on_disk", f"{tree}/desk{'/src/deep/../..' * 200}", f"{tree}/desk") is True


@pytest.mark.skipif(not Path("/proc/self/root").is_symlink(), reason="only Linux has the links of /proc")
@pytest.mark.parametrize(
    "path", ["/proc/self/root/etc", "/proc/self/cwd", "/proc/self/fd/0", "/dev/fd/0", "/dev/stdin"]
)
def test_a_link_that_leads_elsewhere_for_every_process(path: str) -> None:
    assert answer("within_on_disk", path, "/") == UNTOLD


def test_the_paths_of_another_system_tell_nothing(tree: Path) -> None:
    assert answer("within_on_disk", "C:\\w\\x", "C:\\w", on="windows") == UNTOLD
    assert answer("within_on_disk", f"{tree}/desk", f"{tree}/desk", on="windows") == UNTOLD


def test_the_longest_path_is_bounded() -> None:
    with pytest.raises(EvalError) as failure:
        call("within_on_disk", "/" * 32_769, "/")
    assert failure.value.code is Code.TOO_LARGE


def test_its_result_goes_into_the_record_and_no_other_does() -> None:
    readers = {name for name, function in SYSTEMS["posix"].items() if function.reads_world}
    assert readers == {"within_on_disk"}


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(
        st.sampled_from(["..", ".", "src", "inner", "out", "parent", "secret", "desk", "back", "x.py", "keys"])
    )
)
def test_it_agrees_with_the_operating_system(tree: Path, names: list[str]) -> None:
    path = "/".join([f"{tree}/desk", *names])
    real = Path(os.path.realpath(path))
    found = answer("within_on_disk", path, f"{tree}/desk")
    if Path(path).exists():
        assert found is real.is_relative_to(tree / "desk")
    else:
        assert found in (real.is_relative_to(tree / "desk"), UNTOLD)


@given(
    st.text(st.sampled_from("/.\\ab~\0") | st.characters(), max_size=30),
    st.sampled_from(["posix", "folding", "windows"]),
)
def test_it_is_total(path: str, on: str) -> None:
    assert answer("within_on_disk", path, "/", on=on) in (True, False, UNTOLD)
    assert answer("within_on_disk", "/", path, on=on) in (True, False, UNTOLD)
