"""The conditions of one tool may cost so much together, and no more."""

from __future__ import annotations

from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.policy.limits import TOOL_UNITS
from tests.core.policy.checks.casefile import assembled, told

HEAD = "apiVersion: oap/v1\nkind: Policy\nmetadata: {name: p, owner: o}\nrules:\n"
# A macro over an assumed 100 elements, and in it one over 50: 5,100 units.
DEAR = f"args.a.exists(x, {list(range(50))}.exists(y, x == y))"
UNITS = 5_100
COUNT = TOOL_UNITS // UNITS


def rules(count: int, match: str, more: str = "", when: str = DEAR) -> str:
    return "".join(
        f"  - id: r{number}-{match.replace('*', 'any').replace('/', '-')}{len(more)}\n    effect: deny\n"
        f'    match: {{tools: ["{match}"]}}\n{more}    when: {when}\n'
        for number in range(count)
    )


def found(*parts: str, catalog: str | None = None) -> str:
    files = {"p.yaml": HEAD + "".join(parts)}
    if catalog is not None:
        files["c.yaml"] = f"apiVersion: oap/v1\nkind: Catalog\nmetadata: {{name: c, owner: o}}\ntools:\n{catalog}"
    return told(assembled(files).diagnostics)


def test_as_much_as_is_allowed() -> None:
    assert found(rules(COUNT, "fs/read")) == ""


def test_one_too_many_is_told_at_the_most_expensive_one() -> None:
    dearer = rules(1, "fs/*", when=f"{DEAR} || args.c.exists(x, x == 1)")
    line = 4 * COUNT + 8
    assert found(rules(COUNT, "fs/read"), dearer) == (
        f"error OAP318 p.yaml:{line}:11 the {COUNT + 1} conditions of `fs/read` may cost "
        f"{UNITS * (COUNT + 1) + 100:,} units together, and {TOOL_UNITS:,} are the most; this one costs 5,200\n"
        "  declare `maxItems` in the catalog, nest fewer macros, or select fewer tools\n"
    )


def test_tools_are_summed_up_apart() -> None:
    assert found(rules(COUNT, "fs/read"), rules(COUNT, "fs/write"), rules(COUNT, "pay/refund")) == ""


def test_patterns_with_a_star_count_for_what_they_select() -> None:
    assert "of `fs/*` may" in found(rules(COUNT - 3, "fs/*"), rules(COUNT - 3, "*/*"))
    assert "of one tool may" in found(rules(COUNT + 1, "*/*"))


def test_shadow_rules_do_not_count() -> None:
    assert found(rules(COUNT, "fs/read"), rules(COUNT, "fs/read", "    mode: shadow\n")) == ""


def test_stages_are_summed_up_apart() -> None:
    assert found(rules(COUNT, "fs/read"), rules(COUNT, "fs/read", "    stage: result\n")) == ""


def test_a_condition_never_costs_more_than_its_budget() -> None:
    dearest = "args.a.exists(x, args.b.exists(y, args.c.exists(z, x == y && y == z)))"
    assert found(rules(TOOL_UNITS // EVALUATION_UNITS, "fs/read", when=dearest)) == ""
    assert "this one costs 10,000" in found(rules(TOOL_UNITS // EVALUATION_UNITS + 1, "fs/read", when=dearest))


def test_prompts_are_summed_up_together() -> None:
    one = "  - id: r{}\n    effect: deny\n    stage: prompt\n    when: 'subject.roles.exists(x, subject.roles.exists(y, x == y))'\n"
    most = TOOL_UNITS // EVALUATION_UNITS
    assert found("".join(map(one.format, range(most)))) == ""
    assert "conditions of prompts may" in found("".join(map(one.format, range(most + 1))))


def test_a_catalog_says_which_tools_there_are_and_how_long_their_lists() -> None:
    lists = "properties: {a: {type: array, maxItems: 5}, b: {type: array, maxItems: 5}}"
    schema = f"    input_schema: {{type: object, required: [a, b], {lists}}}\n"
    short = f"  - id: fs/read\n{schema}"
    assert found(rules(COUNT * 4, "fs/*"), catalog=short) == ""
    assert "of `fs/read` may" in found(rules(COUNT + 1, "fs/*"), catalog="  - id: fs/read\n")


def test_exceptions_count_together() -> None:
    def told_of(count: int) -> str:
        waiving = "".join(
            f"  - {{id: E{number}, waives: [p/wall], reason: r, approved_by: a, expires: 2099-01-01T00:00:00Z,\n"
            f'     when: "{DEAR}"}}\n'
            for number in range(count)
        )
        files = {
            "e.yaml": f"apiVersion: oap/v1\nkind: Exceptions\nmetadata: {{name: e, owner: o}}\nexceptions:\n{waiving}",
            "p.yaml": HEAD + "  - {id: wall, effect: deny, waivable: true}\n",
        }
        return told(assembled(files).diagnostics)

    assert told_of(COUNT) == ""
    assert told_of(COUNT + 1).startswith("error OAP318 e.yaml:")
