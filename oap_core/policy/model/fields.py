"""The types of single values in files: names, globs, durations, moments, and how each is told to an editor.

A validator raises `PydanticCustomError` whose message is a sentence of ours about the value; the shape of a document
turns it into a diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Final, NoReturn

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import PydanticCustomError

from oap_core.names import CORE, RuleAddress, ToolId, check_name
from oap_core.policy.globs import ToolGlob

__all__ = [
    "Address",
    "AnnotationValue",
    "Day",
    "Duration",
    "Expression",
    "FileModel",
    "Glob",
    "Headed",
    "Moment",
    "Name",
    "Number",
    "Source",
    "Template",
    "Text",
    "Tool",
    "VariableName",
]

VALUE_ERROR: Final = "oap_value"
"""Type of the errors that the validators here raise."""
EMPTY_ERROR: Final = "oap_empty"
"""Type of the error about a key that stands there without a value."""

_SEGMENT: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
_NAME: Final = re.compile(_SEGMENT)
_TWO_PARTS: Final = r"[^/]+/[^/]+"
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_DURATION: Final = re.compile(r"(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?", re.ASCII)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:[0-5]\d)", re.ASCII)

_NAME_FORM: Final = "a name is letters, digits, `.`, `_` and `-`, at most 100, and starts with a letter or a digit"
_SOURCE_FORM: Final = "a source is what stands before the slash of a tool id, and no pattern"
_VARIABLE_FORM: Final = (
    "the name of a constant or a variable is letters, digits and `_`, and does not start with a digit"
)
_DURATION_FORM: Final = "a duration is a number with its unit, such as `90s`, `10m`, `24h`, `7d` or `1h30m`"
_DAY_FORM: Final = "a date is written `2027-06-01`"
_MOMENT_FORM: Final = "a moment is written `2026-12-31T23:59:59Z`, with its offset from UTC"


class FileModel(BaseModel):
    """A mapping in a file: every key is known, every value is of its type, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)

    @field_validator("*", mode="before")
    @classmethod
    def _given(cls, value: object, info: ValidationInfo) -> object:
        """Refuse a key that may be left out and stands there empty: an empty `when` would hold for every call."""
        field = cls.model_fields[info.field_name or ""]
        if value is None and not field.is_required() and field.get_default() is None:
            raise PydanticCustomError(EMPTY_ERROR, "a value is asked for")
        return value


def _refuse(message: str) -> NoReturn:
    # Braces in a template would be taken for holes, so the sentence goes in as a value.
    raise PydanticCustomError(VALUE_ERROR, "{message}", {"message": message})


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise PydanticCustomError("string_type", "a text is asked for")
    return value


def _name(value: object) -> str:
    text = _text(value)
    if not _NAME.fullmatch(text):
        _refuse(_NAME_FORM)
    if text == CORE:
        _refuse("`core` is the name of what belongs to no file")
    return text


def _variable(value: object) -> str:
    text = _text(value)
    if not _VARIABLE.fullmatch(text):
        _refuse(_VARIABLE_FORM)
    return text


def _source(value: object) -> str:
    text = _text(value)
    if "/" in text or "*" in text:
        _refuse(_SOURCE_FORM)
    try:
        ToolGlob(f"{check_name(text, 'a source')}/*")
    except ValueError as error:
        _refuse(str(error))
    return text


def _glob(value: object) -> ToolGlob:
    text = _text(value)
    try:
        return ToolGlob(text)
    except ValueError as error:
        _refuse(str(error))


def _tool(value: object) -> ToolId:
    text = _text(value)
    try:
        return ToolId(text)
    except ValueError as error:
        _refuse(str(error))


def _address(value: object) -> RuleAddress:
    text = _text(value)
    try:
        return RuleAddress(text)
    except ValueError as error:
        _refuse(str(error))


def _duration(value: object) -> timedelta:
    text = _text(value)
    found = _DURATION.fullmatch(text)
    if not found or not text:
        _refuse(_DURATION_FORM)
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    length = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    if not length:
        _refuse("a duration is longer than nothing")
    return length


