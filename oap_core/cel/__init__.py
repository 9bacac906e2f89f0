"""CEL for policies: parse, check, bound and compile conditions, then decide them on frozen data in microseconds.

Semantics are those of the Common Expression Language. What cannot be evaluated is an error outcome, never a guess.
"""

from oap_core.cel.activation import Activation, freeze, freeze_value
from oap_core.cel.environment import Env
from oap_core.cel.failure import MATCH, NO_MATCH, Code, Failure, Outcome
from oap_core.cel.functions import Function, Overload, Registry
from oap_core.cel.library import FUNCTIONS
from oap_core.cel.program import Program, load

__all__ = [
    "FUNCTIONS",
    "MATCH",
    "NO_MATCH",
    "Activation",
    "Code",
    "Env",
    "Failure",
    "Function",
    "Outcome",
    "Overload",
    "Program",
    "Registry",
    "freeze",
    "freeze_value",
    "load",
]
