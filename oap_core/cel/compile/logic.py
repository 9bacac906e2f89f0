"""`&&`, `||` and `? :`, with CEL's absorption of errors.

`false && error` and `error && false` are both false; an error counts only where no other term settles the result.
"""

from oap_core.cel.compile.piece import Frame, Piece, Roots, Run, literal
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.values import Value


def logic(symbol: str, terms: tuple[Piece, ...], offset: int) -> Piece:
    """`a && b && ...` or `a || b || ...`."""
    settles = symbol == "||"
    left_over = tuple(term for term in terms if not (term.known and term.value is not settles and term.boolean))
    if any(term.known and term.value is settles for term in left_over):
        return literal(settles, offset)
    if not left_over:
        return literal(not settles, offset)
    if not settles and len(left_over) == 2:
        run = _both(left_over[0], left_over[1].run, offset)
    else:
        run = _settled(tuple(term.run for term in left_over), offset, settles=settles)
    return Piece(run, offset, boolean=True)


def _both(first: Piece, second: Run, offset: int) -> Run:
    one_run = first.run

    def run(roots: Roots, frame: Frame) -> Value:
        try:
            one = one_run(roots, frame)
        except EvalError as error:
            failed = error
        else:
            if one is False:
                return False
            if one is True:
                # Outside the `try`: an error of the second side ends this, and must not have it evaluated once more.
                other = second(roots, frame)
                if other is True or other is False:
                    return other
                raise EvalError(Code.NO_SUCH_OVERLOAD, offset)
            failed = EvalError(Code.NO_SUCH_OVERLOAD, first.offset)
        try:
            other = second(roots, frame)
        except EvalError:
            # The first error is the one that is shown, however many terms there are.
            raise failed from None
        if other is False:
            return False
        raise failed

    return run


def _settled(terms: tuple[Run, ...], offset: int, *, settles: bool) -> Run:
    """The first term that settles the result does; without one, an error of any term is the result."""
    neutral = not settles

    def run(roots: Roots, frame: Frame) -> Value:
        failed = None
        for term in terms:
            try:
                value = term(roots, frame)
            except EvalError as error:
                failed = failed or error
                continue
            if value is settles:
                return settles
            if value is not neutral:
                failed = failed or EvalError(Code.NO_SUCH_OVERLOAD, offset)
        if failed is None:
            return neutral
        raise failed

    return run


def ternary(condition: Piece, then: Piece, otherwise: Piece, offset: int) -> Piece:
    """`condition ? then : otherwise`: only the chosen branch is looked at."""
    if condition.known and condition.boolean:
        return then if condition.value else otherwise
    condition_run, then_run, otherwise_run = condition.run, then.run, otherwise.run

    def run(roots: Roots, frame: Frame) -> Value:
        chosen = condition_run(roots, frame)
        if chosen is True:
            return then_run(roots, frame)
        if chosen is False:
            return otherwise_run(roots, frame)
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return Piece(run, offset, boolean=then.boolean and otherwise.boolean)
