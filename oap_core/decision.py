"""What the rules said about one call, result or prompt, and what follows from it.

The values here are the whole input and output of `oap_core.combine`, and what a record of a decision keeps, so that a
replay can combine them again without the plugins that made them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Self

from oap_core.kinds import ASK, PLAN, Kind, check_effect_name, check_rule_shape
from oap_core.names import DEFAULT_RULE, RuleAddress, check_name
from oap_core.types import Stage, View

__all__ = [
    "Cause",
    "Decision",
    "Default",
    "Finding",
    "Judgement",
    "Mode",
    "RuleRef",
    "RuleSeverity",
    "Verdict",
    "Waived",
    "Waiver",
]


class _Ranked(Enum):
    """An enumeration whose members order as they are written."""

    rank: int

    def __init__(self, _word: str) -> None:
        self.rank = len(type(self).__members__)

    def __lt__(self, other: Self) -> bool:
        return self.rank < other.rank if type(other) is type(self) else NotImplemented

    def __le__(self, other: Self) -> bool:
        return self.rank <= other.rank if type(other) is type(self) else NotImplemented

    def __gt__(self, other: Self) -> bool:
        return self.rank > other.rank if type(other) is type(self) else NotImplemented

    def __ge__(self, other: Self) -> bool:
        return self.rank >= other.rank if type(other) is type(self) else NotImplemented


class Verdict(_Ranked):
    """What comes out of all rules together, ordered from the loosest to the strictest."""

    ALLOW = "allow"
    """The call runs; a result or a prompt goes on."""
    ASK = "ask"
    """The call runs once a person has said yes."""
    PLAN = "plan"
    """The call runs once it is part of an approved plan."""
    DENY = "deny"
    """The call does not run; a result or a prompt is withheld."""


_WAITING: Final = {ASK: Verdict.ASK, PLAN: Verdict.PLAN}


class RuleSeverity(_Ranked):
    """How much a rule matters to the people behind it, ordered; it routes and names, and never decides."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Mode(Enum):
    """Whether a rule decides."""

    ENFORCE = "enforce"
    """It decides."""
    SHADOW = "shadow"
    """It is evaluated and recorded, and decides nothing."""


class Judgement(Enum):
    """What a finding says about its rule."""

    SATISFIED = "satisfied"
    """The rule does not stand in the way: a grant matches, a gate is open, a transform or a mark was made."""
    REFUSED = "refused"
    """The rule was judged and stands in the way: a wall matches, a gate matches and is shut, a grant does not match."""
    UNJUDGED = "unjudged"
    """Nobody can tell; it counts against the call, as the stricter of the other two."""


class Cause(Enum):
    """Why a rule is unjudged; records tell these apart."""

    ERROR = "error"
    """Its condition, or the plugin that carries it out, failed."""
    TIMEOUT = "timeout"
    """The answer did not come in time."""
    INVALID_ANSWER = "invalid_answer"
    """The answer was none that a plugin may give."""


class Default(Enum):
    """What holds for a call that no grant matches; there is no default that allows."""

    DENY = "deny"
    """It is denied."""
    ASK = "ask"
    """A person is asked, each time anew."""


@dataclass(frozen=True, slots=True)
class RuleRef:
    """What the core has to know of a rule to combine, name and explain a finding about it.

    It is built once when the rule is loaded and shared by all findings. Raises TypeError or ValueError where a field
    is of another type or the rule asks for more than its kind may do.
    """

    address: RuleAddress
    """Where the rule stands, `policy/rule`, or `plugin:name` for the wall of a plugin without effects."""
    effect: str
    """The word of its effect."""
    kind: Kind
    """What it may do."""
    stage: Stage = Stage.CALL
    """The moment that it speaks about."""
    severity: RuleSeverity = RuleSeverity.MEDIUM
    """Which of several deciding rules is named first."""
    mode: Mode = Mode.ENFORCE
    """Whether it decides."""
    waivable: bool = False
    """Whether an exception may lift it."""
    judges_original: bool = True
    """Whether a match on the original call counts beside one on the effective call, as its effect declares."""
    holds: Verdict | None = field(init=False, repr=False, compare=False)
    """What a finding about this rule that is not satisfied holds to, derived: None where it holds nothing up."""

    def __post_init__(self) -> None:
        if not isinstance(self.address, RuleAddress):
            raise TypeError("the address of a rule is a `RuleAddress`")
        check_effect_name(self.effect)
        fields: tuple[tuple[object, type[Enum]], ...] = (
            (self.kind, Kind),
            (self.stage, Stage),
            (self.severity, RuleSeverity),
            (self.mode, Mode),
        )
        for value, words in fields:
            if not isinstance(value, words):
                raise TypeError(f"a rule has a `{words.__name__}` there, not a `{type(value).__name__}`")
        check_rule_shape(self.effect, self.kind, frozenset({self.stage}), judges_original=self.judges_original)
        if self.waivable and not self.kind.waivable:
            raise ValueError(f"a {self.kind.value} such as `{self.address}` cannot be waivable")
        if self.address.plugin is not None and (self.kind is not Kind.WALL or self.waivable):
            raise ValueError(f"`{self.address}` is the wall of a plugin, which no exception lifts")
        stops = self.kind.stops_calls if self.stage is Stage.CALL else self.kind.withholds
        object.__setattr__(self, "holds", _WAITING.get(self.effect, Verdict.DENY) if stops else None)


