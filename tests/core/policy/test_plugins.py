from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Final

import pytest

from oap_core.cel.library import FUNCTIONS
from oap_core.kinds import Kind
from oap_core.plugins import FIRST_PARTY, Installed, Plugins, installed, load_plugins
from oap_core.policy.assemble import assemble
from oap_core.policy.load import read
from oap_core.policy.scope import Vocabulary
from oap_core.policy.setup import Setup
from tests.core.policy.deciding import call, decide, policy
from tests.core.policy.distributions import HEAD, Install, install

__all__ = ["install"]

ONE_EFFECT: Final = """
@hookimpl
def oap_effects():
    return [Effect("inspect", Kind.GATE, "acme-inspect")]
"""


def load(*enabled: str) -> Plugins:
    return load_plugins(enabled, FUNCTIONS)


def only(found: Plugins) -> str:
    """The one message that there is, and no plugin that was let through."""
    [problem] = found.problems
    assert found.loaded == ()
    assert "\n" not in problem.message
    assert problem.message[0] == "`" or problem.message[0].islower()
    assert not problem.message.endswith(".")
    return problem.message


@pytest.mark.guarantee("plugins-by-name")
def test_a_plugin_that_is_not_enabled_is_listed_and_never_imported(install: Install, tmp_path: Path) -> None:
    mark = tmp_path / "imported"
    install("acme-quiet", f"open({str(mark)!r}, 'w').close()\nraise SystemExit(3)", head=False)
    assert [(one.distribution, one.name, one.version) for one in installed() if one.distribution == "acme-quiet"] == [
        ("acme-quiet", "main", "1.0")
    ]
    assert "acme-quiet" not in load_plugins(None, FUNCTIONS).versions
    assert load("oap-authorization").problems == ()
    assert not mark.exists()
    assert "acme_quiet" not in sys.modules
    assert "SystemExit" in only(load("acme-quiet"))
    assert mark.exists()


@pytest.mark.guarantee("plugins-by-name")
def test_without_a_word_of_the_configuration_the_first_party_plugins_that_are_installed_are_enabled(
    install: Install,
) -> None:
    install("acme-inspect", ONE_EFFECT)
    found = load_plugins(None, FUNCTIONS)
    assert "oap-authorization" in found.versions
    assert set(found.versions) <= set(FIRST_PARTY)
    assert load().loaded == ()
    assert set(load().effects) == {"ask", "observe"}


def test_a_third_party_plugin_brings_its_effects_and_functions(install: Install) -> None:
    install(
        "Acme.Inspect",
        """
        from pydantic import BaseModel
        from oap_core.cel import Function, Overload
        from oap_core.cel.types import INT, STRING

        class Settings(BaseModel):
            model_config = {"extra": "forbid"}
            depth: int = 1

        @hookimpl
        def oap_effects():
            return (
                Effect("inspect", Kind.GATE, "acme-inspect", model=Settings),
                Effect("forbid", Kind.WALL, "Acme_Inspect", stages=frozenset(Stage)),
            )

        @hookimpl
        def oap_functions():
            return [Function("vowels", (Overload((STRING,), INT, lambda text: sum(c in "aeiou" for c in text)),), "Vowels.")]
        """,
        version="2.5",
    )
    found = load("acme_inspect", "oap-authorization")
    assert found.problems == ()
    assert found.versions == {"acme-inspect": "2.5", "oap-authorization": found.versions["oap-authorization"]}
    assert found.loaded[0].hooks == ("oap_effects", "oap_functions")
    assert found.effects["inspect"].kind is Kind.GATE
    text = policy(
        "- {id: open, effect: allow}\n- {id: wall, effect: forbid, when: vowels(args.text) > 2}\n"
        "- {id: gate, effect: inspect, when: args.deep, with: {depth: 3}}"
    )
    rules = assemble([read(text, "p.yaml")], Setup(found.effects, Vocabulary(found.functions))).rules
    assert rules is not None
    assert decide(rules, call(args={"text": "sky", "deep": False})) == "allow p/open"
    assert decide(rules, call(args={"text": "aeiou", "deep": False})) == "deny p/wall"
    # Nobody has carried the gate out, so it holds.
    assert decide(rules, call(args={"text": "sky", "deep": True})) == "deny p/gate"
    # What a rule with an unknown setting is told names the plugin.
    wrong = assemble(
        [read(text.replace("depth: 3", "dept: 3, x: []"), "p.yaml")], Setup(found.effects, Vocabulary(found.functions))
    )
    assert wrong.rules is None or not wrong.diagnostics


