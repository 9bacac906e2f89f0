"""Making diagnostics about files, each from a code, a place and a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from oap_core.diagnostic import Diagnostic, Severity
from oap_core.policy.codes import FileCode
from oap_core.policy.tree import Scalar, Span

__all__ = ["blame", "failed", "in_scalar", "offset", "ordered", "warn", "without_echoes"]


_BETWEEN: Final = 2
"""Most characters between a sign or a key of YAML and the value that it belongs to."""


def blame(code: FileCode, span: Span, message: str, help: str | None = None, *, file: str | None) -> Diagnostic:
    """An error at a span."""
    return Diagnostic(code.value, message, span.line, span.column, span.end_line, span.end_column, help=help, file=file)


def warn(code: FileCode, span: Span, message: str, help: str | None = None, *, file: str | None) -> Diagnostic:
    """A warning at a span: what is said is odd, and means what it says."""
    return Diagnostic(
        code.value,
        message,
        span.line,
        span.column,
        span.end_line,
        span.end_column,
        help=help,
        file=file,
        severity=Severity.WARNING,
    )


def in_scalar(found: Diagnostic, source: str, scalar: Scalar, file: str | None, start: int = 0) -> Diagnostic:
    """A diagnostic about a text inside a value, moved to where that text lies in the file.

    `source` is the text that the positions of `found` speak about, and `start` its offset in the value.
    """
    begin = scalar.place(start + offset(source, found.line, found.column))
    end = max(begin, scalar.place(start + offset(source, found.end_line, found.end_column)))
    return Diagnostic(found.code, found.message, *begin, *end, help=found.help, file=file, severity=found.severity)


def offset(text: str, line: int, column: int) -> int:
    """Offset of a place in a text."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return start + column - 1


def ordered(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each once, by file and place."""
    distinct = dict.fromkeys(diagnostics)
    return tuple(sorted(distinct, key=lambda one: (one.file or "", one.line, one.column, one.code, one.message)))


def without_echoes(text: Iterable[Diagnostic], others: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What is wrong with the text of files, and of the others those that say something about another place.

    A value that cannot be read rightly is seldom one that its key can have, and to say so twice helps nobody.
    """
    first = list(text)
    by_line: dict[tuple[str | None, int], list[Diagnostic]] = {}
    for one in first:
        by_line.setdefault((one.file, one.line), []).append(one)
    return [
        *first,
        *(one for one in others if not any(_echoes(one, of) for of in by_line.get((one.file, one.line), ()))),
    ]


def _echoes(one: Diagnostic, of: Diagnostic) -> bool:
    """Whether one stands in the same value of a line as another, or directly behind it."""
    if of.column <= one.column <= of.end_column + _BETWEEN:
        return True
    return one.end_line == one.line and one.column <= of.column < one.end_column


def failed(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of them is an error."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
