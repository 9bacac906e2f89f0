"""The largest text and the longest list that a function may build, asked about before anything is built."""

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import ACTIVATION_NODES, TEXT_CHARACTERS


def bound_text(size: int) -> None:
    """Let a text of `size` characters, or bytes of that length, be built. Raises `EvalError` (too_large)."""
    if size > TEXT_CHARACTERS:
        raise EvalError(Code.TOO_LARGE)


def bound_list(count: int) -> None:
    """Let a list of `count` elements be built. Raises `EvalError` (too_large)."""
    if count > ACTIVATION_NODES:
        raise EvalError(Code.TOO_LARGE)
