"""Whether a selection of tools can select anything: against the catalog, and within the selection of its policy."""

from __future__ import annotations

from oap_core.diagnostic import Diagnostic
from oap_core.names import ToolId
from oap_core.policy.catalog import Catalog
from oap_core.policy.codes import FileCode
from oap_core.policy.globs import ToolGlob
from oap_core.policy.model.policy import MatchModel
from oap_core.policy.nearest import nearest
from oap_core.policy.report import blame
from oap_core.policy.rules import Match
from oap_core.policy.tree import Node, key_at, span_at
from oap_core.types import Reach

__all__ = ["check_match"]


def check_match(
    problems: list[Diagnostic],
    file: str | None,
    root: Node,
    path: tuple[str | int, ...],
    match: MatchModel,
    outer: Match | None,
    catalog: Catalog | None,
) -> None:
    """Tell of everything in a selection that can never select a tool."""
    for number, glob in enumerate(match.tools or ()):
        span = span_at(root, *path, "tools", number)
        if outer is not None and not _inside(glob, outer):
            message = f"`{glob}` is outside of what the policy speaks about, so it can never select a tool"
            problems.append(blame(FileCode.NEVER_APPLIES, span, message, _wanted(outer), file=file))
        elif catalog is not None and not _selects_any(glob, catalog):
            lowered = {tool.lower(): tool for tool in reversed([*catalog.tools])}
            near = nearest(glob.lower(), lowered, told=len(problems))
            help_ = f"did you mean `{lowered[near]}`?" if near else _nearest_source(glob, catalog)
            if glob.literal:
                message = f"the catalog has no tool `{glob}`"
                problems.append(blame(FileCode.UNKNOWN_TOOL, span, message, help_, file=file))
            else:
                message = f"`{glob}` selects no tool of the catalog"
                problems.append(blame(FileCode.NEVER_APPLIES, span, message, help_, file=file))
    if catalog is not None:
        _check_words(problems, file, root, path, match, catalog)
    reaches = None if outer is None else outer.reach
    if match.reach is not None and reaches is not None and reaches.isdisjoint(map(Reach, match.reach)):
        span = key_at(root, *path, "reach")
        message = "the policy speaks about other reaches alone, so this can never select a tool"
        problems.append(blame(FileCode.NEVER_APPLIES, span, message, file=file))


def _selects_any(glob: ToolGlob, catalog: Catalog) -> bool:
    return ToolId(glob) in catalog.tools if glob.literal else any(map(glob.selects, catalog.tools))


def _inside(glob: ToolGlob, outer: Match) -> bool:
    if outer.tools is not None and not any(glob.meets(other) for other in outer.tools):
        return False
    # A source is no pattern, whatever stands in its name.
    pattern = ToolGlob(f"{glob.partition('/')[0]}/*")
    return outer.sources is None or any(pattern.selects(f"{source}/*") for source in outer.sources)


def _wanted(outer: Match) -> str | None:
    if outer.tools is not None:
        return f"the policy speaks about {', '.join(f'`{glob}`' for glob in outer.tools)}"
    return f"the policy speaks about the sources {', '.join(f'`{name}`' for name in sorted(outer.sources or ()))}"


def _nearest_source(glob: ToolGlob, catalog: Catalog) -> str | None:
    source = glob.partition("/")[0]
    near = nearest(source, catalog.sources, cutoff=0.5)
    return f"did you mean the source `{near}`?" if near not in (None, source) else None


def _check_words(
    problems: list[Diagnostic],
    file: str | None,
    root: Node,
    path: tuple[str | int, ...],
    match: MatchModel,
    catalog: Catalog,
) -> None:
    """Tell of sources, tags and annotations that no tool of the catalog has."""
    lists = {
        "sources": (match.sources, catalog.sources),
        "tags": (match.tags, catalog.tags),
    }
    for key, (given, known) in lists.items():
        for number, word in enumerate(given or ()):
            if word not in known:
                _unknown_word(problems, file, root, (*path, key, number), word, key.removesuffix("s"), known)
    for name in match.annotations or ():
        if name not in catalog.annotations:
            near = nearest(name, catalog.annotations, told=len(problems))
            help_ = f"did you mean `{near}`?" if near else None
            message = f"no tool of the catalog has the annotation `{name}`"
            span = key_at(root, *path, "annotations", name)
            problems.append(blame(FileCode.NEVER_APPLIES, span, message, help_, file=file))


def _unknown_word(
    problems: list[Diagnostic],
    file: str | None,
    root: Node,
    path: tuple[str | int, ...],
    word: str,
    what: str,
    known: frozenset[str],
) -> None:
    near = nearest(word, known, told=len(problems))
    help_ = f"did you mean `{near}`?" if near else None
    message = f"no tool of the catalog has the {what} `{word}`"
    problems.append(blame(FileCode.NEVER_APPLIES, span_at(root, *path), message, help_, file=file))
