"""Prints what a decision costs, ours beside what others need for the same rules; run it as a script.

10, 100, 1,000 and 10,000 rules, ten for each tool (`policy_work`), decided by every engine that is installed
(`policy_engines` says how each is asked). Each of them first has to allow the call that meets no wall and to deny the one
that meets the last wall alone. Then everything is timed in turns, and the shortest turn of each counts, since other work on the
machine only makes it longer. What takes longer than a twentieth of a second has two turns.

It ends with 1 where a bar is not met. `--quick` measures so little that the figures mean nothing, to see that it runs, and
then no bar counts.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# As a script, its own folder is on the path, where `cel.py` would hide the native engine: its module has that name.
if Path(sys.path[0]) == Path(__file__).resolve().parent:
    sys.path[0] = str(ROOT)

import argparse  # noqa: E402  # the path comes first
from collections.abc import Callable, Iterator, Mapping  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from itertools import cycle  # noqa: E402
from typing import Final  # noqa: E402

from oap_core.names import RuleAddress  # noqa: E402
from tests.bench.policy_check import CheckTime, check_time  # noqa: E402
from tests.bench.policy_engines import OURS, engines  # noqa: E402
from tests.bench.policy_work import Work, facts, rule_set  # noqa: E402
from tests.bench.timing import once, undisturbed  # noqa: E402

GROWTH: Final = 1.3
"""How much longer a decision may take with the most rules than with the fewest."""
FASTER: Final = 20
"""How often ours has to be done while the fastest peer decides once."""
SECONDS: Final = 2.0
"""How long `oap check` may take as a whole process."""
COMPARED: Final = 1000
"""Rules with which peers are compared and `oap check` is timed."""

Key = tuple[int, str, str]
"""Number of rules, engine and call."""

_SLOW_NS: Final = 50_000_000


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    sizes: tuple[int, ...]
    rounds: int
    slice_ns: int
    checked: int
    checks: int


FULL: Final = Effort((10, 100, COMPARED, 10_000), 41, 2_000_000, COMPARED, 7)
QUICK: Final = Effort((10, 20), 1, 1, 20, 1)


@dataclass(frozen=True, slots=True)
class Row:
    """What one engine takes for one number of rules."""

    engine: str
    rules: int
    expresses: bool
    """Whether the rules of the engine say all of what ours say."""
    times: Mapping[str, float]
    """Nanoseconds by call, `miss` and `hit`."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that has to hold."""

    says: str
    met: bool


def measured(effort: Effort) -> list[Row]:
    """A row for each engine and number of rules."""
    loaded = [(size, engine) for size in effort.sizes for engine in engines(Work(size))]
    actions = {(size, one.name, call): allows for size, one in loaded for call, allows in one.allows.items()}
    times = _shortest(actions, effort)
    return [
        Row(one.name, size, one.expresses, {call: times[size, one.name, call] for call in one.allows})
        for size, one in loaded
    ]


def _shortest(actions: Mapping[Key, Callable[[], object]], effort: Effort) -> dict[Key, float]:
    """Nanoseconds of each action, all of them taking turns."""
    with undisturbed():
        found = {key: once(action) for key, action in actions.items()}
        slow = {key for key, time in found.items() if time > _SLOW_NS}
        loops = {key: _loops(action, effort) for key, action in actions.items() if key not in slow}
        for number in range(effort.rounds):
            for key, action in actions.items():
                if number == 0 or key not in slow:
                    found[key] = min(found[key], once(action, loops.get(key, 1)))
    return found


def _loops(action: Callable[[], object], effort: Effort) -> int:
    # What was not asked for a while needs some calls until it is as fast as it will be.
    return max(1, int(effort.slice_ns / min(once(action) for _ in range(5))))


