"""What one entry of the promise list is: an id, the promised behaviour in one sentence, and how it stands.

An entry stands in one of two ways. `Tested` names the tests that prove the sentence. `Deferred` says which part of the
project has to exist first. `Changed` is laid over either of them where the design decided otherwise than the sentence
says: what holds now is then the promise, and it is tested or deferred like every other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Deferred:
    """The promise cannot hold yet."""

    reason: str
    """The part of the project that brings it, as a phrase that follows "deferred: "."""


@dataclass(frozen=True, slots=True)
class Tested:
    """The promise holds, and these tests prove it."""

    tests: tuple[str, ...]
    """Test functions as `tests/core/test_x.py::test_name`; each carries the marker `guarantee` with the id."""

    # pytest would take the class for a group of tests, by its name.
    __test__: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Changed:
    """The design decided otherwise; `now` is promised in place of the sentence."""

    section: int
    """The section of the design that decides."""
    now: str
    """What holds instead, in one sentence."""
    status: Deferred | Tested
    """How `now` stands."""


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One promised behaviour."""

    id: str
    """Stable and unique: a requirement such as `S0-12` or `D-017`, or an id of our own such as `cel-no-wrong-value`."""
    sentence: str
    """The behaviour, in one sentence that a test can show false."""
    status: Tested | Deferred | Changed
    """How the promise stands."""

    @property
    def standing(self) -> Tested | Deferred:
        """How it stands once a change by the design is looked through."""
        return self.status.status if isinstance(self.status, Changed) else self.status

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests that prove it, none where it is deferred."""
        return self.standing.tests if isinstance(self.standing, Tested) else ()


@dataclass(frozen=True, slots=True)
class Group:
    """The promises about one subject."""

    id: str
    """`G1` to `G28` for requirements; for promises of our own the word that their ids start with, such as `cel`."""
    title: str
    """The subject, as a heading."""
    guarantees: tuple[Guarantee, ...]
    """In the order in which a reader meets them."""
