"""Arguments that are known at load: what is wrong with them whatever the data is, and what cannot be told."""

from __future__ import annotations

from typing import Final

import pytest

from oap_core.cel import NO_MATCH, Code, Env, EvalError, Function, Overload, Registry, freeze, freeze_value, load
from oap_core.cel.host import host_functions
from oap_core.cel.library import FUNCTIONS
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import BOOL, DYN, INT, STRING, TIMESTAMP, ListType
from tests.core.cel.statics import see

_VARIABLES: Final = {"text": STRING, "texts": ListType(STRING), "n": INT, "now": TIMESTAMP, "any": DYN}


def _env(*functions: Function, constants: object = None, reads_world: bool = False) -> Env:
    return Env(_VARIABLES, {"k": freeze_value(constants or {})}, FUNCTIONS.extended(functions))


def _codes(source: str, env: Env) -> list[str]:
    return [found.code for found in see(source, env, condition=False).diagnostics]


@pytest.mark.parametrize(
    "source",
    [
        'domain_within(text, ".example.org")',
        'n > 1 && domain_within(text, "*.example.org")',
        'n > 1 ? true : domain_within(text, "*.example.org")',
        'texts.exists(t, domain_within(t, "*.example.org"))',
        'domain_within(text, ["example.org", "*.example.com"])',
        'domain_within("not a host", text)',
        'ip_in(text, "10.0.0.0")',
        'ip_in("10.0.0", text)',
        'ip_in(text, ["10.0.0.0/8", "x"])',
        'within(text, "~/x")',
        'within(text, "x", "/srv")',
        'within(text, "/srv", "x")',
        'glob(text, "[")',
        'glob(text, "*", "x")',
        'now.getHours("Berlin") > 1',
        'n > 1 && now > timestamp("2026-13-01T00:00:00Z")',
        'texts.all(t, int("x") > 1)',
        'n > 1 ? bool("maybe") : true',
        "text.charAt(-1) == text",
        "text.substring(n, -1) == text",
        "n > 1 && texts[-1] == text",
        'any == 1 || email_domain("x") == text',
    ],
)
def test_what_always_fails_is_found_wherever_it_stands(source: str) -> None:
    assert _codes(source, _env()) == ["CEL307"]


@pytest.mark.parametrize(
    "source",
    [
        'domain_within(text, "example.org") && domain_within("example.org", text)',
        'domain_within(text, ["example.org", "example.com"]) && domain_within("10.0.0.1", text)',
        'ip_in(text, "10.0.0.0/8") && ip_in(text, "2001:db8::/32") && ip_in("10.0.0.1", text)',
        'ip_in("2001:db8::1", text) && ip_in("::ffff:10.0.0.1", texts) && ip_in("2002:c000:0201::1", text)',
        'ip_in(text, ["10.0.0.0/8", "2001:db8::/32"]) && ip_in(text, texts) && ip_in(text, [text, "x"])',
        'within(text, "/") && within("/etc/passwd", text) && within("x/../y", text) && within("../y", text, "/srv")',
        'glob(text, "/srv/*") && glob(text, "*.py") && glob(text, "**/x") && glob("x", text) && glob("/x", text)',
        'glob(text, "*.py", "/srv") && glob(text, "/srv/*", "/srv")',
        'now.getHours("Europe/Berlin") > 1 && now.getHours("-05:30") > 1 && now.getHours(text) > 1',
        "text.charAt(0) == text && text.substring(0, 1000000) == text && text.charAt(n - 1) == text",
        'within_on_disk(text, "~/x")',
        "false && 1 / 0 > 0",
        "any[-1] == 1 && {-1: 2}[-1] == 2",
    ],
)
def test_what_may_work_is_let_through(source: str) -> None:
    assert _codes(source, _env()) == []


@pytest.mark.parametrize("platform", [False, True])
def test_the_samples_of_both_file_systems_work(platform: bool) -> None:
    functions = STANDARD.extended(host_functions(windows=platform))
    good, bad = ('"c:/srv"', '"/srv"') if platform else ('"/srv"', '"c:/srv"')
    env = Env(_VARIABLES, functions=functions)
    assert _codes(f'within(text, {good}) && glob(text, {good}) && glob(text, "*", {good})', env) == []
    assert _codes(f'within(text, {bad}) || glob(text, "*", {bad})', env) == ["CEL307", "CEL307"]


def test_every_sample_works() -> None:
    for function in FUNCTIONS:
        for overload in function.overloads:
            for sample in overload.samples:
                assert len(sample) == len(overload.params)
                overload.implementation(*sample)


def test_a_constant_may_be_asked_about_before_it_is_used() -> None:
    env = _env(constants={"since": "", "folder": "x", "domains": ["*.example.org"], "many": ["*"] * 500})
    assert _codes('k.since != "" && now > timestamp(k.since)', env) == []
    assert _codes('k.folder != "x" && within(text, k.folder)', env) == []
    assert _codes("k.domains != [] && domain_within(text, k.domains)", env) == []
    assert _codes("now > timestamp(k.since)", env) == ["CEL307"]
    assert _codes("within(text, k.folder)", env) == ["CEL307"]
    assert _codes("domain_within(text, k.domains)", env) == ["CEL307"]
    # It would take longer than it is worth.
    assert _codes("domain_within(text, k.many)", env) == []


def test_functions_of_a_plugin_may_have_samples() -> None:
    def same(one: str, other: str) -> bool:
        if not one or not other:
            raise EvalError(Code.INVALID_ARGUMENT)
        return one == other

    def faulty(_one: str, _other: str) -> bool:
        raise RuntimeError("it breaks its promise")

    def unused(_one: str, _other: str) -> bool:
        raise AssertionError("nothing that reads the world is called at load")

    params, samples = (STRING, STRING), (("a", "a"),)
    env = _env(
        Function("same", (Overload(params, BOOL, same, samples=samples),), "", (("same('a', 'b')", "false"),)),
        Function("faulty", (Overload(params, BOOL, faulty, samples=samples),), ""),
        Function("unused", (Overload(params, BOOL, unused, samples=samples),), "", reads_world=True),
        Function("unsampled", (Overload(params, BOOL, unused),), ""),
    )
    assert see('same(text, "")', env).text == (
        '    CEL307 1:12 `""` makes `same` fail: the function cannot make sense of this value\n'
        '        a call that works is `same("a", "b")`'
    )
    assert _codes('same("", text)', env) == ["CEL307"]
    assert _codes('same(text, "x") || faulty(text, "") || unused(text, "") || unsampled(text, "")', env) == []


def test_examples_are_of_the_function_and_of_the_types() -> None:
    def fails(_value: object) -> bool:
        raise EvalError(Code.INVALID_ARGUMENT)

    overloads = (Overload((INT,), BOOL, fails), Overload((STRING,), BOOL, fails), Overload((BOOL,), BOOL, fails))
    examples = (("other('x')", "1"), ("try(5)", "1"), ("try('it is \"x\"')", "1"), ("(", "1"))
    env = Env(_VARIABLES, functions=Registry.of((Function("try", overloads, "", examples),)))
    assert see("try(1)", env).text.endswith("a call that works is `try(5)`")
    assert see("try('a')", env).text.endswith("a call that works is `try('it is \"x\"')`")
    assert see("try(true)", env).text.count("\n") == 0


@pytest.mark.parametrize("source", ["'a,b'.split(',', -1) == []", "'axa'.replace('x', 'y', -1) == ''"])
def test_a_negative_limit_is_no_position(source: str) -> None:
    assert load(source, Env()).decide(freeze({})) is NO_MATCH
