"""From the source of an expression to its tree: the one module that knows cel-python, and it knows the grammar alone.

`scan` has read the text before and left names, operators and brackets. cel-python's parser puts those into the order
that the grammar gives them, and its tree is turned into ours here. Nothing that cel-python says is shown to anybody.
"""

import warnings
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any, Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.limits import NESTING
from oap_core.cel.report import Report
from oap_core.cel.syntax import macros, mistakes
from oap_core.cel.syntax.source import Scan, scan
from oap_core.cel.tree import (
    Binary,
    Call,
    Ident,
    Index,
    ListLiteral,
    Logic,
    MapLiteral,
    Node,
    Select,
    Ternary,
    Unary,
)

_Tree = Any
"""A tree of cel-python's parser: `data` is the name of its rule, `children` are trees and tokens, `meta` has places."""


def parse(source: str, report: Report) -> Node | None:
    """Give the tree of an expression, or None where it has none; every problem goes to the report.

    The tree is at most `limits.NESTING` deep below its root. Any number of threads may parse at once. What is wrong
    with the host passes as it is and is no problem of the expression: a RecursionError where its stack is nearly used
    up, and a MemoryError.
    """
    found = scan(source, report)
    if found is None:
        return None
    try:
        node = _lowered(found, report)
    except _TooDeepError as error:
        mistake = mistakes.too_deep(error.start, error.end)
        report.add(mistake.code, mistake.start, mistake.end, mistake.message, mistake.advice)
        return None
    except _RefusedError:
        report.add(LoadCode.SYNTAX, 0, len(source), "this is not an expression of CEL")
        return None
    except (RecursionError, MemoryError):
        raise
    except Exception:  # noqa: BLE001  # whatever this is, it is no mistake of the author, and nobody knows the meaning
        report.add(LoadCode.PARSER, 0, 0, "the parser failed for a reason of its own", _OTHER_PARSER)
        return None
    return None if report.failed else node


_OTHER_PARSER: Final = "the expression may be right: check which version of cel-python is installed"


def _lowered(found: Scan, report: Report) -> Node:
    grammar = _grammar()
    try:
        tree = grammar.parse(found.masked)
    except grammar.refusals:
        # `scan` lets nothing pass that the grammar refuses. If it ever did, the expression has no meaning.
        raise _RefusedError from None
    return _Lowering(found, report, grammar).lower(tree, 0)


class _RefusedError(Exception):
    """The grammar does not know this text."""


class _TooDeepError(Exception):
    """A part that lies below more levels than are allowed."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__()
        self.start = start
        self.end = end


class _Grammar:
    """cel-python's parser, with the names of its rules as it spells them."""

    __slots__ = ("chains", "operators", "parse", "refusals", "rules")

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from celpy.celparser import CELParser, LexError, ParseError
        # There is one parser a process. Whoever needs it first makes it, perhaps with a class of trees of its own.
        while (parser := CELParser.CEL_PARSER) is None:
            CELParser()
        self.parse: Callable[[str], _Tree] = parser.parse
        self.refusals = (LexError, ParseError)
        names = _names(self.parse(_SAMPLE))
        self.rules: Mapping[str, _Rule] = {name: _RULES[name] for name in names if name in _RULES}
        self.operators: Mapping[str, str] = {name: _OPERATORS[name] for name in names if name in _OPERATORS}
        self.chains = frozenset(name for name in names if name in _CHAINS)


def _names(root: _Tree) -> list[str]:
    """The names of the rules in a tree, as the very objects that name them in every tree.

    They are texts of a class with a slow comparison, which a look-up does without where it meets the same object.
    """
    names: list[str] = []
    pending = [root]
    while pending:
        tree = pending.pop()
        if hasattr(tree, "children"):
            names.append(tree.data)
            pending.extend(tree.children)
    return names


_lock: Final = Lock()
_made: Final[list[_Grammar]] = []


def _grammar() -> _Grammar:
    """The parser, made on first use: its import takes longer than everything else in this package."""
    if not _made:
        with _lock:
            if not _made:
                _made.append(_Grammar())
    return _made[0]


