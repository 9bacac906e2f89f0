"""Why a condition came out as it did: the clauses that decided, with the values that met in them.

This is for the person who gave the call, or who may read its record: a trace holds values. Nothing of it may reach a
message to a model.
"""

from oap_core.cel.trace.clauses import Clause, Trace
from oap_core.cel.trace.walk import trace

__all__ = ["Clause", "Trace", "trace"]
