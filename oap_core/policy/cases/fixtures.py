"""Values that tests share: `fixtures.yaml` beside a file of tests, or in a folder above it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from oap_core.diagnostic import Diagnostic
from oap_core.policy.cases.placeholders import TooMuchError, fill, holes, problem
from oap_core.policy.cases.written import Spot
from oap_core.policy.codes import FileCode
from oap_core.policy.documents import FIXTURES
from oap_core.policy.files import read_file
from oap_core.policy.load import Document
from oap_core.policy.model.cases import FixturesModel
from oap_core.policy.report import blame
from oap_core.policy.shape import validate
from oap_core.policy.tree import Span

__all__ = ["Fixtures"]


class Fixtures:
    """The fixtures of one project, each file read once. What is wrong with one is collected in `problems`."""

    def __init__(self, base: Path, problems: list[Diagnostic]) -> None:
        """`base` is the highest folder that is looked at."""
        self._base = base.absolute()
        self._problems = problems
        self._read: dict[Path, Mapping[str, Any]] = {}
        self.sources: dict[str, str] = {}
        """The texts of the files by their names."""

    def of(self, file: str | None) -> Mapping[str, Any]:
        """What names stand for in a file; of one name the nearest fixture counts."""
        if file is None:
            return {}
        folder = Path(file).absolute().parent
        found: dict[str, Any] = {}
        for one in (folder, *folder.parents):
            found = {**self._in(one), **found}
            if one == self._base or not one.is_relative_to(self._base):
                break
        return found

    def _in(self, folder: Path) -> Mapping[str, Any]:
        if folder not in self._read:
            found: dict[str, Any] = {}
            names = [name for name in FIXTURES if (folder / name).is_file()]
            for name in names:
                found |= self._file(folder / name, others=names[: names.index(name)])
            self._read[folder] = found
        return self._read[folder]

    def _file(self, path: Path, others: list[str]) -> dict[str, Any]:
        document = read_file(path)
        self.sources[document.file or ""] = document.text
        self._problems.extend(document.problems)
        if document.root is None:
            return {}
        if others:
            message = f"there is `{others[0]}` beside it, and a folder has one file of fixtures"
            place = Span(1, 1, 1, 1)
            self._problems.append(blame(FileCode.FIXTURE, place, message, "make one file of them", file=document.file))
        model = validate(FixturesModel, document.root, document.file)
        if isinstance(model, list):
            self._problems.extend(model)
            return {}
        return {name: self._value(document, name, value) for name, value in model.fixtures.items()}

    def _value(self, document: Document, name: str, value: Any) -> Any:
        """A fixture with its repeated texts; it may name nothing else."""
        spot = Spot(document, ("fixtures", name))
        wrong = False
        for path, hole in holes(value):
            found = problem(hole, {})
            if found is not None:
                wrong = True
                stretch = (hole.start, hole.start + len(hole.inner) + 3)
                self._problems.append(spot.blame_inside(FileCode.FIXTURE, path, stretch, found.message, found.help))
        try:
            return None if wrong else fill(value, {})
        except TooMuchError:
            self._problems.append(spot.blame(FileCode.FIXTURE, (), "the fixture is too long"))
            return None
