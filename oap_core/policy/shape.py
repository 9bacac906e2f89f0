"""Whether a document has the keys and types of its kind: a model is asked, and what it says gets places and words.

No text of the validator is shown: what it found is told by its code, in words of ours.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from oap_core.diagnostic import Diagnostic, printable
from oap_core.policy.codes import FileCode
from oap_core.policy.model.fields import EMPTY_ERROR, VALUE_ERROR
from oap_core.policy.report import blame
from oap_core.policy.tree import Mapping, Node, Scalar, Sequence, Span, key_at

__all__ = ["plain", "validate"]

M = TypeVar("M", bound=BaseModel)

_NOUNS: Final = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "none_required": "nothing",
}
_OF_KEY: Final = "[key]"
"""How the validator says that a key is meant and not its value."""
_MOST_ERRORS: Final = 1000


def plain(node: Node) -> Any:
    """The value without places: dictionaries, lists and scalars."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key: plain(entry.value) for entry in node}


def validate(model: type[M], node: Node, file: str | None, *, author: str | None = None) -> M | list[Diagnostic]:
    """The document as its model has it, or everything that is wrong with its keys and values.

    `author` names the plugin whose model it is; the sentences of its own checks are then shown as that plugin's.
    """
    try:
        read = model.model_validate(plain(node))
        # A validator may give back what it likes.
        if isinstance(read, model):
            return read
        return [_failed(model, node, file, author)]
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:_MOST_ERRORS]
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  # the model of a plugin may raise anything, and nothing loads by that
        return [_failed(model, node, file, author)]
    problems = [_diagnostic(model, node, file, one["type"], one["loc"], one.get("ctx", {}), author) for one in found]
    distinct = {(problem.line, problem.column, problem.code, problem.message): problem for problem in problems}
    return sorted(distinct.values(), key=lambda problem: (problem.line, problem.column))


def _failed(model: type[BaseModel], node: Node, file: str | None, author: str | None) -> Diagnostic:
    whose = f"of `{author}`" if author is not None else f"`{model.__name__}`"
    message = f"the model {whose} failed over these settings"
    return blame(FileCode.PLUGIN_FAILED, node.span, message, "tell whoever made it", file=file)


def _diagnostic(
    model: type[BaseModel],
    root: Node,
    file: str | None,
    kind: str,
    loc: tuple[int | str, ...],
    context: dict[str, Any],
    author: str | None,
) -> Diagnostic:
    node, span, path = _find(root, loc)
    if loc and loc[-1] == _OF_KEY:
        span = key_at(root, *loc[:-1])
    if kind == "extra_forbidden":
        return _unknown_key(model, root, file, loc)
    if kind == "missing":
        inside = f" in `{path}`" if path else ""
        return blame(FileCode.MISSING_KEY, node.span, f"the key `{_key(loc)}` is missing{inside}", file=file)
    if kind == EMPTY_ERROR:
        return blame(FileCode.WRONG_TYPE, span, f"{_called(path)} is empty", "give a value, or take it away", file=file)
    if kind in _NOUNS:
        return _wrong_type(node, span, file, path, _NOUNS[kind])
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", str(context.get("expected", "")))
        return _no_choice(node, span, file, path, choices)
    message = _sentence(kind, context, author)
    return blame(FileCode.BAD_VALUE, span, f"{_called(path)}: {message}", file=file)


def _sentence(kind: str, context: dict[str, Any], author: str | None) -> str:
    if kind == VALUE_ERROR:
        return str(context.get("message", "this value is not allowed"))
    if author is not None and kind == "value_error":
        return f"`{author}` says: {printable(str(context.get('error', 'this value is not allowed')))}"
    limits = {
        "too_short": "at least {min_length} entries are asked for",
        "too_long": "at most {max_length} entries are asked for",
        "string_too_short": "the text is empty",
        "string_too_long": "the text is longer than {max_length} characters",
        "string_pattern_mismatch": "the text does not fit `{pattern}`",
        "greater_than": "the number has to be greater than {gt}",
        "greater_than_equal": "the number has to be at least {ge}",
        "less_than": "the number has to be less than {lt}",
        "less_than_equal": "the number has to be at most {le}",
        "finite_number": "the number has to be finite",
    }
    template = limits.get(kind)
    if template is None:
        return "this value is not allowed here"
    try:
        message = template.format_map({name: printable(str(value)) for name, value in context.items()})
    except KeyError:
        # A plugin may raise an error of a known kind without what belongs to it.
        return "this value is not allowed here"
    return message.replace("at least 1 entries are", "at least one entry is")