class _Lowering:
    """One tree of cel-python's on its way to ours. The recursion ends `limits.NESTING` levels deep."""

    __slots__ = ("atoms", "chains", "masked", "operators", "report", "rules", "source")

    def __init__(self, found: Scan, report: Report, grammar: _Grammar) -> None:
        self.masked = found.masked
        self.atoms = found.atoms
        self.source = report.source
        self.report = report
        self.rules = grammar.rules
        self.operators = grammar.operators
        self.chains = grammar.chains

    def lower(self, tree: _Tree, depth: int) -> Node:
        """Turn a tree into a node that stands `depth` levels below the root."""
        tree = self.inside(tree)
        if depth > NESTING:
            raise _TooDeepError(tree.meta.start_pos, tree.meta.end_pos)
        return self.rules[tree.data](self, tree, tree.children, depth + 1)

    def inside(self, tree: _Tree) -> _Tree:
        """Skip parentheses and the levels of the grammar at which a tree has one part only."""
        chains = self.chains
        children = tree.children
        while len(children) == 1 and tree.data in chains:
            tree = children[0]
            children = tree.children
        return tree

    def several(self, tree: _Tree, depth: int) -> tuple[Node, ...]:
        """Turn everything in a list of expressions into nodes."""
        return tuple([self.lower(child, depth) for child in tree.children])

    def name(self, _: _Tree, children: list[_Tree], depth: int) -> Node:
        token = children[0]
        start, end = token.start_pos, token.end_pos
        atom = self.atoms.get(start)
        if atom is None:
            return Ident(start, end, start, self.source[start:end])
        if type(atom) is Select and depth + self.source.count(".", start, end) > NESTING + 1:
            raise _TooDeepError(start, end)
        return atom

    def select(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        operand = self.lower(children[0], depth)
        token = children[1]
        start, end = token.start_pos, token.end_pos
        field = self.source[start:end]
        if field[0] == "`":
            field = field.strip("`")
        return Select(tree.meta.start_pos, end, start, operand, field)

    def call(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        meta = tree.meta
        token = children[0]
        name = self.source[token.start_pos : token.end_pos]
        args = self.several(children[1], depth) if len(children) == 2 else ()
        call = Call(meta.start_pos, meta.end_pos, token.start_pos, name, None, args)
        return macros.expand_has(call, self.report) if name == "has" else call

    def method(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        meta = tree.meta
        target = self.lower(children[0], depth)
        token = children[1]
        name = self.source[token.start_pos : token.end_pos]
        args = self.several(children[2], depth) if len(children) == 3 else ()
        call = Call(meta.start_pos, meta.end_pos, token.start_pos, name, target, args)
        return macros.expand_method(call, target, self.report) if name in macros.NAMES else call

    def index(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        meta = tree.meta
        bracket = self.masked.index("[", children[0].meta.end_pos)
        operand = self.lower(children[0], depth)
        return Index(meta.start_pos, meta.end_pos, bracket, operand, self.lower(children[1], depth))

    def list_literal(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        meta = tree.meta
        items = self.several(children[0], depth) if children else ()
        return ListLiteral(meta.start_pos, meta.end_pos, meta.start_pos, items)

    def map_literal(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        meta = tree.meta
        parts = self.several(children[0], depth) if children else ()
        entries = tuple(zip(parts[::2], parts[1::2], strict=True))
        return MapLiteral(meta.start_pos, meta.end_pos, meta.start_pos, entries)

    def unary(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        start = tree.meta.start_pos
        operand = self.lower(children[1], depth)
        return Unary(start, tree.meta.end_pos, start, self.masked[start], operand)

    def binary(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        meta = tree.meta
        beginning = children[0]
        op = self.operators[beginning.data]
        left = self.lower(beginning.children[0], depth)
        right = self.lower(children[1], depth)
        return Binary(meta.start_pos, meta.end_pos, beginning.meta.end_pos - len(op), op, left, right)

    def disjunction(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        return self.logic(tree, children, depth, "||")

    def conjunction(self, tree: _Tree, children: list[_Tree], depth: int) -> Node:
        return self.logic(tree, children, depth, "&&")

    def logic(self, tree: _Tree, children: list[_Tree], depth: int, op: str) -> Node:
        meta = tree.meta
        rule = self.rules[tree.data]
        parts: list[_Tree] = []
        while True:
            parts.append(children[1])
            tree = self.inside(children[0])
            if self.rules[tree.data] is not rule:
                break
            children = tree.children
        parts.append(tree)
        terms: list[Node] = []
        for part in reversed(parts):
            term = self.lower(part, depth)
            if type(term) is Logic and term.op == op:
                terms.extend(term.terms)
            else:
                terms.append(term)
        return Logic(meta.start_pos, meta.end_pos, meta.start_pos, op, tuple(terms))

    def ternary(self, tree: _Tree, _: list[_Tree], depth: int) -> Node:
        meta = tree.meta
        condition, then, otherwise = self.several(tree, depth)
        return Ternary(meta.start_pos, meta.end_pos, meta.start_pos, condition, then, otherwise)


_Rule = Callable[[_Lowering, _Tree, list[_Tree], int], Node]

_RULES: Final[dict[str, _Rule]] = {
    "ident": _Lowering.name,
    "literal": _Lowering.name,
    "member_dot": _Lowering.select,
    "ident_arg": _Lowering.call,
    "member_dot_arg": _Lowering.method,
    "member_index": _Lowering.index,
    "list_lit": _Lowering.list_literal,
    "map_lit": _Lowering.map_literal,
    "unary": _Lowering.unary,
    "multiplication": _Lowering.binary,
    "addition": _Lowering.binary,
    "relation": _Lowering.binary,
    "conditionaland": _Lowering.conjunction,
    "conditionalor": _Lowering.disjunction,
    "expr": _Lowering.ternary,
}
_CHAINS: Final = frozenset(
    {
        "expr",
        "conditionalor",
        "conditionaland",
        "relation",
        "addition",
        "multiplication",
        "unary",
        "member",
        "primary",
        "paren_expr",
    }
)
_OPERATORS: Final = {
    "multiplication_mul": "*",
    "multiplication_div": "/",
    "multiplication_mod": "%",
    "addition_add": "+",
    "addition_sub": "-",
    "relation_lt": "<",
    "relation_le": "<=",
    "relation_gt": ">",
    "relation_ge": ">=",
    "relation_eq": "==",
    "relation_ne": "!=",
    "relation_in": "in",
}
_SAMPLE: Final = (
    '[a ? b || c && !d : -(e.f), f(), g(h).i(), j.k(l), m[n], {o: ""}, {}, []'
    ", a * b / c % d + e - f, a < b, a <= b, a > b, a >= b, a == b, a != b, a in b]"
)
"""An expression with everything in it."""
