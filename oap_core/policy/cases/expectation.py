"""What a case expects, in the addresses of rules, and whether it can come true at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from oap_core.decision import Default, Verdict
from oap_core.diagnostic import Diagnostic, printable
from oap_core.kinds import PLAN, Kind
from oap_core.names import CORE, DEFAULT_RULE, RuleAddress
from oap_core.policy.cases.placeholders import Path
from oap_core.policy.cases.written import Case
from oap_core.policy.codes import FileCode
from oap_core.policy.judge import UNREADABLE
from oap_core.policy.nearest import MOST_HELPED, nearest
from oap_core.policy.rules import Rule
from oap_core.policy.ruleset import RuleSet
from oap_core.types import Stage

__all__ = ["Expected", "Resolver"]

_OF_CORE: Final = {address.partition("/")[2]: address for address in (DEFAULT_RULE, UNREADABLE)}


@dataclass(frozen=True, slots=True)
class Expected:
    """What has to come out of one case. What is None, empty or False is not looked at."""

    verdict: Verdict | None
    """The verdict."""
    by: tuple[RuleAddress, ...]
    """Rules that have to be among those that decide."""
    observed: tuple[RuleAddress, ...]
    """Marks and shadow rules that have to match."""
    waived: tuple[RuleAddress, ...]
    """Rules that an exception has to lift."""
    unjudged: bool
    """Whether a rule that cannot be judged is meant."""
    message: str | None
    """What the model has to be told."""


class Resolver:
    """Finds the rules that expectations name, and says where there is none."""

    def __init__(self, rules: RuleSet) -> None:
        self._set = rules
        self._rules: dict[str, Rule] = {rule.address: rule for rule in rules.rules}
        self._by_id: dict[str, list[RuleAddress]] = {}
        for address in sorted(rule.address for rule in rules.rules):
            self._by_id.setdefault(address.rule or "", []).append(address)
        self._unknown = 0
        self._lifted = {address for exception in rules.exceptions for address in exception.waives}

    def expected(self, case: Case, problems: list[Diagnostic]) -> Expected | None:
        """What a case expects, or None where it names a rule that is not there, which is then told."""
        model, before = case.expected, len(problems)
        found = {
            key: tuple(self._named(case, key, getattr(model, key) or (), problems))
            for key in ("by", "observed", "waived")
        }
        if len(problems) > before:
            return None
        message = case.filled().message
        if model.message is not None and not isinstance(message, str):
            path = (*case.expectation_path, "message")
            problems.append(case.written.spot.blame(FileCode.WRONG_TYPE, path, "`message` has to be a text"))
            return None
        verdict = None if model.verdict is None else Verdict(model.verdict)
        unjudged = bool(model.unjudged) or UNREADABLE in found["by"]
        return Expected(verdict, found["by"], found["observed"], found["waived"], unjudged, message)

    def _named(self, case: Case, key: str, names: Iterable[str], problems: list[Diagnostic]) -> Iterator[RuleAddress]:
        for number, name in enumerate(names):
            found = self._find(name, case.written.policies)
            if isinstance(found, RuleAddress):
                yield found
            else:
                path: Path = (*case.expectation_path, key, number)
                message = f"there is no rule `{printable(name)}`"
                problems.append(case.written.spot.blame(FileCode.UNKNOWN_RULE, path, message, found))

    def _find(self, name: str, policies: tuple[str, ...]) -> RuleAddress | str | None:
        """The address of the rule that a name means, or else a help."""
        if "/" in name:
            policy, _, rule = name.partition("/")
            if policy == CORE and rule in _OF_CORE:
                return _OF_CORE[rule]
            return self._rules[name].address if name in self._rules else self._near(name)
        for policy in policies:
            if f"{policy}/{name}" in self._rules:
                return self._rules[f"{policy}/{name}"].address
        if name in _OF_CORE:
            return _OF_CORE[name]
        elsewhere = self._by_id.get(name, [])
        if len(elsewhere) == 1 and not policies:
            return elsewhere[0]
        if elsewhere:
            return f"did you mean {' or '.join(f'`{address}`' for address in elsewhere[:3])}?"
        return self._near(name, policies)

    def _near(self, name: str, policies: tuple[str, ...] = ()) -> str | None:
        self._unknown += 1
        if self._unknown > MOST_HELPED:
            return None
        addresses = [rule.address for rule in self._rules.values()]
        known = {str(address): str(address) for address in addresses}
        if "/" not in name:
            short = {str(address.rule): str(address) for address in addresses}
            known = {**short, **known, **{word: word for word in _OF_CORE}}
            known |= {str(address.rule): str(address.rule) for address in addresses if address.policy in policies}
        near = nearest(name, known)
        return f"did you mean `{known[near]}`?" if near else None

    def impossible(self, case: Case, expected: Expected) -> Iterator[Diagnostic]:
        """What in an expectation cannot come true, whatever the call is."""
        stage = case.written.stage
        found = [*_impossible(stage, expected, self._set), *self._named_in_vain(stage, expected)]
        for path, message in found:
            yield case.written.spot.blame(FileCode.EXPECTATION, (*case.expectation_path, *path), message)

    def _named_in_vain(self, stage: Stage, expected: Expected) -> Iterator[tuple[Path, str]]:
        held: Verdict | None = expected.verdict
        for number, address in enumerate(expected.by):
            holds = _holds(address, self._rules.get(address), stage, self._set.default)
            if isinstance(holds, str):
                yield ("by", number), holds
            elif held is not None and held is not holds:
                yield ("by", number), f"`{address}` can only decide to `{holds.value}`, not to `{held.value}`"
            else:
                held = holds
        for number, address in enumerate(expected.observed):
            rule = self._rules.get(address)
            if rule is None or (rule.ref.kind is not Kind.OBSERVE and not rule.shadow):
                message = f"`{address}` decides, so it stands under `by`; shadow rules and marks stand here"
                yield ("observed", number), message
            elif rule.ref.stage is not stage:
                yield ("observed", number), _elsewhere(rule, stage)
        for number, address in enumerate(expected.waived):
            if address not in self._lifted:
                yield ("waived", number), f"no exception lifts `{address}`"


def _elsewhere(rule: Rule, stage: Stage) -> str:
    return f"`{rule.address}` speaks about a {rule.ref.stage.value}, not about a {stage.value}"


def _impossible(stage: Stage, expected: Expected, rules: RuleSet) -> Iterator[tuple[Path, str]]:
    verdict = expected.verdict
    asked = (verdict, expected.by, expected.observed, expected.waived, expected.unjudged, expected.message)
    if not any(asked):
        yield (), "the expectation asks for nothing, so every outcome would do"
    if verdict in (Verdict.ASK, Verdict.PLAN) and not _reachable(verdict, stage, rules):
        where = "" if stage is Stage.CALL else f" of a {stage.value}"
        yield ("verdict",), f"no rule can make the verdict{where} `{verdict.value}`"
    if verdict is Verdict.ALLOW and expected.message is not None:
        yield ("message",), "where the verdict is `allow` the model is told nothing"


def _reachable(verdict: Verdict, stage: Stage, rules: RuleSet) -> bool:
    if stage is not Stage.CALL:
        return False
    if verdict is Verdict.ASK and rules.default is Default.ASK:
        return True
    effect = PLAN if verdict is Verdict.PLAN else "ask"
    return any(rule.ref.effect == effect and not rule.shadow for rule in rules.rules)


def _holds(address: RuleAddress, rule: Rule | None, stage: Stage, default: Default) -> Verdict | str:
    """The only verdict that a rule can be named for, or why it can be named for none."""
    if rule is None:
        if address == UNREADABLE:
            return Verdict.DENY
        if stage is not Stage.CALL:
            return f"a {stage.value} needs no grant, so `{address}` never decides about one"
        return Verdict.ASK if default is Default.ASK else Verdict.DENY
    if rule.ref.stage is not stage:
        return _elsewhere(rule, stage)
    if rule.shadow:
        return f"`{address}` is a shadow rule and decides nothing; it can be named under `observed`"
    if rule.ref.kind is Kind.GRANT:
        return Verdict.ALLOW
    if rule.ref.holds is None:
        return f"`{rule.ref.effect}` decides nothing, so `{address}` cannot be named here"
    return rule.ref.holds
