"""Evaluates expressions with another engine, in a process of its own: `python -m tests.core.cel.differential.worker`.

cel-python changes the recursion limit of its process and may not end, and cel-expr-python counts references wrongly, so
neither runs beside the tests. The request comes on standard input as JSON, the answer goes to standard output.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
Evaluate = Callable[[int], str]
"""The outcome on one activation, by its number."""


def moment(micros: int) -> datetime:
    """A moment by its microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=micros)


def variables(activation: dict[str, Any]) -> dict[str, Any]:
    """The Python values of an activation in transit."""
    return {
        **activation["json"],
        **{name: moment(micros) for name, micros in activation["moments"].items()},
        **{name: timedelta(microseconds=micros) for name, micros in activation["spans"].items()},
    }


def canonical(value: Any) -> str:
    """A value as text in which values of one type differ where they should; doubles by their bits, but one NaN."""
    match value:
        case float():
            return value.hex()
        case bytes() | bytearray():
            return value.hex()
        case datetime():
            return str((value - _EPOCH) // timedelta(microseconds=1))
        case timedelta():
            return str(value // timedelta(microseconds=1))
        case list() | tuple():
            return json.dumps([canonical(item) for item in value])
        case _:
            return json.dumps(value)


def cel_python(request: dict[str, Any]) -> Callable[[str], Evaluate]:
    """cel-python's interpreter."""
    import celpy
    from celpy.adapter import json_to_cel

    logging.disable()
    environment = celpy.Environment(runner_class=celpy.InterpretedRunner)
    activations = [
        {name: json_to_cel(value) for name, value in variables(activation).items()}
        for activation in request["activations"]
    ]

    def compile_(source: str) -> Evaluate:
        runner = environment.program(environment.compile(source))

        def evaluate(number: int) -> str:
            try:
                result = runner.evaluate(activations[number])
            except celpy.CELEvalError as error:
                return f"error {str(error.args[0])[:200]}"
            if isinstance(result, celpy.celtypes.BoolType | bool):
                return "true" if result else "false"
            return f"error not a boolean but {type(result).__name__}"

        return evaluate

    return compile_


def cel_expr_python(request: dict[str, Any]) -> Callable[[str], Evaluate]:
    """Google's own runtime, without its checker, which rejects some valid sums of values of no declared type."""
    from cel_expr_python import cel
    from cel_expr_python.ext import ext_strings

    declared = {name: getattr(cel.Type, type_) for name, type_ in request["types"].items()}
    environment = cel.NewEnv(variables=declared, extensions=[ext_strings.ExtStrings()])
    activations = [environment.Activation(variables(activation)) for activation in request["activations"]]

    def compile_(source: str) -> Evaluate:
        expression = environment.compile(source, disable_check=True)

        def evaluate(number: int) -> str:
            result = expression.eval(activations[number])
            kind, value = result.type().name(), result.plain_value()
            if kind == "ERROR":
                return f"error {value[:200]}"
            if kind == "BOOL":
                return "true" if value else "false"
            return f"{kind.partition('<')[0].lower()} {canonical(value)}" if request["values"] else f"error {kind}"

        return evaluate

    return compile_


ENGINES: Final = {"cel-python": cel_python, "cel-expr-python": cel_expr_python}


def answers(request: dict[str, Any]) -> Iterator[list[str]]:
    """The outcomes of each expression on its activations; what an engine raises is an outcome of its own."""
    compile_ = ENGINES[request["engine"]](request)
    for source, numbers in request["expressions"]:
        try:
            evaluate = compile_(source)
        except Exception as error:
            yield [f"rejected {type(error).__name__} {str(error)[:200]}"] * len(numbers)
            continue
        yield [_guarded(evaluate, number) for number in numbers]


def _guarded(evaluate: Evaluate, number: int) -> str:
    try:
        return evaluate(number)
    except Exception as error:
        return f"raised {type(error).__name__} {str(error)[:200]}"


if __name__ == "__main__":
    json.dump(list(answers(json.load(sys.stdin))), sys.stdout)
