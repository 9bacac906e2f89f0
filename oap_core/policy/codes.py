"""The stable codes of what can be wrong with a policy file, a catalog, a test or the configuration.

A code never changes its meaning and is never reused. What is wrong with a condition itself has the codes of
`oap_core.cel.codes`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

__all__ = ["TITLES", "FileCode"]


class FileCode(StrEnum):
    """Why a file was not loaded. 1xx: its text, 2xx: its keys, 3xx: its rules, 4xx: tools, 5xx: tests, 6xx: set-up."""

    SYNTAX = "OAP101"
    REPEATED_KEY = "OAP102"
    ALIAS = "OAP103"
    TAG = "OAP104"
    SEVERAL_DOCUMENTS = "OAP105"
    AMBIGUOUS = "OAP106"
    TOO_LARGE = "OAP107"
    CHARACTER = "OAP108"
    KEY_NOT_TEXT = "OAP109"
    EMPTY = "OAP110"
    NUMBER = "OAP111"
    UNREADABLE = "OAP112"
    UNKNOWN_KEY = "OAP201"
    MISSING_KEY = "OAP202"
    WRONG_TYPE = "OAP203"
    BAD_VALUE = "OAP204"
    UNKNOWN_KIND = "OAP205"
    REPEATED_RULE = "OAP301"
    REPEATED_POLICY = "OAP302"
    UNKNOWN_EFFECT = "OAP303"
    STAGE = "OAP304"
    EXPIRY_LOOSENS = "OAP305"
    MESSAGE_HOLE = "OAP306"
    RESULT_IN_MESSAGE = "OAP307"
    LABELS_IN_GRANT = "OAP308"
    LABELS_NEGATED = "OAP309"
    NOT_WAIVABLE = "OAP310"
    UNKNOWN_RULE = "OAP311"
    NEVER_APPLIES = "OAP312"
    RESERVED_TOOL = "OAP313"
    REQUIRED_POLICY = "OAP314"
    CIRCULAR_VARIABLE = "OAP315"
    CONFUSABLE = "OAP316"
    TIME_ENDS_WALL = "OAP317"
    COST_OF_TOOL = "OAP318"
    CONSTANT = "OAP319"
    UNUSED = "OAP320"
    REPEATED_EXCEPTION = "OAP321"
    EXPIRED = "OAP322"
    UNKNOWN_TOOL = "OAP401"
    REPEATED_TOOL = "OAP402"
    SCHEMA = "OAP403"
    ARGUMENTS = "OAP405"
    NO_CASES = "OAP501"
    EXPECTATION = "OAP502"
    MATRIX = "OAP503"
    FIXTURE = "OAP504"
    REPEATED_CASE = "OAP505"
    UNKNOWN_PLUGIN = "OAP601"
    PLUGIN_FAILED = "OAP602"
    MISSING_FILE = "OAP603"
    ATTRIBUTE = "OAP604"
    OBSERVE_TOO_LONG = "OAP605"
    UNKNOWN_POLICY = "OAP606"


TITLES: Final[dict[FileCode, str]] = {
    FileCode.SYNTAX: "not YAML",
    FileCode.REPEATED_KEY: "key that stands twice",
    FileCode.ALIAS: "anchor, alias or merge key",
    FileCode.TAG: "tag or directive",
    FileCode.SEVERAL_DOCUMENTS: "more than one document in a file",
    FileCode.AMBIGUOUS: "word or number that readers of YAML understand differently",
    FileCode.TOO_LARGE: "file that is too large or nested too deep",
    FileCode.CHARACTER: "character that has no place in a file",
    FileCode.KEY_NOT_TEXT: "key that is no text",
    FileCode.EMPTY: "file without content",
    FileCode.NUMBER: "number that cannot be held exactly",
    FileCode.UNREADABLE: "file that cannot be read",
    FileCode.UNKNOWN_KEY: "unknown key",
    FileCode.MISSING_KEY: "key that is required and missing",
    FileCode.WRONG_TYPE: "value of the wrong type",
    FileCode.BAD_VALUE: "value that is not allowed here",
    FileCode.UNKNOWN_KIND: "file of an unknown kind or version",
    FileCode.REPEATED_RULE: "two rules with one id",
    FileCode.REPEATED_POLICY: "two files with one name",
    FileCode.UNKNOWN_EFFECT: "effect that no enabled plugin offers",
    FileCode.STAGE: "effect at a stage where it cannot stand",
    FileCode.EXPIRY_LOOSENS: "expiry that would loosen the policies by itself",
    FileCode.MESSAGE_HOLE: "hole in a message that cannot be filled",
    FileCode.RESULT_IN_MESSAGE: "text of a result in a message to the model",
    FileCode.LABELS_IN_GRANT: "labels read by a rule that may not",
    FileCode.LABELS_NEGATED: "rule that would loosen as labels grow",
    FileCode.NOT_WAIVABLE: "rule that no exception can lift",
    FileCode.UNKNOWN_RULE: "rule that does not exist",
    FileCode.NEVER_APPLIES: "rule or exception that can never apply",
    FileCode.RESERVED_TOOL: "grant for a tool that is reserved for another policy",
    FileCode.REQUIRED_POLICY: "required policy that is missing",
    FileCode.CIRCULAR_VARIABLE: "variables that read each other in a circle",
    FileCode.CONFUSABLE: "characters that look like others",
    FileCode.TIME_ENDS_WALL: "wall or gate that a clock can end",
    FileCode.COST_OF_TOOL: "rules of one tool that cost too much together",
    FileCode.CONSTANT: "constant that no condition can hold",
    FileCode.UNUSED: "constant or variable that nothing reads",
    FileCode.REPEATED_EXCEPTION: "two exceptions with one id",
    FileCode.EXPIRED: "expiry that has passed",
    FileCode.UNKNOWN_TOOL: "tool that the catalog does not have",
    FileCode.REPEATED_TOOL: "tool that the catalog has twice",
    FileCode.SCHEMA: "schema that is no JSON Schema",
    FileCode.ARGUMENTS: "arguments that the tool does not take",
    FileCode.NO_CASES: "test file without a case",
    FileCode.EXPECTATION: "expectation that can never hold",
    FileCode.MATRIX: "matrix that does not fit its test",
    FileCode.FIXTURE: "unknown fixture",
    FileCode.REPEATED_CASE: "two tests with one name",
    FileCode.UNKNOWN_PLUGIN: "plugin that is not installed",
    FileCode.PLUGIN_FAILED: "plugin that cannot be used",
    FileCode.MISSING_FILE: "file or folder that is not there",
    FileCode.ATTRIBUTE: "attribute that cannot be declared",
    FileCode.OBSERVE_TOO_LONG: "observation without a near end",
    FileCode.UNKNOWN_POLICY: "policy name that no file has",
}
