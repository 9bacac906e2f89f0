"""What holds for `within` and `glob` whatever the path; single paths stand in cases/."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from oap_core.cel.failure import Code, EvalError
from tests.core.cel.host.calls import SYSTEMS, UNTOLD, answer, call

NAMES = st.text("abAB.é\u0301-_ßſ 0\u200b", min_size=1, max_size=6).filter(
    lambda name: name.strip() == name and name not in {".", ".."}
)
FOLDERS = st.lists(NAMES, max_size=4).map(lambda names: "/" + "/".join(names))
TWISTS = st.lists(st.sampled_from(["/", "/.", "/x/..", "//", "/./y/../z/.."]), max_size=4).map("".join)
ON = st.sampled_from(["posix", "folding"])
HOSTILE = st.text(st.sampled_from("/\\.~$:% ab\x00\u0301\u212aé*?[]{}!^,-") | st.characters(), max_size=40)
SYSTEM = st.sampled_from(sorted(SYSTEMS))


@given(FOLDERS, st.lists(NAMES, max_size=3), ON)
def test_what_is_joined_to_a_folder_without_dots_lies_within_it(folder: str, names: list[str], on: str) -> None:
    assert call("within", "/".join([folder.rstrip("/"), *names]) or "/", folder, on=on) is True


@given(FOLDERS, st.lists(NAMES, min_size=1, max_size=3), ON)
def test_a_relative_path_without_dots_lies_within_every_folder(folder: str, names: list[str], on: str) -> None:
    path = "/".join(names)
    assert call("within", path, folder, on=on) is True
    assert call("within", path, folder, folder, on=on) is True


@given(FOLDERS.filter(lambda folder: folder != "/"), st.text("-_x0", min_size=1, max_size=3), NAMES, ON)
def test_a_neighbour_whose_name_begins_alike_never_lies_within(folder: str, more: str, name: str, on: str) -> None:
    assert call("within", f"{folder}{more}/{name}", folder, on=on) is False


@given(FOLDERS.filter(lambda path: path != "/"), FOLDERS, TWISTS, ON)
def test_detours_change_nothing(path: str, root: str, twist: str, on: str) -> None:
    # Written in at the end, a detour leads back to where the path was.
    for name, other in (("within", root), ("glob", "/*/**/a*"), ("glob", "**/[!b]?")):
        assert answer(name, path + twist + "/", other, on=on) == answer(name, path, other, on=on)


@given(FOLDERS, FOLDERS, FOLDERS, ON)
def test_within_passes_on(low: str, middle: str, top: str, on: str) -> None:
    low = middle.rstrip("/") + low
    if answer("within", middle, top, on=on) is True:
        assert call("within", low, top, on=on) is True
    if answer("within", low, top, on=on) is False:
        assert call("within", middle, top, on=on) is False


@given(st.lists(NAMES | st.just(".."), max_size=6).map("/".join), FOLDERS, FOLDERS, ON)
def test_a_start_is_as_good_as_an_absolute_path(path: str, base: str, root: str, on: str) -> None:
    assume(path)
    absolute = f"{base.rstrip('/')}/{path}"
    assert answer("within", path, root, base, on=on) == answer("within", absolute, root, on=on)
    assert answer("glob", path, "/**/a*", base, on=on) == answer("glob", absolute, "/**/a*", on=on)


@given(st.lists(NAMES | st.just(".."), min_size=1, max_size=6).map("/".join), FOLDERS, FOLDERS)
def test_without_a_start_a_relative_path_is_never_called_outside(path: str, root: str, start: str) -> None:
    found = answer("within", path, root)
    assert found in (True, UNTOLD)
    # Wherever below the root it starts, what is called inside is inside.
    if found is True and answer("within", start, root) is True and not path.startswith(".."):
        assert call("within", path, root, start) is True


@given(HOSTILE, st.sampled_from(["/w/app", "C:\\w"]) | HOSTILE, HOSTILE, SYSTEM)
@example("\ud800", "/w", "/", "posix")
@example("C:\\\udfff", "C:\\w", "C:\\", "windows")
def test_within_is_total(path: str, root: str, base: str, on: str) -> None:
    assert answer("within", path, root, on=on) in (True, False, UNTOLD)
    assert answer("within", path, root, base, on=on) in (True, False, UNTOLD)


@given(HOSTILE, HOSTILE, HOSTILE, SYSTEM)
@example("/\ud800", "**", "/", "posix")
@example("/a", "\ud800", "/", "posix")
@example("/a", "/[\ud800]", "/", "posix")
def test_glob_is_total(path: str, pattern: str, base: str, on: str) -> None:
    assert answer("glob", path, pattern, on=on) in (True, False, UNTOLD)
    assert answer("glob", path, pattern, base, on=on) in (True, False, UNTOLD)


PIECES = st.sampled_from(["*", "?", "[ab]", "[!a]", "a", "b", ".", "ab", "*a", "-"])
SEGMENTS = st.just("**") | st.lists(PIECES, min_size=1, max_size=4).map("".join).filter(
    lambda segment: "**" not in segment and segment not in {".", ".."}
)
PLAIN = st.text("ab.-", min_size=1, max_size=4).filter(lambda name: name not in {".", ".."})


def _matches(names: tuple[str, ...], segments: tuple[str, ...]) -> bool:
    """The definition of the pattern language, written down without a thought of cost."""
    if not segments:
        return not names
    if segments[0] == "**":
        return any(_matches(names[skipped:], segments[1:]) for skipped in range(len(names) + 1))
    return bool(names) and fnmatchcase(names[0], segments[0]) and _matches(names[1:], segments[1:])


@given(
    st.lists(PLAIN, max_size=5), st.lists(SEGMENTS, min_size=1, max_size=5), SYSTEM.filter(lambda on: on != "windows")
)
def test_glob_agrees_with_its_definition(names: list[str], segments: list[str], on: str) -> None:
    found = call("glob", "/" + "/".join(names), "/" + "/".join(segments), on=on)
    assert found is _matches(tuple(names), tuple(segments))


@given(
    st.lists(PLAIN, max_size=4),
    st.lists(SEGMENTS, max_size=2),
    st.lists(st.lists(SEGMENTS, min_size=1, max_size=2).map("/".join), min_size=2, max_size=3),
)
def test_braces_are_one_pattern_for_each_alternative(names: list[str], before: list[str], options: list[str]) -> None:
    path = "/" + "/".join(names)
    whole = "/".join(["", *before, "{" + ",".join(options) + "}"])
    assert call("glob", path, whole) is any(call("glob", path, "/".join(["", *before, option])) for option in options)


@cache
def _slow_patterns() -> tuple[str, ...]:
    return (
        "**/" + "*a" * 400 + "b",
        "/" + "**/" * 300 + "b",
        "**/{" + ",".join(f"*a*{number}" for number in range(60)) + "}*",
        "**/" + "[!b]" * 240 + "*b",
    )


def test_a_match_is_found_at_any_size() -> None:
    path = ("/" + "a" * 255) * 127
    assert call("glob", path + "/b", "/" + "**/" * 300 + "b") is True
    assert call("glob", path + "/" + "a" * 254 + "b", "**/" + "*a" * 250 + "b") is True
    assert call("glob", path + "/" + "a" * 248 + "b", "**/" + "*a" * 250 + "b") is False


@pytest.mark.parametrize("pattern", _slow_patterns(), ids=range(len(_slow_patterns())))
def test_no_pattern_makes_a_match_explode(pattern: str) -> None:
    # With a matcher that goes back and tries again none of these would end.
    assert call("glob", ("/" + "a" * 255) * 128, pattern) is False


@pytest.mark.parametrize("name", ["within", "within_on_disk", "glob"])
def test_the_longest_path_is_bounded(name: str) -> None:
    longest = "/" + "/".join(["a"] * 16_384)
    assert len(longest) == 32_768
    if name != "within_on_disk":
        assert answer(name, longest, "/") is (name == "within")
    with pytest.raises(EvalError) as failure:
        call(name, longest + "a", "/")
    assert failure.value.code is Code.TOO_LARGE


def test_a_name_is_no_longer_than_a_file_system_holds() -> None:
    assert call("within", "/w/" + "a" * 255, "/w") is True
    assert answer("within", "/w/" + "a" * 256 + "/../x", "/w") == UNTOLD
    # Combining marks in bad order take a time that grows with the square of their number to normalise.
    assert answer("within", "/w/a" + "\u0301\u0327" * 16_000, "/w") == UNTOLD


def test_a_pattern_is_bounded() -> None:
    assert call("glob", "/" + "a" * 255, "/" + "a" * 255) is True
    assert call("glob", "/x", "/" + "a" * 999) is False
    assert answer("glob", "/x", "/" + "a" * 1000) == "fails: too_large"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("/{" + "a," * 62 + "b,x}", True),
        ("/{" + "a," * 63 + "b,x}", UNTOLD),
        ("/{a,b}" * 6 + "{x,y}", UNTOLD),
        ("/{a,{b,{c,{d,{e,x}}}}}", True),
        ("/{x," + "a," * 30 + "}" + "c" * 900, UNTOLD),
    ],
)
def test_what_braces_multiply_to_is_bounded(pattern: str, found: bool | str) -> None:
    assert answer("glob", "/x", pattern) == found


@pytest.mark.parametrize(("starts", "sets", "found"), [(2, 1, False), (60, 1, UNTOLD), (60, 4, UNTOLD)])
def test_a_matcher_is_bounded_in_size(starts: int, sets: int, found: bool | str) -> None:
    # The two last are more instructions than one matcher gets, and more memory.
    one_of_many = "[" + "".join(map(chr, range(0x4E00, 0x4E00 + 400, 2))) + "]"
    options = ",".join(f"{chr(0x400 + number)}?" for number in range(starts))
    assert answer("glob", "/x", "/{" + options + "}" + one_of_many * sets) == found