@dataclass(frozen=True, slots=True)
class Finding:
    """One author's answer about one rule for one view of one call, or for one result or prompt.

    A rule that cleanly did not match has no finding, or for a grant a refused one. Raises TypeError or ValueError
    where the fields do not fit together.
    """

    author: str
    """Who answered: the name of a plugin, checked where the plugin was loaded, or `core`."""
    rule: RuleRef
    """The rule that the answer is about."""
    state: Judgement
    """The answer."""
    view: View = View.EFFECTIVE
    """The form of the call that was judged; results and prompts have the effective one alone."""
    cause: Cause | None = None
    """Why nobody can tell, given exactly where the state is `unjudged`."""
    reason: str = ""
    """A sentence for the operator and the record; the model never sees it."""

    @property
    def holds(self) -> Verdict | None:
        """The verdict that this finding alone holds the call to, or None where it holds nothing against it.

        Exceptions are not considered, and neither is shadow mode. A missing grant is nobody's finding.
        """
        if self.state is Judgement.SATISFIED or (self.view is View.ORIGINAL and not self.rule.judges_original):
            return None
        return self.rule.holds

    def __post_init__(self) -> None:
        if not isinstance(self.author, str) or not self.author:
            raise TypeError("the author of a finding is a name")
        if not isinstance(self.rule, RuleRef):
            raise TypeError("the rule of a finding is a `RuleRef`")
        if not isinstance(self.state, Judgement):
            raise TypeError("the state of a finding is a `Judgement`")
        if not isinstance(self.view, View):
            raise TypeError("the view of a finding is a `View`")
        if self.cause is not None and not isinstance(self.cause, Cause):
            raise TypeError("the cause of a finding is a `Cause`")
        if (self.cause is not None) != (self.state is Judgement.UNJUDGED):
            raise ValueError("a finding has a cause exactly where it is unjudged")
        if self.view is View.ORIGINAL and self.rule.stage is not Stage.CALL:
            raise ValueError("a result or a prompt has no original view")
        if not isinstance(self.reason, str):
            raise TypeError("the reason of a finding is a string")


@dataclass(frozen=True, slots=True)
class Waiver:
    """An exception that is in force and cleanly matched in one view; one that could not be evaluated has no waiver."""

    exception: str
    """The id of the exception."""
    rule: RuleAddress
    """The one rule that it lifts here."""
    view: View = View.EFFECTIVE
    """The view in which the exception matched, and so the only one in which it lifts the rule."""

    def __post_init__(self) -> None:
        check_name(self.exception, "an exception id")
        if not isinstance(self.rule, RuleAddress):
            raise TypeError("the rule of a waiver is a `RuleAddress`")
        if not isinstance(self.view, View):
            raise TypeError("the view of a waiver is a `View`")


