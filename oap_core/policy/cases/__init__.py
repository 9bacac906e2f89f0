"""Tests of policies: from what files say to cases, their results, and what they cover.

`prepare` finds everything that is wrong with the tests themselves, `run` decides each case by the rule set alone, and a
`Tally` counts which outcomes of rules were seen.
"""

from oap_core.policy.cases.coverage import Coverage, Gap, Tally
from oap_core.policy.cases.expectation import Expected
from oap_core.policy.cases.prepare import Prepared, prepare
from oap_core.policy.cases.run import CaseResult, Ending, run
from oap_core.policy.cases.situation import LATE
from oap_core.policy.cases.written import Case, Written

__all__ = [
    "LATE", "Case", "CaseResult", "Coverage", "Ending", "Expected", "Gap", "Prepared", "Tally", "Written", "prepare",
    "run",
]  # fmt: skip
