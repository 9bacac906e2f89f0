"""`oap cel`: files of every kind, colours, and that no text whatever ends in anything but an exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oap_core import cli
from oap_core.cli.cel import cel
from oap_core.cli.files import MOST_BYTES
from oap_core.cli.verbs import VERBS, oap

EXAMPLES: Final = Path(__file__).parents[3] / "docs" / "examples"
CALL: Final = str(EXAMPLES / "call.json")
SCHEMA: Final = str(EXAMPLES / "schema.json")


def run(*arguments: str, **options: Any) -> Result:
    """Run the command; a stray exception fails the test."""
    return CliRunner(catch_exceptions=False).invoke(oap, ["cel", *arguments], **options)


def test_the_list_of_verbs_says_what_the_verbs_say() -> None:
    context = click.Context(oap)
    for name, (_, summary) in VERBS.items():
        command = oap.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(100) == summary


BROKEN: Final = {
    "byte order mark": (b'\xef\xbb\xbf{"a": 1}', "the text begins with a byte order mark"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "is UTF-16; save it as UTF-8"),
    "Latin-1": (b'{"a": "caf\xe9"}', "is not UTF-8 at byte 11"),
    "surrogate in UTF-8": (b'{"a": "\xed\xa0\x80"}', "is not UTF-8 at byte 8"),
    "too large": (b" " * (MOST_BYTES + 1), "is larger than 16 MB"),
    "a million levels": (b'{"a":' + b"[" * 1_000_000, "the text nests more than 256 levels deep"),
    "a number of a million digits": (b'{"a":' + b"9" * 1_000_000 + b"}", "a number has too many digits"),
}


@pytest.mark.parametrize("option", ["--input", "--schema"])
@pytest.mark.parametrize(("data", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_in_a_few_lines(tmp_path: Path, option: str, data: bytes, message: str) -> None:
    file = tmp_path / "note.json"
    file.write_bytes(data)
    result = run("1", option, str(file))
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr) < 1000
    assert result.stdout == ""


@pytest.mark.parametrize("name", ["x" * 5000, "missing/note.json", "\0"])
def test_a_file_that_cannot_be_read_is_named(name: str) -> None:
    result = run("1", "-i", name)
    assert result.exit_code == 2
    assert result.stderr.startswith("error  --input: ")
    assert len(result.stderr) < 1000


def test_a_name_that_no_file_can_have_is_an_unknown_variable() -> None:
    result = run("x" * 5000)
    assert result.exit_code == 3
    assert result.stderr.endswith("variables come from `--input FILE` or `--schema FILE`\n")


def test_an_expression_that_is_not_utf_8_is_refused() -> None:
    assert run("-", input=b'"\xff"').stderr == "error  EXPRESSION: standard input is not UTF-8 at byte 2\n"
    assert run('"\ud800"').stderr == "error  EXPRESSION: not UTF-8\n"


def test_the_largest_file_is_still_read(tmp_path: Path) -> None:
    file = tmp_path / "note.json"
    file.write_bytes(b'{"a": 1}'.ljust(MOST_BYTES))
    assert run("a", "-i", str(file)).exit_code == 0


def test_data_that_is_too_large_for_an_evaluation_is_a_failure(tmp_path: Path) -> None:
    file = tmp_path / "note.json"
    file.write_text(json.dumps({"a": list(range(300_000))}), encoding="utf-8")
    result = run("true", "-i", str(file))
    assert result.exit_code == 4
    assert "too_large" in result.stdout
    assert "the input holds more than 200,000 values or 4,000,000 characters of text" in result.stdout


def test_a_long_value_is_cut_for_a_person_and_whole_as_json(tmp_path: Path) -> None:
    file = tmp_path / "note.json"
    file.write_text(json.dumps({"a": "x" * 100_000}), encoding="utf-8")
    shown = run("a", "-i", str(file)).stdout
    assert len(shown) < 2500
    assert json.loads(run("a", "-i", str(file), "-j").stdout)["value"] == "x" * 100_000


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("true", "\x1b[32m\x1b[1mMATCH\x1b[0m"),
        ("false", "\x1b[33m\x1b[1mNO MATCH\x1b[0m"),
        ("1", "\x1b[1mVALUE\x1b[0m"),
    ],
)
def test_outcomes_are_coloured_on_a_terminal(expression: str, shown: str) -> None:
    assert run(expression, color=True).stdout.startswith(f"{shown}\n")


def test_failures_and_diagnostics_are_coloured_on_a_terminal() -> None:
    assert run("args.x", "-i", CALL, color=True).stdout.startswith("\x1b[31m\x1b[1mERROR\x1b[0m  no_such_key")
    assert run("x", color=True).stderr.startswith("\x1b[31m\x1b[1merror[CEL201]\x1b[0m 1:1")
    warned = run("args.amount == ''", "-i", CALL, color=True)
    assert warned.stderr.startswith("\x1b[33m\x1b[1mwarning[CEL305]\x1b[0m 1:13")


@pytest.mark.parametrize("arguments", [["true"], ["x"], ["args.x", "-i", CALL]])
def test_no_color_is_respected(arguments: list[str]) -> None:
    result = run(*arguments, color=True, env={"NO_COLOR": "1"})
    assert "\x1b" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["true"],
        ["x"],
        ["args.x", "-i", CALL],
        ["args.amount == ''", "-i", CALL],
        ["args.amount == 1", "-s", SCHEMA],
        ["args.amount == 1", "-s", SCHEMA, "-i", CALL],
    ],
)
def test_json_is_one_object_on_standard_output(arguments: list[str]) -> None:
    result = run(*arguments, "--json", color=True)
    assert result.stderr == ""
    assert isinstance(json.loads(result.stdout), dict)
    assert result.stdout.isascii()


def test_errors_warnings_and_diagnostics_have_the_same_members_as_json(tmp_path: Path) -> None:
    file = tmp_path / "note.json"
    file.write_text('{"args": {"amount": "1"}}', encoding="utf-8")
    invalid = json.loads(run("x", "--json").stdout)["diagnostics"][0]
    doubted = json.loads(run("args.amount == ''", "-i", CALL, "--json").stdout)["warnings"][0]
    unfit = json.loads(run("args.amount == 1", "-i", str(file), "-s", SCHEMA, "--json").stdout)["warnings"][0]
    failed = json.loads(run("args.x", "-i", CALL, "--json").stdout)["error"]
    assert list(invalid) == list(doubted) == list(unfit) == list(failed)
    assert list(failed.values())[2:6] == [1, 6, 1, 7]


def test_no_error_as_json_holds_a_value(tmp_path: Path) -> None:
    file = tmp_path / "note.json"
    file.write_text('{"args": {"token": "hunter2", "list": ["hunter2"]}}', encoding="utf-8")
    failing = [
        "args.tokens",
        "args[args.token]",
        "ip_in(args.token, '10.0.0.0/8')",
        "ip_in('10.0.0.1', args.list)",
        "duration(args.token)",
        "now.getHours(args.token)",
        "'x'.matches('(' + args.token)",
        "int(args.token)",
        "args.token > 1",
        "args.list[1]",
        "timestamp(args.token)",
        "args.token && true",
        "-args.token",
    ]
    for expression in failing:
        result = run(expression, "-i", str(file), "--json")
        assert result.exit_code == 4, expression
        assert "hunter2" not in result.output


ENDS: Final = {0, 3, 4}
PIECES: Final = [
    "args", ".amount", ".note", "subject", ".roles", "[0]", "[", "]", "(", ")", "1", "1u", "0.5", '"a"', "&&", "||", "!",
    "-", "+", "/", "%", "==", "<", "?", ":", ",", ".all(x,", ".map(x,", "x", "has(", "size(", "now", "{", "}", "\\", "true",
    "null", ".matches(", "timestamp(", "\0", "世", "\ufeff", "//", ".", "'", '"',
]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join) | st.text(max_size=20),
    st.sampled_from([[], ["-j"], ["-c"], ["-t"]]),
)
def test_no_expression_ends_in_anything_but_an_exit_code(expression: str, options: list[str]) -> None:
    for schema in ([], ["-s", SCHEMA]):
        result = run("-", "-i", CALL, *schema, *options, input=expression.encode("utf-8", "surrogatepass"))
        assert result.exit_code in ENDS | {2}
        assert result.exit_code != 2 or not expression.isprintable()


@pytest.fixture(name="note", scope="module")
def note_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notes") / "note.json"


@given(data=st.binary(max_size=40) | st.text(alphabet='{}[]:,"a0.e- \\u', max_size=30).map(str.encode))
def test_no_input_ends_in_anything_but_an_exit_code(note: Path, data: bytes) -> None:
    note.write_bytes(data)
    assert run("a == 1", "-i", str(note)).exit_code in ENDS | {2}
    assert run("a == 1", "-s", str(note)).exit_code in ENDS | {2}


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc") | st.text(max_size=2), inner),
    max_leaves=8,
)


@given(data=st.dictionaries(st.sampled_from("abc"), JSON, min_size=1), schema=JSON)
def test_any_data_and_any_schema_are_shown(note: Path, data: dict[str, object], schema: object) -> None:
    note.write_text(json.dumps(data), encoding="utf-8")
    document, described = note, note.with_name("schema.json")
    described.write_text(json.dumps({"properties": {"a": schema}}), encoding="utf-8")
    for expression in ("a", "a == b", "a.b.c < 1", "b[0] && c", "[a, b, c].map(x, x.a)"):
        assert run(expression, "-i", str(document)).exit_code in ENDS
        assert run(expression, "-i", str(document), "-s", str(described)).exit_code in ENDS


class Stop:
    """Stands in for the command, and ends as it is told."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def main(self, **_options: object) -> None:
        raise self.error


@pytest.mark.parametrize(
    ("error", "code", "shown"),
    [
        (KeyboardInterrupt(), 130, ""),
        (click.Abort(), 130, ""),
        (RuntimeError("hunter2"), 1, "oap: internal error, RuntimeError at oap_core.cli:"),
        (PermissionError(13, "hunter2"), 1, "oap: internal error, PermissionError at oap_core.cli:"),
        (RecursionError("hunter2"), 1, "oap: internal error, RecursionError at oap_core.cli:"),
        (SystemExit("hunter2"), 1, ""),
        (SystemExit(4), 4, ""),
    ],
    ids=repr,
)
def test_the_process_ends_in_an_exit_code(
    error: BaseException, code: int, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("oap_core.cli.verbs.oap", Stop(error))
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code
    errors = capsys.readouterr().err
    assert errors.startswith(shown)
    assert "hunter2" not in errors
    assert errors.count("\n") == bool(shown)


def test_a_usage_error_ends_with_two(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["oap", "cel"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert "an EXPRESSION is missing" in capsys.readouterr().err


def test_every_option_has_help() -> None:
    assert all(option.help for option in cel.params if isinstance(option, click.Option))
