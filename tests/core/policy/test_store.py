from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from oap_core.clock import FrozenClock
from oap_core.errors import PolicyError
from oap_core.policy.assemble import Assembled, assemble
from oap_core.policy.files import gather
from oap_core.policy.store import RuleStore
from tests.core.policy.deciding import NOW, SETUP, call, catalog, decide, exceptions, policy, tool

OPEN: Final = "- {id: open, effect: allow}"
WALL: Final = "- {id: open, effect: allow}\n- {id: wall, effect: deny}"


class Folder:
    """A folder of policies, and a store that reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = FrozenClock(NOW)
        self.write("p", WALL)

    def write(self, name: str, rules: str) -> None:
        (self.path / f"{name}.yaml").write_text(policy(rules, name=name), encoding="utf-8")

    def load(self) -> Assembled:
        return assemble(gather([self.path]), SETUP)

    def store(self) -> RuleStore:
        return RuleStore(self.load, self.clock)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def verdict(store: RuleStore) -> str:
    return decide(store.current.rules, call())


def test_a_reload_puts_what_is_written_in_force(folder: Folder) -> None:
    store = folder.store()
    first = store.current
    assert (verdict(store), first.loaded, first.stale_since) == ("deny p/wall", NOW, None)
    folder.clock.advance(60)
    folder.write("p", OPEN)
    assert verdict(store) == "deny p/wall"
    found = store.reload()
    assert (found.changed, found.removed, found.before) == (True, (), first.rules)
    assert found.in_force is store.current
    assert (verdict(store), store.current.loaded) == ("allow p/open", NOW + timedelta(minutes=1))
    # Who has begun with the first set ends with it.
    assert decide(first.rules, call()) == "deny p/wall"


def test_a_reload_without_a_change_changes_nothing(folder: Folder) -> None:
    store = folder.store()
    before = store.current.rules
    folder.clock.advance(60)
    (folder.path / "p.yaml").write_text(policy(WALL) + "# a note\n", encoding="utf-8")
    found = store.reload()
    assert (found.changed, store.current.rules, store.current.loaded) == (False, before, NOW)


# What a file holds, so that the set as a whole cannot be loaded.
BAD: Final[dict[str, bytes]] = {
    "malformed": b"apiVersion: [\n",
    "half written": policy(OPEN).encode()[:-14],
    "cut in its head": policy(OPEN).encode()[:20],
    "empty": b"",
    "zero bytes": b"\0" * 100,
    "no UTF-8": b"\xff\xfe\xfa",
    "unknown key": policy(OPEN, more="modes: shadow").encode(),
    "unknown effect": policy("- {id: open, effect: alow}").encode(),
    "broken condition": policy("- {id: open, effect: allow, when: 'args.x ='}").encode(),
    "two documents": policy(OPEN).encode() + b"---\n" + policy(OPEN).encode(),
    "another kind": policy(OPEN).replace("kind: Policy", "kind: Polcy").encode(),
    "the same name again": policy(OPEN, name="p").encode(),
}


@pytest.mark.guarantee("reload-atomic")
@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_a_set_with_a_fault_anywhere_leaves_the_last_good_one_in_force(folder: Folder, content: bytes) -> None:
    store = folder.store()
    before = store.current.rules
    folder.write("p", OPEN)
    (folder.path / "q.yaml").write_bytes(content)
    folder.clock.advance(5)
    found = store.reload(accept_removal=True)
    assert (found.changed, store.current.rules) == (False, before)
    assert verdict(store) == "deny p/wall"
    assert store.current.stale_since == NOW + timedelta(seconds=5)
    assert any(one.severity.value == "error" for one in store.current.problems)


def test_the_first_load_has_nothing_to_fall_back_on(folder: Folder) -> None:
    folder.write("q", "- {id: open, effect: alow}")
    with pytest.raises(PolicyError) as raised:
        folder.store()
    assert [str(one.code) for one in raised.value.diagnostics] == ["OAP303"]


def failing(error: Exception) -> Callable[[], Assembled]:
    def load() -> Assembled:
        raise error

    return load


@pytest.mark.parametrize("error", [OSError("hunter2"), ValueError("hunter2"), RecursionError(), MemoryError()])
def test_whatever_loading_raises_leaves_the_last_good_set_in_force(folder: Folder, error: Exception) -> None:
    store = folder.store()
    store._load = failing(error)
    found = store.reload()
    assert (found.changed, verdict(store), store.current.stale_since) == (False, "deny p/wall", NOW)
    assert "hunter2" not in str(store.current.problems)
    with pytest.raises(PolicyError) as raised:
        RuleStore(failing(error), folder.clock)
    assert "hunter2" not in str(raised.value)


@pytest.mark.guarantee("reload-visible")
def test_stale_since_is_the_first_failure_and_goes_with_the_next_success(folder: Folder) -> None:
    store = folder.store()
    (folder.path / "q.yaml").write_text("kind: [", encoding="utf-8")
    times = []
    for _ in range(3):
        folder.clock.advance(60)
        store.reload()
        times.append(store.current.stale_since)
    assert times == [NOW + timedelta(minutes=1)] * 3
    assert store.current.loaded == NOW
    folder.write("q", "- {id: more, effect: deny}")
    folder.clock.advance(60)
    assert store.reload().changed
    assert (store.current.stale_since, store.current.problems) == (None, ())
    (folder.path / "q.yaml").write_text("kind: [", encoding="utf-8")
    folder.clock.advance(60)
    store.reload()
    assert store.current.stale_since == NOW + timedelta(minutes=5)
    # What is written is what is in force again, though nothing was loaded anew.
    folder.write("q", "- {id: more, effect: deny}")
    assert not store.reload().changed
    assert (store.current.stale_since, store.current.problems) == (None, ())


@pytest.mark.guarantee("reload-visible")
def test_a_policy_that_has_vanished_has_to_be_accepted(folder: Folder) -> None:
    folder.write("q", "- {id: wall, effect: deny, severity: critical}")
    store = folder.store()
    (folder.path / "q.yaml").unlink()
    folder.write("p", OPEN)
    found = store.reload()
    assert (found.changed, found.removed, verdict(store)) == (
        False,
        ("q",),
        "deny q/wall p/wall".replace("q/wall p/wall", "p/wall q/wall"),
    )
    assert store.current.stale_since == NOW
    [problem] = store.current.problems
    assert "`q`" in problem.message
    assert store.reload(accept_removal=True).removed == ("q",)
    assert (verdict(store), store.current.stale_since) == ("allow p/open", None)


def test_a_policy_under_another_name_has_vanished(folder: Folder) -> None:
    store = folder.store()
    (folder.path / "p.yaml").write_text(policy(WALL, name="p2"), encoding="utf-8")
    assert store.reload().removed == ("p",)
    assert verdict(store) == "deny p/wall"


def test_a_policy_in_another_file_has_not_vanished(folder: Folder) -> None:
    store = folder.store()
    (folder.path / "p.yaml").rename(folder.path / "other.yaml")
    assert store.reload().removed == ()
    assert (store.current.stale_since, verdict(store)) == (None, "deny p/wall")


def test_a_catalog_that_has_vanished_has_to_be_accepted(folder: Folder) -> None:
    folder.write("p", OPEN)
    file = folder.path / "catalog.yaml"
    file.write_text(catalog("- {id: fs/write}"), encoding="utf-8")
    store = folder.store()
    file.unlink()
    assert not store.reload().changed
    assert (verdict(store), "catalog" in store.current.problems[0].message) == ("deny core/default", True)
    assert store.reload(accept_removal=True).changed
    assert verdict(store) == "allow p/open"


def test_everything_gone_is_nothing_that_is_accepted_quietly(folder: Folder) -> None:
    store = folder.store()
    (folder.path / "p.yaml").unlink()
    assert not store.reload().changed
    assert verdict(store) == "deny p/wall"


def test_an_exception_that_was_taken_back_counts_no_more(folder: Folder) -> None:
    folder.write("p", OPEN + "\n- {id: wall, effect: deny, waivable: true}")
    lifting = exceptions("- {id: e, waives: [p/wall], reason: r, approved_by: b, expires: '2027-01-01T00:00:00Z'}")
    (folder.path / "x.yaml").write_text(lifting, encoding="utf-8")
    store = folder.store()
    assert verdict(store) == "allow p/open"
    (folder.path / "x.yaml").unlink()
    assert store.reload().changed
    assert verdict(store) == "deny p/wall"


def test_a_set_can_be_rolled_back_one_step(folder: Folder) -> None:
    store = folder.store()
    with pytest.raises(LookupError):
        store.roll_back()
    folder.write("p", OPEN)
    store.reload()
    folder.write("p", "- {id: other, effect: allow, match: {tools: [mail/send]}}")
    store.reload()
    assert verdict(store) == "deny core/default"
    folder.clock.advance(60)
    found = store.roll_back()
    assert (found.changed, verdict(store)) == (True, "allow p/open")
    assert store.current.stale_since == NOW + timedelta(minutes=1)
    assert store.current.problems
    with pytest.raises(LookupError):
        store.roll_back()
    assert store.reload().changed
    assert (verdict(store), store.current.stale_since) == ("deny core/default", None)


def test_what_a_host_has_told_of_its_tools_stays_known(folder: Folder) -> None:
    known = [tool("fs/read").id, tool("fs/write").id]
    loaded: list[Assembled] = []

    def load() -> Assembled:
        loaded.append(folder.load())
        return loaded[-1] if loaded[1:] else seeing(loaded[-1])

    store = RuleStore(load, folder.clock)
    folder.write("p", OPEN)
    assert store.reload().changed
    assert set(store.current.rules.listed) == set(known)


def seeing(found: Assembled) -> Assembled:
    assert found.rules is not None
    rules = found.rules.seeing([tool("fs/read").id, tool("fs/write").id])
    return Assembled(rules, found.diagnostics, found.sources)


@pytest.mark.guarantee("reload-atomic")
def test_a_decision_keeps_to_one_set_while_others_are_put_in_force(tmp_path: Path) -> None:
    # Both rules of a set say the same, so an answer of two sets together would show.
    texts = [
        policy(f"- {{id: a{n}, effect: allow, when: 'args.n < 5 || args.n > 100'}}\n- {{id: w{n}, effect: deny}}")
        for n in range(2)
    ]
    path = tmp_path / "p.yaml"
    path.write_text(texts[0], encoding="utf-8")
    store = RuleStore(lambda: assemble(gather([tmp_path]), SETUP), FrozenClock(NOW))
    ends = threading.Event()
    seen: set[str] = set()

    def read_on() -> set[tuple[str, str]]:
        found = set()
        while not ends.is_set():
            current = store.current
            judged = current.rules.decide(call(args={"n": 1}))
            names = "".join(sorted(str(one.rule.address)[-1] for one in judged.outcomes))
            found.add((current.rules.revision, names))
        return found

    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(read_on) for _ in range(3)]
        for turn in range(12):
            path.write_text(texts[turn % 2], encoding="utf-8")
            store.reload()
            seen.add(store.current.rules.revision)
        ends.set()
        pairs = set().union(*(one.result() for one in running))
    assert len(seen) == 2
    assert {names for _, names in pairs} <= {"00", "11"}
    assert len(pairs) == len({revision for revision, _ in pairs})


def test_reloads_from_many_threads_end_in_what_is_written(folder: Folder) -> None:
    store = folder.store()
    folder.write("p", OPEN)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: store.reload().changed, range(24)))
    assert sum(found) == 1
    assert verdict(store) == "allow p/open"


@pytest.mark.guarantee("S3-19")
def test_a_call_is_judged_by_what_is_in_force_at_its_own_time(folder: Folder) -> None:
    folder.write("p", "- {id: open, effect: allow, expires: '2026-06-01T12:10:00Z'}")
    store = folder.store()

    def now() -> str:
        return decide(store.current.rules, call(now=folder.clock.now()))

    assert now() == "allow p/open"
    folder.clock.advance(timedelta(minutes=9))
    assert now() == "allow p/open"
    folder.clock.advance(timedelta(minutes=1))
    assert now() == "deny core/default"
    # Taken back between two calls of one batch.
    folder.write("p", OPEN)
    store.reload()
    assert now() == "allow p/open"
    folder.write("p", WALL)
    store.reload()
    assert now() == "deny p/wall"
    hours = "- {id: open, effect: allow, when: now.getHours() >= 9 && now.getHours() < 17}"
    folder.write("p", hours)
    store.reload()
    for moment, expected in (
        (9, "allow p/open"),
        (16, "allow p/open"),
        (17, "deny core/default"),
        (8, "deny core/default"),
    ):
        folder.clock.set(NOW.replace(hour=moment) + timedelta(days=moment == 8))
        assert now() == expected


def test_what_the_host_has_is_known_after_a_reload_and_a_roll_back(folder: Folder) -> None:
    store = RuleStore(folder.load, folder.clock)
    listed = tool("fs/read", description="Reads.")
    assert store.see([listed, tool("fs/list").id]).rules.listed == {listed.id: listed, "fs/list": None}
    folder.write("p", OPEN + "\n- {id: more, effect: deny, match: {tools: ['fs/list']}}")
    assert store.reload().changed
    assert store.current.rules.listed == {listed.id: listed, "fs/list": None}
    assert store.see([listed]).rules.listed == {listed.id: listed}
    assert store.roll_back().in_force.rules.listed == {listed.id: listed}
