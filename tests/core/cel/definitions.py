"""Definitions for tests: written as texts, or made from parts of random conditions."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from hypothesis import strategies as st

from oap_core.cel import (
    DYN,
    Env,
    Outcome,
    Program,
    freeze,
    load,
)
from tests.core.cel.differential import schema
from tests.core.cel.differential.phrase import Binder, Phrase, below, rewrite

VARIABLES: Final = {"tool": DYN, "args": DYN}
DATA: Final = {"tool": {"id": "mail/send"}, "args": {"n": 3, "text": "abc", "none": None, "list": list(range(6000))}}
RANDOMS: Final = st.integers(0, 2**32 - 1).map(Random)
RECORDS: Final = [schema.activation(Random(number), shared=False) for number in range(6)]


def defined(texts: Mapping[str, str], env: Env | None = None) -> Env:
    """An environment with these definitions, each of which may read those before it."""
    base = env or Env(VARIABLES)
    found: dict[str, Program] = {}
    for name, text in texts.items():
        found[name] = load(text, _with(base, found), condition=False)
    return _with(base, found)


def _with(env: Env, definitions: Mapping[str, Program]) -> Env:
    return Env(env.variables, env.constants, env.functions, env.namespace, definitions)


def decided(source: str, texts: Mapping[str, str], data: Mapping[str, object] = DATA) -> Outcome:
    return load(source, defined(texts)).decide(freeze(data))


def _closed(phrase: Phrase) -> bool:
    """Whether every loop variable is one of a macro inside the phrase."""
    bound = {
        part for inner in below(phrase) if len(inner.parts) > 1 for part in inner.parts if isinstance(part, Binder)
    }
    used = {part for inner in below(phrase) for part in inner.parts if isinstance(part, Binder)}
    return used == bound


def split(phrase: Phrase, random: Random) -> tuple[str, dict[str, str]]:
    """The same condition with names in place of some of its parts, and what those names stand for."""
    texts: dict[str, str] = {}

    def named(part: Phrase) -> Phrase:
        if random.random() > 0.3 or not _closed(part):
            return part
        name = f"variables.v{len(texts)}"
        texts[name] = str(part)
        return Phrase("field", (name,))

    return str(rewrite(phrase, named)), texts


def told(outcome: Outcome) -> object:
    return outcome.matched if outcome.failure is None else outcome.failure.code
