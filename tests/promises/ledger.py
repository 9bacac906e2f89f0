"""Holds the promise list and the test tree against each other, without running a test.

Markers are read from the source text, so a marker has to be written out where it can be read: on a test function, with
ids as literal strings.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.promises.entry import Changed, Deferred, Group, Tested

Function = ast.FunctionDef | ast.AsyncFunctionDef

_NOT_A_PROOF = ("skip", "xfail")


@dataclass(frozen=True, slots=True)
class MarkedTests:
    """What the test tree says about promises."""

    by_id: dict[str, set[str]]
    """For each promised id the tests that are marked with it, as `tests/core/test_x.py::test_name`."""
    existing: set[str]
    """Every test function of the tree."""
    void: set[str]
    """Tests that are marked to be skipped or to fail, and so prove nothing."""
    faults: list[str]
    """Markers that cannot be read."""


def faults(groups: Iterable[Group], root: Path) -> list[str]:
    """Return one line for each way in which the promise list and the tests under `root` disagree."""
    groups = tuple(groups)
    marked = read_markers(root)
    found = [*_malformed(groups), *marked.faults]
    entries = {guarantee.id: guarantee for group in groups for guarantee in group.guarantees}
    for guarantee in entries.values():
        for test in guarantee.tests:
            if test not in marked.existing:
                found.append(f"{guarantee.id} names {test}, which does not exist")
            elif test not in marked.by_id.get(guarantee.id, ()):
                found.append(f"{guarantee.id} names {test}, which does not carry its marker")
            elif test in marked.void:
                found.append(f"{guarantee.id} names {test}, which is marked to be skipped or to fail")
    for id_, tests in marked.by_id.items():
        if id_ not in entries:
            found.extend(f"{test} is marked with {id_}, which is no promise" for test in sorted(tests))
        else:
            unlisted = tests - set(entries[id_].tests)
            found.extend(f"{test} is marked with {id_}, whose entry does not name it" for test in sorted(unlisted))
    return found


def read_markers(root: Path) -> MarkedTests:
    """Read every `pytest.mark.guarantee` in the test files of the core and of the plugins."""
    marked = MarkedTests(defaultdict(set), set(), set(), [])
    for file in sorted((*root.glob("tests/**/test_*.py"), *root.glob("plugins/*/tests/**/test_*.py"))):
        place = file.relative_to(root).as_posix()
        tree = ast.parse(file.read_text(encoding="utf-8"), place)
        readable: set[ast.expr] = set()
        for function in _test_functions(tree):
            test = f"{place}::{function.name}"
            marked.existing.add(test)
            for decorator in function.decorator_list:
                if _marker(decorator) in _NOT_A_PROOF:
                    marked.void.add(test)
                ids = _promised(decorator)
                if ids:
                    readable.add(decorator)
                for id_ in ids:
                    marked.by_id[id_].add(test)
        marked.faults.extend(_unreadable(tree, readable, place))
    return marked


def _malformed(groups: tuple[Group, ...]) -> Iterator[str]:
    counted = Counter(guarantee.id for group in groups for guarantee in group.guarantees)
    yield from (f"{id_} stands in the list {times} times" for id_, times in counted.items() if times > 1)
    for guarantee in (guarantee for group in groups for guarantee in group.guarantees):
        texts = [guarantee.sentence]
        if isinstance(guarantee.status, Changed):
            texts.append(guarantee.status.now)
        yield from (f"{guarantee.id} is no sentence: {text}" for text in texts if not _is_sentence(text))
        match guarantee.standing:
            case Tested(tests) if not tests:
                yield f"{guarantee.id} is said to be tested, by no test"
            case Deferred(reason) if not reason.strip():
                yield f"{guarantee.id} is deferred without a reason"
            case _:
                pass


def _is_sentence(text: str) -> bool:
    return " " in text and text.endswith(".")


def _test_functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in tree.body if isinstance(node, Function) and node.name.startswith("test_"))


def _marker(node: ast.expr) -> str | None:
    """Return the name of a `pytest.mark.<name>`, with or without arguments, or None for anything else."""
    match node:
        case ast.Call(func=target):
            return _marker(target)
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="pytest"), attr="mark"), attr=name):
            return name
        case _:
            return None


def _promised(decorator: ast.expr) -> list[str]:
    """Return the ids of a readable `guarantee` marker, none for anything else."""
    if not isinstance(decorator, ast.Call) or _marker(decorator) != "guarantee" or decorator.keywords:
        return []
    ids = [argument.value for argument in decorator.args if isinstance(argument, ast.Constant)]
    readable = [id_ for id_ in ids if isinstance(id_, str)]
    return readable if len(readable) == len(decorator.args) else []


def _unreadable(tree: ast.Module, readable: set[ast.expr], place: str) -> Iterator[str]:
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr != "guarantee" or _marker(node) is None:
            continue
        if calls.get(id(node)) not in readable:
            yield f"{place}:{node.lineno} has a guarantee marker that is not on a test function, or without literal ids"
