"""Loading the CEL of one policy: conditions, variables and the holes of messages, against the tools that they speak about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.definition import Definition
from oap_core.cel.environment import Env
from oap_core.cel.parse import parse
from oap_core.cel.program import Program, load
from oap_core.cel.report import Report
from oap_core.cel.schema import either
from oap_core.cel.tree import Ident, Select, walk
from oap_core.cel.types import DYN, Type
from oap_core.cel.values import Value
from oap_core.diagnostic import Diagnostic, printable
from oap_core.errors import CelError
from oap_core.policy.catalog import ANY_ARGUMENTS, ToolDefinition
from oap_core.policy.codes import FileCode
from oap_core.policy.message import Hole, HoleError, Message, pieces
from oap_core.policy.nearest import nearest
from oap_core.policy.offers import FUNCTIONS
from oap_core.policy.report import blame, in_scalar, offset
from oap_core.policy.scope import Vocabulary
from oap_core.policy.tree import Scalar, Span
from oap_core.types import Stage

__all__ = ["Conditions", "Tools"]

Tools = frozenset[ToolDefinition] | None
"""The tools that a condition may meet, or None where they are not known."""

_ABOUT_ARGUMENTS: Final = (LoadCode.UNKNOWN_FIELD, LoadCode.MAYBE_ABSENT)
_VARIABLE: Final = re.compile(r"variables\s*\.\s*([A-Za-z_]\w*)", re.ASCII)
_MOST_NAMES: Final = 8
_NO_ARGUMENT: Final = re.compile("`args` has no field `([^`]*)`")


class Conditions:
    """The CEL of one policy. What is wrong is collected in `problems`, each mistake once."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        file: str | None,
        constants: Mapping[str, Value],
        variables: Mapping[str, Scalar],
        problems: list[Diagnostic],
        unknown: Iterable[str] = (),
    ) -> None:
        """`unknown` are constants that something is wrong with, so that what reads them may have any type."""
        self._vocabulary = vocabulary
        self._file = file
        self._constants = constants
        self._unknown = {f"constants.{name}": DYN for name in unknown}
        self._variables = variables
        self._problems = problems
        self._named = {name: _read(str(scalar.value)) & variables.keys() for name, scalar in variables.items()}
        self._circular = self._in_circles()
        self._loaded: dict[tuple[Stage, Tools, str], Program | None] = {}
        self._told: set[tuple[str, int, int]] = set()
        self.read: set[str] = set()
        """Names of the variables that something has read."""

    def _in_circles(self) -> frozenset[str]:
        """Variables that read themselves, directly or through others."""
        found = set()
        for name in self._variables:
            seen: set[str] = set()
            pending = list(self._named[name])
            while pending:
                one = pending.pop()
                if one not in seen:
                    seen.add(one)
                    pending.extend(self._named[one])
            if name in seen:
                found.add(name)
                scalar = self._variables[name]
                message = f"the variable `{name}` reads itself"
                if others := sorted(seen - {name}):
                    shown = others[:_MOST_NAMES]
                    message += f" through `{shown[0]}`" if len(others) == 1 else f" through `{'`, `'.join(shown)}`"
                    message += f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
                self._problems.append(blame(FileCode.CIRCULAR_VARIABLE, scalar.span, message, file=self._file))
        return frozenset(found)

    def env(self, stage: Stage, tools: Tools, names: Iterable[str]) -> Env:
        """The declarations for a condition that names these variables."""
        definitions: dict[str, Definition] = {}
        failed: list[str] = []
        for name in sorted(self._variables.keys() & set(names)):
            self.read.add(name)
            program = self._variable(name, stage, tools)
            if program is None:
                failed.append(name)
            else:
                definitions[name] = program
        env = self._vocabulary.env(stage, either_arguments(tools), self._constants, definitions)
        if tools:
            env = self._vocabulary.knowing(env, (tool.id for tool in tools))
        if not failed and not self._unknown:
            return env
        # What failed is told of once; what reads it may have any type.
        unknown = {**self._unknown, **{f"variables.{name}": DYN for name in failed}}
        return replace(env, variables={**env.variables, **unknown})

    def _variable(self, name: str, stage: Stage, tools: Tools) -> Program | None:
        if name in self._circular:
            return None
        key = (stage, tools, name)
        if key not in self._loaded:
            scalar = self._variables[name]
            self._loaded[key] = self.load(scalar, str(scalar.value), stage, tools, condition=False)
        return self._loaded[key]

    def load(
        self,
        scalar: Scalar,
        source: str,
        stage: Stage,
        tools: Tools,
        *,
        condition: bool = True,
        start: int = 0,
        absent: bool = False,
    ) -> Program | None:
        """Load an expression that begins at an offset of a value; None where it is wrong, which is then told.

        With `absent` nothing is told of a read of what may be absent.
        """
        env = self.env(stage, tools, _named(source))
        try:
            return load(source, env, condition=condition)
        except CelError as error:
            for one in error.diagnostics:
                if absent and one.code == LoadCode.MAYBE_ABSENT:
                    continue
                found = self._of_variable(one, source)
                self._tell(in_scalar(_explained(found, tools), source, scalar, self._file, start))
            return None

    def _of_variable(self, found: Diagnostic, source: str) -> Diagnostic:
        """Say which variable of the policy there is none of: a condition sees only those that it names."""
        if found.code != LoadCode.UNKNOWN_VARIABLE:
            return found
        read = _VARIABLE.match(source, offset(source, found.line, found.column))
        if read is None:
            return found
        near = nearest(read[1], self._variables, told=len(self._problems))
        known = ", ".join(f"`{name}`" for name in list(self._variables)[:_MOST_NAMES])
        help_ = f"did you mean `{near}`?" if near else f"the variables here are {known}"
        if not known:
            help_ = "give it a value under `variables`"
        report = Report(source)
        begin, end = report.place(read.start(1)), report.place(read.end(1))
        message = f"there is no variable `{printable(read[1])}`"
        return Diagnostic(found.code, message, *begin, *end, help=help_, file=found.file, severity=found.severity)

    def _tell(self, found: Diagnostic) -> None:
        """Tell of one mistake once: a variable is loaded for each selection of tools that reads it."""
        place = (found.code, found.line, found.column)
        if place not in self._told:
            self._told.add(place)
            self._problems.append(found)

    def constraint(self, source: str, stage: Stage) -> frozenset[str] | None:
        """The only tools that a condition can hold for, found before it is known what their arguments are."""
        try:
            return load(source, self.env(stage, None, _named(source))).tool_constraint()
        except CelError:
            return None

    def message(self, scalar: Scalar, stage: Stage, tools: Tools, *, for_model: bool) -> Message | None:
        """Load the holes of a text; None where one is wrong, which is then told."""
        text = str(scalar.value)
        parts: list[str | Program] = []
        wrong = False
        try:
            found = list(pieces(text))
        except HoleError as error:
            place = scalar.place(error.offset)
            span = Span(*place, place[0], place[1] + 1)
            self._problems.append(blame(FileCode.MESSAGE_HOLE, span, str(error), file=self._file))
            return None
        for piece in found:
            if not isinstance(piece, Hole):
                parts.append(piece)
                continue
            program = self.load(scalar, piece.source, stage, tools, condition=False, start=piece.offset)
            if program is None:
                wrong = True
            else:
                parts.append(program)
                if for_model and any(_root(path) == "result" for path in program.all_references):
                    wrong = True
                    self._launders(scalar, piece)
        return None if wrong else Message(text, tuple(parts))

    def _launders(self, scalar: Scalar, hole: Hole) -> None:
        begin, end = scalar.place(hole.offset), scalar.place(hole.offset + len(hole.source))
        message = "`message` is shown to the model outside the wrap of a result and may not hold text of the result"
        span = Span(*begin, *max(begin, end))
        self._problems.append(blame(FileCode.RESULT_IN_MESSAGE, span, message, "use `note`", file=self._file))


