"""Every expression on a page gives what the page says, and every page of a diagnostic shows what it is about."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import oap_core
from docs.generate import evaluation_errors, functions, json_schema, limits, operators
from docs.generate.diagnostics import ENTRIES, FILE_ENTRIES, GROUPS
from docs.generate.diagnostics import JSON as JSON_CODES
from docs.generate.diagnostics import project as projects
from docs.generate.diagnostics.entry import SCHEMA, Entry, found
from docs.generate.diagnostics.project import FileEntry
from oap_core.cel import schema as schema_module
from oap_core.cel.activation import freeze
from oap_core.cel.codes import TITLES, LoadCode
from oap_core.cel.environment import Env
from oap_core.cel.failure import Code
from oap_core.cel.functions import Function
from oap_core.cel.library import FUNCTIONS
from oap_core.cel.program import load
from oap_core.cel.schema import type_from_schema
from oap_core.cel.trial import Trial, attempt
from oap_core.cel.types import ObjectType
from oap_core.cel.values import Timestamp, equals
from oap_core.errors import CelError
from oap_core.policy.codes import TITLES as FILE_TITLES
from oap_core.policy.codes import FileCode
from oap_core.strict_json import JsonCode, read
from tests.docs.blocks import EXAMPLES, Example, blocks, examples

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGES: Final = sorted([*DOCS.rglob("*.md"), DOCS.parent / "README.md"])
NOW: Final = Timestamp(1_764_547_200 * 10**9)
PLUGINS: Final = [function for listed in functions.plugin_functions().values() for function in listed]
WITHOUT_EXAMPLE: Final = {FileCode.UNREADABLE, FileCode.CONSTANT}
"""What no text of a file within the bounds can show."""

ALL: Final = [
    pytest.param(example, id=f"{page.relative_to(DOCS.parent)}:{example.line}: {example.expression[:60]}")
    for page in PAGES
    for example in examples(page.read_text(encoding="utf-8"))
]


def tried(example: Example, expression: str) -> Trial:
    """Try an expression on the data of an example."""
    described = None if example.schema is None else type_from_schema(example.schema, closed=True)
    assert described is None or isinstance(described, ObjectType)
    return attempt(expression, example.document, described, NOW, condition=example.condition)


def outcome(example: Example) -> str | None:
    """Return how the example ends if it gives no value, in the words of a page."""
    try:
        failure = tried(example, example.expression).failure
    except CelError as error:
        return ", ".join(sorted({str(diagnostic.code) for diagnostic in error.diagnostics}))
    return None if failure is None else f"error: {failure.code}"


def value_with_plugins(expression: str) -> object:
    return load(expression, Env({}, functions=FUNCTIONS.extended(PLUGINS)), condition=False).evaluate(freeze({}))


@pytest.mark.parametrize("example", ALL)
def test_example(example: Example) -> None:
    if example.plugins:
        assert equals(value_with_plugins(example.expression), value_with_plugins(example.expected))
        return
    if re.match(r"error: |CEL[0-9]", example.expected):
        assert outcome(example) == example.expected
        return
    assert outcome(example) is None
    result, expected = tried(example, example.expression).result, tried(example, example.expected).result
    assert type(result) is type(expected)
    assert equals(result, expected), result


def test_many_examples_are_found_on_many_pages() -> None:
    pages = {str(example.id).partition(":")[0] for example in ALL}
    assert {"docs/guide/cel.md", "docs/reference/functions.md", "docs/reference/operators-and-macros.md"} <= pages
    assert len(ALL) > 200


@pytest.mark.parametrize(
    ("text", "message"),
    [("```cel\n1 + 1\n```\n", "nothing is said"), ("```cel odd\n1 // => 1\n```\n", "unknown mark")],
)
def test_a_block_that_would_not_be_tested_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(examples(text))


def test_examples_speak_about_what_stands_before_them() -> None:
    text = (
        '# A\n```cel\nargs.amount // => 180\n```\n```json input\n{"a": 1}\n```\n'
        "```cel schema\na\n  + 1 // => 2\n```\n## B\n```cel condition\ntrue // => CEL101\n```\n"
    )
    one, two, three = examples(text)
    assert (one.expression, one.expected, one.schema, one.condition) == ("args.amount", "180", None, False)
    assert (two.expression, two.expected, two.document) == ("a\n  + 1", "2", {"a": 1})
    assert two.schema is not None
    assert one.document == three.document == json.loads((EXAMPLES / "call.json").read_text(encoding="utf-8"))
    assert three.condition


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_are_of_a_known_language(page: Path) -> None:
    known = {"cel", "console", "json", "mermaid", "python", "sh", "text", "toml", "yaml"}
    found_blocks = list(blocks(page.read_text(encoding="utf-8")))
    assert {block.language for block in found_blocks} <= known
    assert page.read_text(encoding="utf-8").count("```") == 2 * len(found_blocks)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_prose_is_wrapped(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert [line for line in prose.splitlines() if len(line) > 120 and not line.startswith("|")] == []


def test_every_example_of_every_function_is_on_its_page() -> None:
    on_page = {
        example.expression for example in examples((DOCS / "reference/functions.md").read_text(encoding="utf-8"))
    }
    assert {expression for function in (*FUNCTIONS, *PLUGINS) for expression, _ in function.examples} == on_page


@pytest.mark.parametrize("function", [*FUNCTIONS, *PLUGINS], ids=lambda function: function.name)
def test_every_function_has_an_example_that_calls_it(function: Function) -> None:
    assert any(function.name in expression for expression, _ in function.examples)


def test_the_example_call_fits_the_example_schema() -> None:
    call, schema = (json.loads((EXAMPLES / name).read_text(encoding="utf-8")) for name in ("call.json", "schema.json"))
    described = type_from_schema(schema, closed=True)
    assert isinstance(described, ObjectType)
    assert attempt("true", call, described, NOW).misfits == ()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_what_to_avoid_has_exactly_this_code(entry: Entry) -> None:
    if entry.code is LoadCode.PARSER:
        # It is no mistake of a condition.
        assert (entry.avoid, entry.prefer) == (None, None)
        return
    assert entry.avoid is not None
    assert {diagnostic.code for diagnostic in found(entry.avoid)} == {entry.code}
    assert entry.prefer is not None
    assert found(entry.prefer) == ()


@pytest.mark.parametrize("entry", FILE_ENTRIES, ids=lambda entry: entry.code)
def test_files_to_avoid_have_exactly_this_code(entry: FileEntry) -> None:
    if entry.code in WITHOUT_EXAMPLE:
        assert (entry.avoid, entry.prefer) == ((), ())
        return
    told = projects.found((*entry.beside, *entry.avoid)).diagnostics
    assert {(diagnostic.code, diagnostic.severity) for diagnostic in told} == {(entry.code.value, entry.severity)}
    assert projects.found((*entry.beside, *entry.prefer)).diagnostics == ()


def test_an_example_names_no_place_of_the_machine() -> None:
    for entry in FILE_ENTRIES:
        if not entry.avoid:
            continue
        names = {file.name for file in (*entry.beside, *entry.avoid)}
        for diagnostic in projects.found((*entry.beside, *entry.avoid)).diagnostics:
            assert diagnostic.file in names or entry.code is FileCode.MISSING_FILE


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert [entry.code for entry in ENTRIES] == list(LoadCode) == list(TITLES)
    assert [entry.code for entry in FILE_ENTRIES] == list(FileCode) == list(FILE_TITLES)
    assert {file.stem for file in (DOCS / "reference/diagnostics").iterdir()} == {*LoadCode, *FileCode}
    assert {code[:4] for code in (*LoadCode, *FileCode)} == set(GROUPS)
    assert list(JSON_CODES) == list(JsonCode)


def test_every_code_of_a_file_is_told_somewhere() -> None:
    names = {
        name
        for file in Path(oap_core.__path__[0]).rglob("*.py")
        if file.name != "codes.py"
        for name in re.findall(r"FileCode\.([A-Z_]+)", file.read_text(encoding="utf-8"))
    }
    assert {code.name for code in FileCode} == names


def test_every_error_of_an_evaluation_has_an_example_or_none_is_possible() -> None:
    assert list(evaluation_errors.EXAMPLES) == list(Code)
    without = [code for code, example in evaluation_errors.EXAMPLES.items() if example.expression is None]
    assert without == [Code.INTERNAL]


def public_numbers() -> Iterator[tuple[str, str, int]]:
    """Every public whole number that a module of the core defines as a constant, found by importing all of them."""
    for info in pkgutil.walk_packages(oap_core.__path__, "oap_core."):
        if not info.name.endswith("__main__"):
            module = importlib.import_module(info.name)
            text = Path(str(module.__file__)).read_text(encoding="utf-8")
            for name in re.findall(r"^([A-Z][A-Z0-9_]*)\b[^=\n]*=", text, re.MULTILINE):
                if type(vars(module)[name]) is int:
                    yield info.name.removeprefix("oap_core."), name, vars(module)[name]


def test_every_limit_of_the_core_is_on_the_page_and_what_is_none_is_named() -> None:
    rows = [row.split(" | ") for row in limits.page().splitlines() if row.startswith("| `")]
    on_page = {(row[-1].strip("` |"), row[0].strip("`| "), int(row[1].replace(",", ""))) for row in rows}
    others = {(module, name) for module, names in limits.NO_LIMITS.items() for name in names}
    found = set(public_numbers())
    assert len(found) > 40
    assert on_page == {entry for entry in found if entry[:2] not in others}
    assert others <= {entry[:2] for entry in found}


def test_operators_are_all_on_the_page() -> None:
    page = operators.page().replace("\\|", "|")
    table = page.partition("## Operators")[2].partition("\n## ")[0]
    written = {
        each for row in re.findall(r"^\| (`.*?`) \| ", table, re.MULTILINE) for each in re.findall(r"`(.+?)`", row)
    }
    signs = {sign for text in written for sign in re.findall(r"[=!<>]=|&&|\|\||\bin\b|[<>!*/%+?-]", text)}
    assert signs == {"==", "!=", "<", "<=", ">", ">=", "in", "&&", "||", "!", "-", "+", "*", "/", "%", "?"}
    for macro in ("has", "all", "exists", "exists_one", "filter", "map"):
        assert re.search(rf"^\| `(a\.)?{macro}\(", page, re.MULTILINE)


def test_every_word_that_a_schema_is_read_by_is_on_the_page() -> None:
    text = inspect.getsource(schema_module)
    read_by = set(re.findall(r'schema\.get\("(\$?\w+)"', text)) | set(re.findall(r'"(\w+)" in schema', text))
    named = {
        word
        for words in re.findall(r"(?:for word in |_WORDS: Final = )\((.*?)\)", text)
        for word in re.findall(r"\w+", words)
    }
    branches = set(re.findall(r'for word in \("(\w+)", "(\w+)"\) if', text).pop())
    words = {word for words, _ in json_schema.WORDS for word in words}
    assert {"type", "$ref", "const", "properties"} <= read_by | named
    assert read_by | named | branches | {"additionalProperties", "unevaluatedProperties"} == words


def test_the_schema_of_the_diagnostics_is_the_example() -> None:
    assert SCHEMA == EXAMPLES / "schema.json"
    assert read(SCHEMA.read_text(encoding="utf-8"))
