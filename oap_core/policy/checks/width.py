"""Rules and exceptions that can never apply, because the selections that have to hold together never do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from oap_core.names import ToolId
from oap_core.policy.catalog import Catalog
from oap_core.policy.globs import ToolGlob
from oap_core.policy.rules import Match
from oap_core.policy.selection import all_select

__all__ = ["can_apply"]


def can_apply(matches: Iterable[Match], constraint: frozenset[str] | None, catalog: Catalog | None) -> bool:
    """Whether there can be a tool that all selections and the condition leave over.

    `constraint` are the only tools that the condition can hold for, or None. It says true where that cannot be told.
    """
    found = tuple(matches)
    if constraint is None and all(_by_reach(match) for match in found):
        # Policies are shared: a catalog that has no such tool today is not what decides whether they are right.
        return _agree(found)
    if catalog is not None and catalog.tools:
        named = catalog.tools if constraint is None else [tool for tool in catalog.tools if tool in constraint]
        return any(all_select(found, tool, catalog.tools[tool]) is True for tool in named)
    if constraint is not None:
        return any(_selected(tool, found) for tool in constraint)
    return _meet(list(_globs(found))) and _agree(found)


def _by_reach(match: Match) -> bool:
    """Whether it selects by nothing but reach, which every tool has, also one that no catalog knows."""
    return match == Match(reach=match.reach)


def _selected(name: str, matches: Sequence[Match]) -> bool:
    try:
        tool = ToolId(name)
    except ValueError:
        return False
    # What a tool reaches is known once somebody has reviewed it, a catalog or the code of a host.
    return all_select((replace(match, reach=None) for match in matches), tool, None) is not False


def _globs(matches: Iterable[Match]) -> Iterable[list[ToolGlob]]:
    """Lists of patterns, of each of which one has to select the tool."""
    for match in matches:
        if match.tools is not None:
            yield list(match.tools)
        if match.sources is not None:
            yield [ToolGlob(f"{source}/*") for source in match.sources]


def _meet(lists: list[list[ToolGlob]]) -> bool:
    """Whether a pattern of each list meets one of every other list."""
    return all(any(all(any(glob.meets(one) for one in other) for other in lists) for glob in globs) for globs in lists)


def _agree(matches: Sequence[Match]) -> bool:
    """Whether no two selections ask for different reaches or for different values of one annotation."""
    reaches = [match.reach for match in matches if match.reach is not None]
    if reaches and not frozenset.intersection(*reaches):
        return False
    asked: dict[str, object] = {}
    for match in matches:
        for name, value in (match.annotations or {}).items():
            if name in asked and (asked[name] != value or isinstance(asked[name], bool) is not isinstance(value, bool)):
                return False
            asked[name] = value
    return True