def duration_text(length: timedelta) -> str:
    """A duration as an author would write it; parts of a second are left out."""
    left, parts = int(length.total_seconds()), []
    for unit, seconds in (("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)):
        count, left = divmod(left, seconds)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def _day(value: object) -> date:
    text = _text(value)
    if not _DAY.fullmatch(text):
        _refuse(_DAY_FORM)
    try:
        return date.fromisoformat(text)
    except ValueError:
        _refuse("there is no such day in the calendar")


def moment(value: object) -> datetime:
    """Read a moment with its offset. Raises `PydanticCustomError` where the text is none."""
    text = _text(value)
    if not _MOMENT.fullmatch(text):
        _refuse(_MOMENT_FORM)
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        _refuse("there is no such moment in the calendar")


def _annotation(value: object) -> bool | int | float | str:
    if isinstance(value, (bool, int, float, str)):
        return value
    _refuse("the value of an annotation is a text, a number, or true or false")


def _template(value: object) -> str | dict[str, Any]:
    if isinstance(value, (str, dict)):
        return value
    raise PydanticCustomError("dict_type", "a mapping is asked for")


def _number(value: object) -> int | str:
    if isinstance(value, str) or type(value) is int:
        return value
    raise PydanticCustomError("int_type", "a whole number is asked for")


def day_or_moment(text: str) -> datetime:
    """Read a moment, or a day for its begin in UTC. Raises `PydanticCustomError` where the text is neither."""
    return moment(text if "T" in text else f"{text}T00:00:00Z")


def _shown(check: Callable[[Any], Any], schema: dict[str, Any]) -> tuple[PlainValidator, WithJsonSchema]:
    return PlainValidator(check), WithJsonSchema(schema)


def _formed(check: Callable[[Any], Any], pattern: str, form: str) -> tuple[PlainValidator, WithJsonSchema]:
    """A text of one form; editors show the sentence where it does not fit."""
    return _shown(check, {"type": "string", "pattern": f"^{pattern}$", "patternErrorMessage": form})


Text = Annotated[str, StringConstraints(min_length=1, max_length=10_000)]
"""A text for people."""
Expression = Annotated[str, StringConstraints(min_length=1), Field(description="A CEL expression.")]
"""The source of a CEL expression."""
Name = Annotated[str, *_formed(_name, _SEGMENT, _NAME_FORM)]
"""A part of an address: the name of a policy, the id of a rule or of an exception."""
VariableName = Annotated[str, *_formed(_variable, _VARIABLE.pattern, _VARIABLE_FORM)]
"""What stands behind `constants.` and `variables.`."""
Glob = Annotated[ToolGlob, *_formed(_glob, _TWO_PARTS, "a tool pattern is `source/name` with one slash")]
"""A pattern of tool ids; `*` does not cross the slash."""
Source = Annotated[str, *_formed(_source, "[^/*]+", _SOURCE_FORM)]
"""The first part of tool ids."""
Tool = Annotated[ToolId, *_formed(_tool, _TWO_PARTS, "a tool id is `source/name` with one slash")]
"""One tool id, `source/name`."""
Address = Annotated[RuleAddress, *_formed(_address, f"{_SEGMENT}/{_SEGMENT}", "a rule address is `policy/rule`")]
"""The address of a rule, `policy/rule`."""
Duration = Annotated[timedelta, *_formed(_duration, f"(?=.){_DURATION.pattern}", _DURATION_FORM)]
"""A length of time, such as `10m`."""
Day = Annotated[date, *_formed(_day, _DAY.pattern, _DAY_FORM)]
"""A day."""
AnnotationValue = Annotated[Any, *_shown(_annotation, {"type": ["boolean", "number", "string"]})]
"""The value of an annotation."""
Template = Annotated[Any, *_shown(_template, {"type": ["object", "string"]})]
"""A mapping, or `${name}` for an entry of a matrix or a fixture."""
Number = Annotated[Any, *_shown(_number, {"type": ["integer", "string"]})]
"""A whole number, or `${name}`."""
Moment = Annotated[datetime, *_formed(moment, _MOMENT.pattern, _MOMENT_FORM)]
"""A moment with its offset."""


class Headed(FileModel):
    """What every file has at its top."""

    apiVersion: str  # noqa: N815  # the key of the file format
    """Version of the file format: `oap/v1`."""
    kind: str
    """What the file holds."""
