"""A condition about labels that is accepted never becomes false by a label that is added."""

from __future__ import annotations

from itertools import combinations, product
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel.activation import freeze
from oap_core.diagnostic import Severity
from tests.core.policy.checks.casefile import EFFECTS, assembled

LABELS: Final = ("a", "ab", "b", "pii", "x")
SETS: Final = [frozenset(some) for count in range(len(LABELS) + 1) for some in combinations(LABELS, count)]
PREDICATES: Final = ('l == "a"', 'l != "pii"', '!l.startsWith("a")', "args.n > 1", "l in session.labels", "l in args.l")
DEFINED: Final = {
    "marks": "session.labels",
    "count": "size(variables.marks)",
    "tainted": '"pii" in variables.marks',
    "clean": "!variables.tainted",
    "many": "variables.count > args.n || variables.tainted",
}
LISTS: Final = ("session.labels", 'session["labels"]', "variables.marks")
SIZES: Final = ("size(session.labels)", "variables.marks.size()", "variables.count")
ORDERS: Final = ("<", "<=", ">", ">=", "==", "!=")
FREE: Final = ('args.s == "a"', "args.n > 1", "true", "1 / args.n > 0", '!(args.s == "b")', "args.b")
ATOMS: Final = (
    *(f"({text} in {labels})" for text, labels in product(('"a"', '"pii"', "args.s"), LISTS)),
    *(f"({size} {order} {number})" for size, order, number in product(SIZES, ORDERS, ("1", "args.n"))),
    *(f"({number} {order} {size})" for size, order, number in product(SIZES, ORDERS, ("2", "args.n"))),
    *(
        f"{target}.{macro}(l, {predicate})"
        for target, macro, predicate in product(
            (*LISTS, '["a", "b"]', "args.l"), ("exists", "all", "exists_one"), PREDICATES
        )
    ),
    *(f"(size({LISTS[0]}.filter(l, {predicate})) > args.n)" for predicate in PREDICATES),
    *("variables.tainted", "variables.clean", "variables.many", "has(session.labels)"),
    *('session.labels == ["a"]', '(session.labels + ["a"]).exists(l, l == "b")', 'session.labels[0] == "a"'),
)
PLACES: Final = (
    "{}",
    "!({})",
    "({} && args.b)",
    "(args.b || {})",
    "(args.b ? {} : args.n > 1)",
    "(args.b ? args.n > 1 : {})",
    "({} ? args.b : args.n > 1)",
    "({} ? true : args.b)",
    "({} == args.b)",
    '["a", "b"].exists(x, {} && x == args.s)',
    '["a", "b"].all(x, {} || x == args.s)',
    '["a", "b"].exists_one(x, {} || x == args.s)',
)
ARGUMENTS: Final = tuple(
    {"s": text, "n": number, "b": truth, "l": some}
    for text, number, truth, some in product(("a", "pii"), (0, 2), (True, False), (["a"], ["b", "pii"]))
)


def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} && {})".format, parts, parts),
        st.builds("({} || {})".format, parts, parts),
        st.builds("({} ? {} : {})".format, st.sampled_from(FREE), parts, parts),
        st.builds(lambda place, part: place.replace("{}", part), st.sampled_from(PLACES), parts),
    )


CONDITIONS: Final = st.recursive(st.sampled_from((*FREE, *ATOMS)), joined, max_leaves=5)


def text(condition: str, effect: str) -> str:
    variables = "".join(f"  {name}: '{source}'\n" for name, source in DEFINED.items())
    return (
        "apiVersion: oap/v1\nkind: Policy\nmetadata: {name: p, owner: o}\n"
        f"variables:\n{variables}rules:\n  - id: one\n    effect: {effect}\n    when: '{condition}'\n"
    )


def only_tightens(condition: str, effect: str) -> bool:
    """Whether the condition is accepted; then a label more never makes it false."""
    rules = assembled({"p.yaml": text(condition, effect)}).rules
    if rules is None:
        return False
    when = rules.rules[0].when
    assert when is not None
    for arguments in ARGUMENTS:
        outcomes = {
            labels: when.decide(freeze({"args": arguments, "session": {"labels": sorted(labels)}})).matched
            for labels in SETS
        }
        for labels, outcome in outcomes.items():
            if outcome is False:
                assert all(outcomes[labels - {label}] is False for label in labels), condition
    return True


def test_every_way_to_read_labels_in_every_place() -> None:
    accepted = [only_tightens(place.replace("{}", atom), "deny") for place in PLACES[:2] for atom in ATOMS]
    assert sum(accepted) > len(ATOMS) // 3
    accepted = [only_tightens(place.replace("{}", atom), "ask") for place in PLACES for atom in ATOMS[::7]]
    assert sum(accepted) > len(accepted) // 5


@settings(max_examples=100)
@given(CONDITIONS, st.sampled_from(("deny", "ask")))
def test_a_label_more_never_lets_a_call_through(condition: str, effect: str) -> None:
    only_tightens(condition, effect)


@given(CONDITIONS)
def test_what_neither_wall_nor_gate_reads_is_free_of_labels(condition: str) -> None:
    found = assembled({"p.yaml": text(condition, "allow")})
    reads = "labels" in condition or "variables" in condition
    codes = {one.code for one in found.diagnostics if one.severity is Severity.ERROR}
    assert ("OAP308" in codes) == reads or bool(codes - {"OAP308"})
    assert EFFECTS["allow"].kind.opens