def _find(root: Node, loc: tuple[int | str, ...]) -> tuple[Node, Span, str]:
    """The deepest node on the way, the span to show, and the way there as an author would say it."""
    node, span, path = root, root.span, ""
    for step in loc:
        if isinstance(node, Mapping) and (entry := node.get(str(step))) is not None:
            node = entry.value
            path = f"{path}.{step}" if path else str(step)
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            path = f"{path}[{step}]"
        else:
            break
        span = node.span
    return node, span, path


def _key(loc: tuple[int | str, ...]) -> str:
    return printable(str(loc[-1])) if loc else ""


def _called(path: str) -> str:
    return f"`{printable(path)}`" if path else "the document"


def _unknown_key(model: type[BaseModel], root: Node, file: str | None, loc: tuple[int | str, ...]) -> Diagnostic:
    parent, _, path = _find(root, loc[:-1])
    entry = parent.get(str(loc[-1])) if isinstance(parent, Mapping) else None
    span = entry.key_span if entry is not None else parent.span
    known = _keys(model, loc[:-1])
    inside = f" in `{path}`" if path else ""
    near = get_close_matches(_key(loc).lower(), known, n=1, cutoff=0.6)
    advice = f"did you mean `{near[0]}`?" if near else f"known keys: {', '.join(known)}" if known else None
    return blame(FileCode.UNKNOWN_KEY, span, f"unknown key `{_key(loc)}`{inside}", advice, file=file)


def _keys(model: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    """The keys that the model takes at this place."""
    kind: Any = model
    for step in loc:
        kind = _inner(kind, step)
    found = _model_in(kind)
    return [] if found is None else [field.alias or name for name, field in found.model_fields.items()]


def _inner(kind: Any, step: int | str) -> Any:
    model = _model_in(kind)
    if model is not None:
        for name, field in model.model_fields.items():
            if step in (name, field.alias):
                return field.annotation
        return None
    bare = _bare(kind)
    arguments = get_args(bare)
    return arguments[-1] if arguments and get_origin(bare) in (list, dict, tuple) else None


def _bare(kind: Any) -> Any:
    """The type without `Annotated` and without `| None`."""
    while get_origin(kind) in (Annotated, Union, UnionType):
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        else:
            some = [one for one in get_args(kind) if one is not type(None)]
            if len(some) != 1:
                return kind
            kind = some[0]
    return kind


def _model_in(kind: Any) -> type[BaseModel] | None:
    bare = _bare(kind)
    return bare if isinstance(bare, type) and issubclass(bare, BaseModel) else None


def _wrong_type(node: Node, span: Span, file: str | None, path: str, wanted: str) -> Diagnostic:
    message = f"{_called(path)} has to be {wanted}, and this is {_noun(node)}"
    advice = None
    if wanted == "a text" and isinstance(node, Scalar) and node.value is not None:
        advice = "put it into quotes"
    elif wanted == "a list" and isinstance(node, Scalar) and isinstance(node.value, str):
        advice = f"put it into brackets: `[{printable(node.value)}]`" if len(node.value) < 60 else None
    return blame(FileCode.WRONG_TYPE, span, message, advice, file=file)


def _noun(node: Node) -> str:
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Mapping):
        return "a mapping"
    if node.value is None:
        return "empty"
    if isinstance(node.value, bool):
        return f"`{str(node.value).lower()}`"
    return "a text" if isinstance(node.value, str) else "a number"


def _no_choice(node: Node, span: Span, file: str | None, path: str, choices: list[str]) -> Diagnostic:
    said = node.value if isinstance(node, Scalar) else None
    if not isinstance(said, str):
        return _wrong_type(node, span, file, path, "a text")
    near = get_close_matches(said.lower(), choices, n=1, cutoff=0.6)
    advice = f"did you mean `{near[0]}`?" if near else None
    shown = (
        ", ".join(f"`{choice}`" for choice in choices[:-1]) + (" or " if len(choices) > 1 else "") + f"`{choices[-1]}`"
    )
    return blame(
        FileCode.BAD_VALUE, span, f"{_called(path)} has to be {shown}, not `{printable(said)}`", advice, file=file
    )
