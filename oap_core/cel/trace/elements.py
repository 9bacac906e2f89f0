"""What is said about the elements that a macro went over."""

from oap_core.cel.render import value_text
from oap_core.cel.trace.operands import SHOWN
from oap_core.cel.tree import MacroKind
from oap_core.cel.values import Value


def element_note(elements: tuple[Value, ...], number: int) -> str:
    """Which element decided, and what it is."""
    shown = value_text(elements[number], SHOWN)
    return (
        f"element {number + 1} of {len(elements):,} is {shown}" if len(elements) > 1 else f"the one element is {shown}"
    )


def elements_note(kind: MacroKind, count: int, holding: int, *, outcome: bool) -> str:
    """How many elements there are, where no single one decided; `holding` is for how many the predicate is true."""
    if not count:
        return "there are no elements"
    if kind is MacroKind.EXISTS_ONE and holding:
        return f"{holding:,} of the {count:,} elements"
    return f"{'each' if outcome else 'none'} of the {count:,} elements"