@pytest.mark.guarantee("plugins-no-grant")
def test_a_grant_that_a_plugin_offers_still_has_to_stand_in_a_policy(install: Install) -> None:
    install(
        "acme-trust",
        """
        @hookimpl
        def oap_effects():
            return [Effect("trust", Kind.GRANT, "acme-trust")]
        """,
    )
    setup = Setup(load("acme-trust").effects)
    without = assemble([read(policy("- {id: watch, effect: observe}"), "p.yaml")], setup).rules
    assert without is not None
    assert decide(without, call()) == "deny core/default"
    with_it = assemble([read(policy("- {id: t, effect: trust, match: {tools: [fs/*]}}"), "p.yaml")], setup).rules
    assert with_it is not None
    assert decide(with_it, call()) == "allow p/t"
    assert decide(with_it, call("mail/send")) == "deny core/default"


@pytest.mark.guarantee("plugins-abort")
@pytest.mark.parametrize(
    ("name", "message", "help"),
    [
        ("acme-inspct", "the plugin `acme-inspct` is not installed", "did you mean `acme-inspect`?"),
        ("zzz", "the plugin `zzz` is not installed", "install it, or take its name away"),
        ("acme-inspect:other", "`acme-inspect` offers no plugin `other`", "`acme-inspect:main`"),
        ("", "the plugin `` is not installed", "install it, or take its name away"),
        ("a\x1b[2Jb", "the plugin `a\\x1b[2Jb` is not installed", "install it, or take its name away"),
    ],
)
def test_an_enabled_plugin_that_is_missing_aborts_the_start(
    install: Install, name: str, message: str, help: str
) -> None:
    install("acme-inspect", ONE_EFFECT)
    found = load(name)
    assert only(found) == message
    [problem] = found.problems
    assert (problem.help, problem.missing) == (help, True)
    assert str(problem.error())


# What a distribution holds, and what is said of it.
BROKEN: Final[dict[str, tuple[str, str]]] = {
    "raises": ("raise ValueError('password: hunter2')", "cannot be imported: ValueError"),
    "ends the process": ("raise SystemExit('hunter2')", "cannot be imported: SystemExit"),
    "asks too much": ("import hunter_2", "cannot be imported: ModuleNotFoundError about `hunter_2`"),
    "no Python": ("def f(:", "cannot be imported: SyntaxError"),
    "exhausts": ("def f(): return f()\nf()", "cannot be imported: RecursionError"),
    "no version": ("OAP_API = None", "it does not say which plugin interface"),
    "a version that is no number": ("OAP_API = '1'", "it does not say which plugin interface"),
    "true": ("OAP_API = True", "it does not say which plugin interface"),
    "another version": ("OAP_API = 2", "it is written for the plugin interface 2, and this is 1"),
    "mistyped hook": ("@hookimpl\ndef oap_efects(): return []", "there is no hook `oap_efects`, did you mean `oap_ef"),
    "mistyped hook without its mark": ("def oap_effect(): return []", "there is no hook `oap_effect`, did you mean"),
    "unknown hook": ("@hookimpl\ndef on_call(): return []", "there is no hook `on_call`"),
    "optional unknown hook": ("@hookimpl(optionalhook=True)\ndef on_call(): return []", "there is no hook `on_call`"),
    "under another name": ("@hookimpl(specname='oap_effects')\ndef mine(): return []", "there is no hook `mine`"),
    "one for the other": (
        "@hookimpl(specname='oap_functions')\ndef oap_effects(): return []",
        "`oap_effects` is marked as another hook",
    ),
    "no mark": ("def oap_effects(): return []", "`oap_effects` is not marked with `hookimpl`"),
    "wrapper": ("@hookimpl(wrapper=True)\ndef oap_effects():\n    yield", "`oap_effects` is a wrapper"),
    "old wrapper": ("@hookimpl(hookwrapper=True)\ndef oap_effects():\n    yield", "`oap_effects` is a wrapper"),
    "arguments": ("@hookimpl\ndef oap_effects(policies): return []", "one of its hooks asks for something"),
    "asynchronous": ("@hookimpl\nasync def oap_effects(): return []", "is asynchronous"),
    "hook raises": ("@hookimpl\ndef oap_effects(): raise KeyError('hunter2')", "failed: KeyError"),
    "hook ends the process": ("@hookimpl\ndef oap_effects(): raise SystemExit", "failed: SystemExit"),
    "no list": ("@hookimpl\ndef oap_effects(): return None", "has to give a list of `Effect`"),
    "text": ("@hookimpl\ndef oap_effects(): return 'deny'", "has to give a list of `Effect`"),
    "no effect": ("@hookimpl\ndef oap_effects(): return ['deny']", "has to give a list of `Effect`"),
    "no function": ("@hookimpl\ndef oap_functions(): return [len]", "has to give a list of `Function`"),
    "another's name": (
        "@hookimpl\ndef oap_effects(): return [Effect('x', Kind.WALL, 'oap-authorization')]",
        "says that it belongs to `oap-authorization`",
    ),
    "the core's name": (
        "@hookimpl\ndef oap_effects(): return [Effect('ask', Kind.GATE, 'core')]",
        "says that it belongs to `core`",
    ),
    "the core's effect": (
        "@hookimpl\ndef oap_effects(): return [Effect('ask', Kind.GATE, 'acme-odd')]",
        "failed: ValueError",
    ),
    "settings": (
        "class S: pass\n@hookimpl\ndef oap_effects(): return [Effect('x', Kind.WALL, 'acme-odd', model=S)]",
        "are no pydantic model",
    ),
    "loose settings": (
        (
            "from pydantic import BaseModel\nclass S(BaseModel): key: str\n"
            "@hookimpl\ndef oap_effects(): return [Effect('x', Kind.WALL, 'acme-odd', model=S)]"
        ),
        "would pass over a misspelt key",
    ),
    "loose settings inside": (
        (
            "from pydantic import BaseModel, ConfigDict\nclass P(BaseModel): key: str\n"
            "class S(BaseModel):\n    model_config = ConfigDict(extra='forbid')\n    parts: list[P] | None = None\n"
            "@hookimpl\ndef oap_effects(): return [Effect('x', Kind.WALL, 'acme-odd', model=S)]"
        ),
        "would pass over a misspelt key",
    ),
    "an effect that nobody has checked": (
        (
            "@hookimpl\ndef oap_effects():\n    x = Effect('x', Kind.WALL, 'acme-odd')\n"
            "    object.__setattr__(x, 'name', 'a b')\n    return [x]"
        ),
        "offers something that cannot be used: ValueError",
    ),
    "an effect without anything": (
        "@hookimpl\ndef oap_effects(): return [object.__new__(Effect)]",
        "offers something that cannot be used: AttributeError",
    ),
    "twice": (
        "@hookimpl\ndef oap_effects(): return [Effect('x', Kind.WALL, 'acme-odd'), Effect('x', Kind.GRANT, 'acme-odd')]",
        "is offered by `acme-odd` and by `acme-odd`",
    ),
}


