"""Holds what our reader found against the syntax tree of another one, tree-sitter-bash: both have to agree.

Each of the two misses things that the other sees. They have to find the same commands, assignments, redirections and
substitutions at the same places; then neither can be led astray alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import local
from typing import Final

import tree_sitter_bash
from tree_sitter import Language, Node, Parser, Point

from oap_shell.limits import TREE_NODES, refusal
from oap_shell.parts import Reading

_LANGUAGE: Final = Language(tree_sitter_bash.language())
_PARSERS: Final = local()
_CALLS: Final = 100
"""How often the parser may ask whether to go on; it does so after each hundred steps."""
_BYTES_A_CALL: Final = 8

_PROGRAMS: Final = frozenset(["command_name", "declaration_command", "unset_command"])
_SUBSTITUTIONS: Final = frozenset(["command_substitution", "process_substitution"])
_REFUSED: Final = frozenset(["ERROR", "function_definition", "c_style_for_statement"])


@dataclass(slots=True)
class _Seen:
    """What the tree holds."""

    commands: set[int] = field(default_factory=set)
    leading: set[int] = field(default_factory=set)
    targets: set[int] = field(default_factory=set)
    substitutions: set[tuple[int, int]] = field(default_factory=set)


def confirm(text: bytes, reading: Reading) -> None:
    """Answer where both readers agree about a text.

    Raises `EvalError` (invalid_argument) where they do not, where the tree has an error or a missing piece in it, and
    where making it takes too long.
    """
    seen = _Seen()
    for node, declared in _nodes(_parse(text)):
        kind = node.type
        if kind in _REFUSED or node.is_missing:
            raise refusal()
        if kind in _PROGRAMS or (kind == "test_command" and text[node.start_byte : node.start_byte + 1] == b"["):
            seen.commands.add(node.start_byte)
        elif kind in _SUBSTITUTIONS:
            # In a text in quotes, the blanks before one are taken for a part of it.
            lead = len(text[node.start_byte : node.end_byte]) - len(text[node.start_byte : node.end_byte].lstrip())
            seen.substitutions.add((node.start_byte + lead, node.end_byte))
        elif kind == "file_redirect":
            target = node.child_by_field_name("destination")
            if target is not None:
                seen.targets.add(target.start_byte)
        elif kind == "variable_assignment" and not declared:
            seen.leading.add(node.start_byte)
    if (
        seen.commands != {command.words[0].start for command in reading.commands}
        or seen.leading != reading.leading
        or seen.targets != reading.targets
        or seen.substitutions != reading.substitutions
    ):
        raise refusal()


def _parse(text: bytes) -> Node:
    parser: Parser | None = getattr(_PARSERS, "parser", None)
    if parser is None:
        parser = _PARSERS.parser = Parser(_LANGUAGE)
    calls = 0

    def rest(offset: int, _place: Point) -> bytes:
        return text[offset : offset + 4096]

    def hopeless(_offset: int, has_error: bool) -> bool:  # noqa: FBT001  # called by position
        nonlocal calls
        calls += 1
        return has_error or calls > _CALLS + len(text) // _BYTES_A_CALL

    try:
        root = parser.parse(rest, progress_callback=hopeless).root_node
    except ValueError:
        # It gave up as it was told to, and would go on from there in the next text.
        parser.reset()
        raise refusal() from None
    if root.has_error or root.descendant_count > TREE_NODES:
        raise refusal()
    return root


def _nodes(root: Node) -> Iterator[tuple[Node, bool]]:
    """Every node, with whether it is an argument of a declaration such as `export`."""
    cursor = root.walk()
    declarations: list[bool] = [False]
    while True:
        node = cursor.node
        if node is not None:
            yield node, declarations[-1]
        if cursor.goto_first_child():
            declarations.append(node is not None and node.type == "declaration_command")
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            declarations.pop()