def bars(rows: list[Row], check: CheckTime, checked: int) -> Iterator[Bar]:
    """What has to hold."""
    fewest, most = min(row.rules for row in rows), max(row.rules for row in rows)
    compared = max((row.rules for row in rows if row.rules <= COMPARED), default=fewest)
    for call in ("miss", "hit"):
        ours = {row.rules: row.times[call] for row in rows if row.engine == OURS}
        growth = ours[most] / ours[fewest]
        says = f"{call}: {most:,} rules take {growth:.2f} x the time of {fewest:,}, at most {GROWTH}"
        yield Bar(says, growth <= GROWTH)
        peers = {row.engine: row.times[call] for row in rows if row.rules == compared and row.engine != OURS}
        able = {row.engine for row in rows if row.expresses}
        if not able & peers.keys():
            yield Bar(f"{call}: no peer that can express the rules is installed here", met=True)
            continue
        fastest = min(able & peers.keys(), key=lambda name: peers[name])
        ratio = peers[fastest] / ours[compared]
        says = f"{call}: {ratio:.1f} x faster than {fastest} with {compared:,} rules, at least {FASTER}"
        yield Bar(says, ratio >= FASTER)
    says = f"`oap check` of {checked:,} rules takes {check.whole:.2f} s ({check.processor:.2f} s of work), at most {SECONDS}"
    yield Bar(says, check.whole <= SECONDS)


def table(rows: list[Row]) -> Iterator[str]:
    """Microseconds of each engine, and how often ours is done meanwhile."""
    yield f"{'us a decision':<16}{'rules':>8}{'miss':>12}{'hit':>12}{'x ours':>10}{'':>10}"
    for row in sorted(rows, key=lambda row: row.rules):
        ours = next(other for other in rows if other.engine == OURS and other.rules == row.rules)
        ratios = [f"{row.times[call] / ours.times[call]:.1f}" for call in ("miss", "hit")]
        note = "" if row.expresses else "  *"
        cells = [f"{row.times[call] / 1000:,.1f}" for call in ("miss", "hit")]
        yield f"{row.engine:<16}{row.rules:>8,}{cells[0]:>12}{cells[1]:>12}{ratios[0]:>10}{ratios[1]:>10}{note}"
    if not all(row.expresses for row in rows):
        yield "* cannot say all of what the rules say: the host does a half of the work beforehand"


def beside(effort: Effort) -> Iterator[str]:
    """What is no bar: decisions of ours that could not use what was worked out before."""
    work = Work(effort.sizes[-1])
    rules = rule_set(work)
    calls = [facts(work, tool, work.amounts["miss"]) for tool in work.tools]
    first = once(lambda: [rules.decide(call) for call in calls]) / len(calls)
    yield f"ours, {work.rules:,} rules, the first call of each tool, which finds its rules: {first / 1000:.1f} us"
    with undisturbed():
        again = min(once(lambda: [rules.decide(call) for call in calls]) for _ in range(effort.rounds)) / len(calls)
    yield f"ours, {work.rules:,} rules, a call of each tool in turn: {again / 1000:.1f} us"
    one = facts(work, work.last, work.amounts["miss"])
    # An approval of a rule that is not there changes nothing, and makes the answers such as were never combined before.
    never = cycle([RuleAddress(f"nobody/rule-{number}") for number in range(1000)])
    with undisturbed():
        anew = min(once(lambda: rules.decide(one, approved=(next(never),)), 100) for _ in range(effort.rounds))
    yield f"ours, answers that were not combined before: {anew / 1000:.1f} us"
    longer = check_time(effort.checked, effort.checks, long=True)
    yield f"`oap check` of {effort.checked:,} rules of several clauses each: {longer.whole:.2f} s"


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="see only that it runs")
    quick = options.parse_args(arguments).quick
    effort = QUICK if quick else FULL
    rows = measured(effort)
    for line in (*table(rows), "", *beside(effort), ""):
        print(line)
    found = list(bars(rows, check_time(effort.checked, effort.checks), effort.checked))
    for bar in found:
        print(f"{'pass' if bar.met else 'FAIL'}: {bar.says}")
    return int(not quick and not all(bar.met for bar in found))


if __name__ == "__main__":
    sys.exit(main())