def either_arguments(tools: Tools) -> Type:
    """The type of the arguments of any of these tools."""
    if not tools:
        return ANY_ARGUMENTS
    found = either(tool.arguments for tool in sorted(tools, key=lambda tool: tool.id))
    return ANY_ARGUMENTS if any(tool.arguments is ANY_ARGUMENTS for tool in tools) else found


def _named(source: str) -> set[str]:
    """The names behind `variables.` in an expression, and perhaps some that stand in a text of it."""
    # To parse an expression takes most of the time of a load, so it is done once.
    return _read(source) if "//" in source or "`" in source else set(_VARIABLE.findall(source))


def _read(source: str) -> set[str]:
    """The names behind `variables.` that an expression reads."""
    tree = parse(source, Report(source)) if "variables" in source else None
    if tree is None:
        return set()
    return {
        node.field
        for node in walk(tree)
        if isinstance(node, Select) and type(node.operand) is Ident and node.operand.name.lstrip(".") == "variables"
    }


def _root(path: str) -> str:
    return path.partition(".")[0].partition("[")[0]


def _explained(found: Diagnostic, tools: Tools) -> Diagnostic:
    """Say which tools an argument is missing from, and which plugin offers a function."""
    if found.code == LoadCode.UNKNOWN_FUNCTION:
        offered = next((name for name in FUNCTIONS if f"`{name}`" in found.message), None)
        if offered is not None:
            return replace(found, help=f"`{FUNCTIONS[offered]}` offers it: enable it under `plugins`")
    if found.code in _ABOUT_ARGUMENTS and tools and "args" in found.message:
        names = sorted(tool.id for tool in tools)
        shown = ", ".join(f"`{name}`" for name in names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        argument = _NO_ARGUMENT.fullmatch(found.message)
        if argument is None:
            return replace(found, message=f"{found.message}, for {shown}")
        none = "no argument of" if len(names) == 1 else "an argument of none of"
        return replace(found, message=f"`{argument[1]}` is {none} {shown}")
    return found