@dataclass(frozen=True, slots=True)
class Waived:
    """A finding that would have held against the call, and the exceptions that lifted it.

    Raises TypeError or ValueError where the fields do not fit together, and where no exception can lift the finding.
    """

    finding: Finding
    """What would have held."""
    exceptions: tuple[str, ...]
    """The ids of the exceptions that lift it, in order; each alone would have been enough."""

    def __post_init__(self) -> None:
        finding = self.finding
        if not isinstance(finding, Finding):
            raise TypeError("what an exception lifts is a `Finding`")
        # INVARIANT: only a clean match of a waivable rule is lifted.
        if not finding.rule.waivable or finding.state is not Judgement.REFUSED or finding.holds is None:
            raise ValueError(f"no exception can lift what was found about `{finding.rule.address}`")
        if not isinstance(self.exceptions, tuple):
            raise TypeError("the exceptions that lift a finding are a tuple of ids")
        if not self.exceptions:
            raise ValueError("a finding is lifted by at least one exception")
        for exception in self.exceptions:
            check_name(exception, "an exception id")


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict over one call, result or prompt, with the findings that it rests on.

    It is made by `oap_core.combine` and equal for equal findings, in whatever order they came. Raises TypeError where a
    field is of another type, and ValueError where the verdict is not the one that the findings carry.

    One thing that it cannot tell is whether a grant is missing where the call does not run anyway, because a yes to
    the default of `combine_call` is no finding.
    """

    stage: Stage
    """The moment that was decided about."""
    verdict: Verdict
    """What happens."""
    deciding: tuple[Finding, ...]
    """The findings that made the verdict, the one to name first; none only for a result or a prompt that goes on."""
    against: tuple[Finding, ...]
    """Everything that holds against it, the strictest first; a call that has to be planned may have to be asked too."""
    waived: tuple[Waived, ...]
    """What would have held and was lifted by exceptions."""
    findings: tuple[Finding, ...]
    """All enforced findings that went in, in a fixed order; shadow findings are none of them."""

    def __post_init__(self) -> None:
        _check_types(self)
        if (self.verdict is Verdict.ALLOW) == bool(self.against):
            raise ValueError("a decision allows exactly where nothing holds against it")
        if self.against:
            made = tuple(finding for finding in self.against if finding.holds is self.verdict)
            if made != self.deciding:
                raise ValueError("a decision names what decided it: everything against it that holds to the verdict")
        else:
            _check_opened(self)
        _check_complete(self)

    @property
    def rule(self) -> RuleAddress | None:
        """The rule to name: of the strictest ones the most severe, of those the one with the lowest address."""
        return self.deciding[0].rule.address if self.deciding else None

    @property
    def marks(self) -> tuple[Finding, ...]:
        """The findings of kind observe that leave their mark; an unjudged one does too, so that no label is lost."""
        return tuple(
            finding
            for finding in self.findings
            if finding.rule.kind is Kind.OBSERVE and finding.state is not Judgement.REFUSED
        )


def _check_types(decision: Decision) -> None:
    if not isinstance(decision.stage, Stage):
        raise TypeError("the stage of a decision is a `Stage`")
    if not isinstance(decision.verdict, Verdict):
        raise TypeError("the verdict of a decision is a `Verdict`")
    for found, kind in (
        (decision.deciding, Finding),
        (decision.against, Finding),
        (decision.waived, Waived),
        (decision.findings, Finding),
    ):
        if not isinstance(found, tuple) or not all(isinstance(one, kind) for one in found):
            raise TypeError(f"a decision has a tuple of `{kind.__name__}` there")


def _check_opened(decision: Decision) -> None:
    """Make sure that a call has a key for each view, and that a result or a prompt, which needs none, names none."""
    opening = decision.deciding
    if decision.stage is not Stage.CALL:
        if opening:
            raise ValueError("nothing opens a result or a prompt")
        return
    # INVARIANT: no call runs without something that opened it, in each view that was judged.
    views = {View.EFFECTIVE, *(finding.view for finding in decision.findings)}
    if not views <= {finding.view for finding in opening}:
        raise ValueError("a decision names what decided it: for each view what opened the call")
    for finding in opening:
        rule = finding.rule
        opens = rule.address == DEFAULT_RULE or (rule.kind is Kind.GRANT and finding in decision.findings)
        if finding.state is not Judgement.SATISFIED or not opens:
            raise ValueError(f"`{rule.address}` did not open the call")


def _check_complete(decision: Decision) -> None:
    """Make sure that everything that holds is either against the call or waived, and nothing else is."""
    for finding in decision.findings:
        if finding.rule.stage is not decision.stage or finding.rule.mode is not Mode.ENFORCE:
            raise ValueError(f"`{finding.rule.address}` decides nothing here")
        if finding.rule.address == DEFAULT_RULE:
            raise ValueError(f"no rule can call itself `{DEFAULT_RULE}`")
    strictest = decision.verdict.rank
    for finding in decision.against:
        if finding.holds is None or finding.holds.rank > strictest:
            raise ValueError(f"what was found about `{finding.rule.address}` does not hold to the verdict")
        if finding.rule.address == DEFAULT_RULE and decision.stage is not Stage.CALL:
            raise ValueError("a result or a prompt needs no grant")
    held = {finding for finding in decision.against if finding.rule.address != DEFAULT_RULE}
    lifted = {waived.finding for waived in decision.waived}
    holding = {finding for finding in decision.findings if finding.holds is not None}
    if held & lifted or held | lifted != holding:
        raise ValueError("everything that holds is either against the call or waived, and nothing else is")
