"""Who may read the labels of a session, and how: a label that is added never loosens anything.

Labels only grow. So a wall or a gate may read them where more labels can only make it match more, and nothing else may
read them at all. For a condition that is accepted here holds: what it is not false for it is not false for with more
labels either. `&&` and `||` keep that, since a side that is false settles the result of `&&` whatever the other side is,
and `||` is false only where both sides are; `exists` is a long `||`, and so `all` over something else is a long `&&`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from oap_core.cel.definition import Definition
from oap_core.cel.references import path_of
from oap_core.cel.tree import Binary, Call, Has, Ident, Logic, Macro, MacroKind, Node, Ternary, Unary
from oap_core.diagnostic import Diagnostic
from oap_core.kinds import Effect
from oap_core.policy.checks.place import Condition
from oap_core.policy.codes import FileCode
from oap_core.policy.report import blame

__all__ = ["check_exception_labels", "check_labels"]

_SESSION: Final = ("session",)
_LABELS: Final = ("session", "labels")
_PREFIX: Final = "variables."
_HELP: Final = (
    '`"x" in session.labels`, `session.labels.exists(...)` and `size(session.labels) > n` can be read, '
    "joined by `&&` and `||`"
)

Definitions = Mapping[str, Definition]


def check_labels(condition: Condition, effect: Effect, problems: list[Diagnostic]) -> None:
    """Tell where a rule reads labels that may not, or reads them so that a label could loosen it."""
    labels = _Labels()
    root, definitions = condition.program.tree, condition.program.definitions
    if not effect.kind.reads_labels:
        message = f"`{effect.name}` may not read `session.labels`"
        help_ = "labels only grow, and only a wall or a gate may depend on them"
        _blame_reads(condition, labels, message, help_, problems)
        return
    for node, what in labels.loosening(root, definitions):
        message = f"with {what} the rule could stop matching when a label is added"
        span = condition.span(node)
        problems.append(blame(FileCode.LABELS_NEGATED, span, message, _HELP, file=condition.file))


def check_exception_labels(condition: Condition, problems: list[Diagnostic]) -> None:
    """Tell where an exception reads labels: it loosens, so it may not."""
    message = "an exception may not read `session.labels`"
    help_ = "labels only grow, and what loosens may not depend on them"
    _blame_reads(condition, _Labels(), message, help_, problems)


def _blame_reads(condition: Condition, labels: _Labels, message: str, help: str, problems: list[Diagnostic]) -> None:
    definitions = condition.program.definitions
    for node in labels.reads(condition.program.tree, definitions):
        through = f", not through `{node.name}` either" if type(node) is Ident and node.name in definitions else ""
        span = condition.span(node)
        problems.append(blame(FileCode.LABELS_IN_GRANT, span, message + through, help, file=condition.file))


class _Labels:
    """Looks at trees and those of the definitions that they read, each once."""

    __slots__ = ("_loosening", "_reading")

    def __init__(self) -> None:
        self._reading: dict[int, bool] = {}
        """Whether a definition reads labels, by identity."""
        self._loosening: dict[int, str | None] = {}
        """By what a definition could become false, by identity."""

    def reads(self, root: Node, definitions: Definitions) -> Iterator[Node]:
        """The parts of a tree that may read labels: paths and names of definitions."""
        pending = [root]
        while pending:
            node = pending.pop()
            path = path_of(node.operand) if isinstance(node, Has) else path_of(node)
            if path is None:
                pending.extend(reversed(node.children()))
            elif self._by_name(_name(node), definitions):
                yield _name(node)
            elif (path if not isinstance(node, Has) else (*path, node.field))[:2] in (_LABELS, _SESSION):
                yield node

    def read(self, node: Node, definitions: Definitions) -> bool:
        """Whether any part of a tree may read labels."""
        return any(True for _ in self.reads(node, definitions))

    def _by_name(self, node: Node, definitions: Definitions) -> bool:
        definition = definitions.get(node.name) if type(node) is Ident else None
        if definition is None:
            return False
        if id(definition) not in self._reading:
            self._reading[id(definition)] = self.read(definition.tree, definition.definitions)
        return self._reading[id(definition)]

    def loosening(self, node: Node, definitions: Definitions) -> Iterator[tuple[Node, str]]:
        """The parts of a condition by which a label more could make it false, each with what it is called."""
        if not self.read(node, definitions) or self._grows(node, definitions):
            return
        if isinstance(node, Logic):
            for term in node.terms:
                yield from self.loosening(term, definitions)
        elif isinstance(node, Ternary):
            if self.read(node.condition, definitions):
                yield node.condition, "labels in front of `?`"
            for branch in (node.then, node.otherwise):
                yield from self.loosening(branch, definitions)
        elif isinstance(node, Macro) and self._goes_over(node, definitions):
            assert node.predicate is not None
            yield from self.loosening(node.predicate, definitions)
        elif type(node) is Ident and node.name in definitions:
            what = self._by_what(definitions[node.name])
            if what is not None:
                yield node, what if _PREFIX in what else f"{what} in `{node.name}`"
        else:
            yield node, _called(node)

    def _by_what(self, definition: Definition) -> str | None:
        if id(definition) not in self._loosening:
            found = self.loosening(definition.tree, definition.definitions)
            self._loosening[id(definition)] = next((what for _, what in found), None)
        return self._loosening[id(definition)]

    def _grows(self, node: Node, definitions: Definitions) -> bool:
        """Whether a part is a reading of labels that a label more can only make true."""
        if isinstance(node, Has):
            return path_of(node.operand) == _SESSION
        if not isinstance(node, Binary):
            return False
        if node.op == "in":
            return _is_labels(node.right, definitions) and not self.read(node.left, definitions)
        if node.op in (">", ">="):
            return _is_size(node.left, definitions) and not self.read(node.right, definitions)
        if node.op in ("<", "<="):
            return _is_size(node.right, definitions) and not self.read(node.left, definitions)
        return False

    def _goes_over(self, node: Macro, definitions: Definitions) -> bool:
        """Whether the elements that a macro goes over can only become more, and one more can only make it true."""
        fixed = not self.read(node.target, definitions)
        if node.kind is MacroKind.EXISTS:
            return fixed or _is_labels(node.target, definitions)
        return node.kind is MacroKind.ALL and fixed


def _name(node: Node) -> Node:
    """The variable that a chain of members begins with."""
    while (below := getattr(node, "operand", None)) is not None:
        node = below
    return node


def _meant(node: Node, definitions: Definitions) -> tuple[Node, Definitions]:
    """What a name stands for, through all names on the way."""
    while type(node) is Ident and node.name in definitions:
        definition = definitions[node.name]
        node, definitions = definition.tree, definition.definitions
    return node, definitions


def _is_labels(node: Node, definitions: Definitions) -> bool:
    return path_of(_meant(node, definitions)[0]) == _LABELS


def _is_size(node: Node, definitions: Definitions) -> bool:
    meant, inner = _meant(node, definitions)
    if not isinstance(meant, Call) or meant.function != "size":
        return False
    return len(meant.children()) == 1 and _is_labels(meant.children()[0], inner)


def _called(node: Node) -> str:
    if isinstance(node, (Unary, Binary)):
        return f"`{node.op}`"
    if isinstance(node, Macro):
        return f"`{node.kind.value}`"
    if isinstance(node, Call):
        return f"`{node.function}`"
    return "a reading of `session.labels` like this one"
