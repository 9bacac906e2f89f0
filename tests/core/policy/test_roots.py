"""Paths in arguments against the roots that a policy names, as decisions show it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from oap_core.cel.host import host_functions
from oap_core.cel.standard import STANDARD
from oap_core.policy.facts import SessionFacts
from oap_core.policy.scope import Vocabulary
from oap_core.policy.setup import Setup
from tests.core.policy.deciding import call, decide, rules
from tests.core.policy.worlds import EFFECTS

POSIX: Final = Setup(
    effects=EFFECTS,
    vocabulary=Vocabulary(STANDARD.extended(host_functions(fold_case=False, windows=False))),
)
INSIDE: Final = "- {id: inside, effect: allow, when: 'within(args.path, session.workspace)'}"


@pytest.mark.guarantee("decision-paths")
@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/srv/app/x", True),
        ("/srv/app", True),
        ("/srv/app/./a/../x", True),
        ("/srv//app///x", True),
        ("/srv/app/..x", True),
        ("/srv/app-old/x", False),
        ("/srv/app/../app2/x", False),
        ("/srv/app/../../etc/passwd", False),
        ("/srv/app/a/b/../../../x", False),
        ("/etc/passwd", False),
        ("/SRV/APP/x", False),
        ("/srv", False),
        ("", False),
        ("~/x", False),
        ("\x00/srv/app/x", False),
        ("/srv/app/x\x00/../../../etc", False),
        ("../etc/passwd", False),
    ],
)
def test_a_path_outside_of_the_root_matches_no_grant(path: str, inside: bool) -> None:
    some = rules(INSIDE, setup=POSIX)
    facts = call("fs/write", {"path": path}, session=SessionFacts("s", "i", "/srv/app"))
    assert decide(some, facts) == ("allow p/inside" if inside else "deny core/default")


@pytest.mark.guarantee("decision-paths")
@pytest.mark.parametrize("path", [None, 7, ["/srv/app/x"], {"path": "/srv/app/x"}])
def test_what_is_no_path_matches_no_grant(path: object) -> None:
    facts = call("fs/write", {"path": path}, session=SessionFacts("s", "i", "/srv/app"))
    assert decide(rules(INSIDE, setup=POSIX), facts) == "deny core/default"
    assert decide(rules(INSIDE, setup=POSIX), call("fs/write", {"path": "/srv/app/x"})) == "deny core/default"


@pytest.mark.guarantee("decision-paths")
def test_a_link_out_of_the_root_is_followed_where_the_rule_asks_the_disk(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "own").write_text("x", encoding="utf-8")
    (outside / "other").write_text("x", encoding="utf-8")
    (root / "link").symlink_to(outside)
    (root / "loop").symlink_to(root / "loop")
    (root / "back").symlink_to(root)
    some = rules("- {id: inside, effect: allow, when: 'within_on_disk(args.path, session.workspace)'}")
    wall = rules(
        "- {id: open, effect: allow}\n- {id: out, effect: deny, when: '!within_on_disk(args.path, session.workspace)'}"
    )

    def both(path: Path) -> tuple[str, str]:
        facts = call("fs/read", {"path": str(path)}, session=SessionFacts("s", "i", str(root)))
        return decide(some, facts), decide(wall, facts)

    inside, refused = ("allow p/inside", "allow p/open"), ("deny core/default", "deny p/out")
    assert both(root / "own") == inside
    assert both(root / "back" / "own") == inside
    assert both(root / "link" / "other") == refused
    assert both(root / "link" / ".." / "outside" / "other") == refused
    assert both(root / "loop" / "x") == refused
    assert both(outside / "other") == refused
