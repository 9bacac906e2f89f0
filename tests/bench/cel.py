"""Prints how fast CEL is here, beside Python and beside the engines that Python can install; run it as a script.

`--check` makes a bar that is not met an error, `--markdown` prints tables for the documentation, and `--quick` measures
so little that the figures mean nothing, to see that it runs. Expressions and activation are read from
`../shared/data/cel-bench.json`. Engines that are not installed are left away.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# As a script, its own folder is on the path, where this file would hide the native engine: its module has that name.
if Path(sys.path[0]) == Path(__file__).resolve().parent:
    sys.path[0] = str(ROOT)

import argparse  # noqa: E402  # the path comes first
import json  # noqa: E402
from collections.abc import Iterable, Iterator, Mapping  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from datetime import datetime  # noqa: E402
from math import exp, log  # noqa: E402
from statistics import median  # noqa: E402
from typing import Any  # noqa: E402

from oap_core.cel import freeze, load  # noqa: E402
from tests.bench.engines import LAMBDA, NATIVE, OURS, engines, variables  # noqa: E402
from tests.bench.rules import ENV, rules  # noqa: E402
from tests.bench.timing import medians, once, undisturbed  # noqa: E402

DATA = ROOT.parent / "shared" / "data" / "cel-bench.json"
RULES = 1000

Row = dict[str, float]
"""Nanoseconds by engine."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    rounds: int
    slice_ns: int
    rules: int


FULL = Effort(rounds=151, slice_ns=1_000_000, rules=RULES)
QUICK = Effort(rounds=1, slice_ns=1, rules=40)


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that has to hold."""

    says: str
    met: bool


class WrongAnswerError(Exception):
    """An engine that is fast but wrong is not worth timing."""


def measured(effort: Effort, document: Mapping[str, Any]) -> dict[str, Row]:
    """A row for each expression. Raises `WrongAnswerError` where an engine gives another answer than expected."""
    data = {**document["activation"], "now": datetime.fromisoformat(document["activation"]["now"])}
    rows = {}
    for each in document["expressions"]:
        found = engines(each["name"], each["expr"], data)
        for engine in found:
            if (answer := engine.result()) is not each["expect"]:
                raise WrongAnswerError(f"{engine.name} gives {answer} for {each['name']}")
        rows[each["name"]] = medians({engine.name: engine.action for engine in found}, effort.rounds, effort.slice_ns)
    return rows


def freezing(effort: Effort, document: Mapping[str, Any]) -> float:
    """Nanoseconds that freezing the activation takes, once a call."""
    data = variables({**document["activation"], "now": datetime.fromisoformat(document["activation"]["now"])})
    return medians({"freeze": lambda: freeze(data)}, effort.rounds, effort.slice_ns)["freeze"]


def loading(effort: Effort) -> tuple[float, float]:
    """Nanoseconds for loading rules, and for cel-python's parser on the same rules; in turns, medians of five."""
    from celpy import CELParser

    parser = CELParser()
    ours, theirs = [], []
    for source in rules(20, 0):
        load(source, ENV)
        parser.parse(source)
    with undisturbed():
        for seed in range(1, 6):
            pairs = [_loaded(source, parser) for source in rules(effort.rules, seed)]
            ours.append(sum(one for one, _ in pairs))
            theirs.append(sum(other for _, other in pairs))
    return median(ours), median(theirs)


def _loaded(source: str, parser: Any) -> tuple[float, float]:
    return once(lambda: load(source, ENV)), once(lambda: parser.parse(source))


def bars(rows: Mapping[str, Row], ours: float, theirs: float) -> Iterator[Bar]:
    """What has to hold."""
    ratios = {name: row[OURS] / row[LAMBDA] for name, row in rows.items()}
    mean = _geometric_mean(ratios.values())
    # The lambda looks through the list of 500, as plain Python does; the figure without it flatters nobody.
    without = _geometric_mean(ratio for name, ratio in ratios.items() if name != "in500")
    yield Bar(f"geometric mean of ours / lambda is {mean:.2f}, at most 3.0 ({without:.2f} without in500)", mean <= 3.0)
    others = {name: ratio for name, ratio in ratios.items() if name != "regex"}
    worst = max(others, key=lambda name: others[name])
    says = f"ours / lambda is at most {others[worst]:.2f} ({worst}) without `matches`, at most 8"
    yield Bar(says, others[worst] <= 8)
    for native in NATIVE:
        columns = [name for name in next(iter(rows.values())) if name.partition(",")[0] == native]
        for column in columns:
            slower = [name for name, row in rows.items() if row[OURS] >= row[column]]
            yield Bar(f"faster than {column} on every expression{_but(slower)}", not slower)
        if not columns:
            yield Bar(f"faster than {native}: it is not installed here", met=True)
    ratio = ours / theirs
    yield Bar(f"loading takes {ratio:.2f} x the time of cel-python's parser alone, at most 1.5", ratio <= 1.5)


def _geometric_mean(ratios: Iterable[float]) -> float:
    logarithms = [log(ratio) for ratio in ratios]
    return exp(sum(logarithms) / len(logarithms))


def _but(names: list[str]) -> str:
    return f", but not on {', '.join(names)}" if names else ""


def table(rows: Mapping[str, Row], markdown: bool) -> Iterator[str]:
    """Microseconds of each engine for each expression, and how often ours takes the time of the lambda."""
    columns = list(next(iter(rows.values())))
    cells = [["us", *columns, "ours / lambda"]]
    for name, row in rows.items():
        times = [f"{row[column] / 1000:.3g}" for column in columns]
        cells.append([name, *times, f"{row[OURS] / row[LAMBDA]:.2f}"])
    widths = [max(len(line[place]) for line in cells) for place in range(len(cells[0]))]
    for number, line in enumerate(cells):
        padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        yield f"| {' | '.join(padded)} |" if markdown else "  ".join(padded)
        if markdown and number == 0:
            yield f"| {' | '.join('-' * max(3, width) for width in widths)} |"


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true", help="exit with 1 where a bar is not met")
    options.add_argument("--markdown", action="store_true", help="print Markdown")
    options.add_argument("--quick", action="store_true", help="see only that it runs")
    chosen = options.parse_args(arguments)
    effort = QUICK if chosen.quick else FULL
    document = json.loads(DATA.read_text(encoding="utf-8"))
    rows = measured(effort, document)
    frozen, (ours, theirs) = freezing(effort, document), loading(effort)
    for line in table(rows, chosen.markdown):
        print(line)
    print(f"\nfreezing the activation, once a call for all rules: {frozen / 1000:.1f} us")
    print(f"{effort.rules} rules: loaded in {ours / 1e6:.0f} ms, cel-python's parser alone {theirs / 1e6:.0f} ms\n")
    found = list(bars(rows, ours, theirs))
    for bar in found:
        print(f"{'- ' if chosen.markdown else ''}{'pass' if bar.met else 'FAIL'}: {bar.says}")
    return int(chosen.check and not all(bar.met for bar in found))


if __name__ == "__main__":
    sys.exit(main())
