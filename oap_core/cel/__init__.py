"""CEL for policies: parse, check, bound and compile conditions, then decide them on frozen data in microseconds.

Semantics are those of the Common Expression Language. What cannot be evaluated is an error outcome, never a guess.
"""

from oap_core.cel.activation import Activation, freeze, freeze_value
from oap_core.cel.definition import Answer, Definition
from oap_core.cel.environment import Env
from oap_core.cel.failure import MATCH, NO_MATCH, Code, EvalError, Failure, Outcome
from oap_core.cel.functions import Function, Overload, Registry
from oap_core.cel.host import host_functions
from oap_core.cel.library import FUNCTIONS
from oap_core.cel.program import Program, load, peek
from oap_core.cel.schema import SchemaError, type_from_schema
from oap_core.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    NUMBER,
    STRING,
    TIMESTAMP,
    UINT,
    Field,
    ListType,
    MapType,
    ObjectType,
)
from oap_core.cel.values import Duration, Timestamp, UInt
from oap_core.errors import CelError

__all__ = [
    "BOOL",
    "BYTES",
    "DOUBLE",
    "DURATION",
    "DYN",
    "FUNCTIONS",
    "INT",
    "MATCH",
    "NO_MATCH",
    "NULL",
    "NUMBER",
    "STRING",
    "TIMESTAMP",
    "UINT",
    "Activation",
    "Answer",
    "CelError",
    "Code",
    "Definition",
    "Duration",
    "Env",
    "EvalError",
    "Failure",
    "Field",
    "Function",
    "ListType",
    "MapType",
    "ObjectType",
    "Outcome",
    "Overload",
    "Program",
    "Registry",
    "SchemaError",
    "Timestamp",
    "UInt",
    "freeze",
    "freeze_value",
    "host_functions",
    "load",
    "peek",
    "type_from_schema",
]