@pytest.mark.guarantee("plugins-abort")
@pytest.mark.parametrize(("source", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_plugin_aborts_the_start_with_one_clear_message(install: Install, source: str, said: str) -> None:
    install("acme-odd", source)
    message = only(load("acme-odd"))
    assert said in message
    assert "acme-odd" in message or "x" in message
    assert "hunter2" not in message


def test_a_class_is_no_plugin(install: Install) -> None:
    install("acme-odd", "class Plugin:\n    OAP_API = 1", value="acme_odd:Plugin")
    assert "names a class" in only(load("acme-odd"))


def test_an_object_can_be_a_plugin(install: Install) -> None:
    source = """
    class Plugin:
        OAP_API = 1

        @hookimpl
        def oap_effects(self):
            return [Effect("inspect", Kind.GATE, "acme-odd")]

    plugin = Plugin()
    """
    install("acme-odd", source, value="acme_odd:plugin")
    found = load("acme-odd")
    assert (found.problems, list(found.versions)) == ((), ["acme-odd"])


def test_an_object_whose_attributes_cannot_be_read_is_no_plugin(install: Install) -> None:
    source = """
    class Plugin:
        OAP_API = 1

        @property
        def other(self):
            raise RuntimeError("hunter2")

    plugin = Plugin()

    class Worse:
        OAP_API = 1

        def __dir__(self):
            raise SystemExit

    worse = Worse()
    """
    path = install("acme-odd", source, value="acme_odd:plugin")
    message = only(load("acme-odd"))
    assert "its attribute `other` cannot be read: RuntimeError" in message
    assert "hunter2" not in message
    (path.parent / "acme_odd-1.0.dist-info" / "entry_points.txt").write_text(
        "[oap.plugins]\nmain = acme_odd:worse\n", encoding="utf-8"
    )
    assert "SystemExit" in only(load("acme-odd"))


@pytest.mark.parametrize("value", ["acme_odd:nothing", "no_such_module_at_all", "acme_odd:a.b", "...", "acme odd"])
def test_an_entry_point_that_leads_nowhere_aborts_the_start(install: Install, value: str) -> None:
    install("acme-odd", "", value=value)
    assert "`acme-odd` cannot be imported" in only(load("acme-odd"))


def test_what_the_operator_breaks_off_is_broken_off(install: Install) -> None:
    install("acme-odd", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load("acme-odd")


@pytest.mark.guarantee("plugins-abort")
def test_two_plugins_with_one_effect_abort_the_start(install: Install) -> None:
    install("acme-inspect", ONE_EFFECT)
    install("other-inspect", ONE_EFFECT.replace("acme-inspect", "other-inspect"))
    found = load("acme-inspect", "other-inspect")
    [problem] = found.problems
    assert problem.message == "the effect `inspect` is offered by `acme-inspect` and by `other-inspect`"
    assert [one.name for one in found.loaded] == ["acme-inspect"]
    assert load("other-inspect").problems == ()


def test_a_plugin_cannot_take_an_effect_of_another_one_or_a_function_that_is_there(install: Install) -> None:
    install(
        "acme-deny",
        """
        from oap_core.cel import Function, Overload
        from oap_core.cel.types import BOOL, STRING

        @hookimpl
        def oap_effects():
            return [Effect("deny", Kind.OBSERVE, "acme-deny")]

        @hookimpl
        def oap_functions():
            return [Function("within", (Overload((STRING, STRING), BOOL, lambda path, root: True),), "Yes.")]
        """,
    )
    for order in (("oap-authorization", "acme-deny"), ("acme-deny", "oap-authorization")):
        messages = [one.message for one in load(*order).problems]
        assert any("the effect `deny` is offered by" in message for message in messages)
        assert any("the function `within`" in message for message in messages)


def test_every_problem_is_told_at_once(install: Install) -> None:
    install("acme-a", "OAP_API = 3")
    install("acme-b", "@hookimpl\ndef one(): pass\n@hookimpl\ndef two(): pass")
    found = load("acme-a", "acme-b", "acme-c")
    assert len(found.problems) == 4
    assert [one.plugin for one in found.problems] == ["acme-a", "acme-b", "acme-b", "acme-c"]


def test_a_plugin_that_is_enabled_twice_is_loaded_once(install: Install) -> None:
    install("acme-inspect", ONE_EFFECT)
    found = load("acme-inspect", "Acme__Inspect", "acme.inspect:main", "acme-inspect")
    assert (found.problems, [one.name for one in found.loaded]) == ((), ["acme-inspect"])


def test_one_of_several_entry_points_can_be_enabled(install: Install, tmp_path: Path) -> None:
    path = install("acme-inspect", ONE_EFFECT)
    mark = tmp_path / "imported"
    (path.parent / "acme_other.py").write_text(f"open({str(mark)!r}, 'w').close()\n{HEAD}", encoding="utf-8")
    (path.parent / "acme_inspect-1.0.dist-info" / "entry_points.txt").write_text(
        "[oap.plugins]\nmain = acme_inspect\nother = acme_other\n", encoding="utf-8"
    )
    assert [(one.name, one.entry) for one in load("acme-inspect:main").loaded] == [("acme-inspect", "main")]
    assert not mark.exists()
    assert [one.entry for one in load("acme-inspect").loaded] == ["main", "other"]
    assert mark.exists()


def test_a_distribution_without_a_name_can_neither_be_enabled_nor_break_the_list(install: Install) -> None:
    install("nameless", ONE_EFFECT)
    install("acme-inspect", ONE_EFFECT)
    assert {one.distribution for one in installed()} >= {"acme-inspect"}
    assert load("acme-inspect").problems == ()


def test_an_entry_point_that_a_host_hands_in_is_enough() -> None:
    class Made:
        def load(self) -> Any:
            raise LookupError

    given = Installed("acme-x", "main", "1", Made())  # type: ignore[arg-type]  # all that is asked of it
    assert "LookupError" in only(load_plugins(["acme-x"], FUNCTIONS, [given]))
    ours = EntryPoint("authorization", "oap_authorization", "oap.plugins")
    found = load_plugins(["acme-y"], FUNCTIONS, [Installed("acme-y", "a", "1", ours)])
    assert "says that it belongs to `oap-authorization`" in found.problems[0].message


@pytest.mark.parametrize(
    "body",
    [
        "raise SystemExit(0)",
        "raise RuntimeError('hunter2')",
        "raise KeyError('hunter2')",
        "from pydantic_core import PydanticCustomError\n            raise PydanticCustomError('too_short', 'x', {})",
    ],
)
def test_settings_whose_model_fails_are_told_and_nothing_loads(install: Install, body: str) -> None:
    install(
        "acme-odd",
        f"""
        from pydantic import BaseModel, ConfigDict, field_validator

        class Settings(BaseModel):
            model_config = ConfigDict(extra="forbid")
            key: str

            @field_validator("key")
            @classmethod
            def check(cls, value):
                {body.replace(chr(10) + "            ", chr(10) + "                ")}

        @hookimpl
        def oap_effects():
            return [Effect("x", Kind.WALL, "acme-odd", model=Settings)]
        """,
    )
    loaded = load("acme-odd")
    text = policy("- {id: a, effect: x, with: {key: v}}")
    found = assemble([read(text, "p.yaml")], Setup(loaded.effects))
    assert found.rules is None
    assert {one.code for one in found.diagnostics} <= {"OAP602", "OAP204"}
    assert not any("hunter2" in f"{one.message}{one.help}" for one in found.diagnostics)
