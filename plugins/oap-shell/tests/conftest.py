"""A generator of command lines, for the tests that hold the functions against other readers of shell text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

import pytest

_SIGNS: Final = " \t\n;&|(){}<>$`'\"\\#!*?[]=~^,-+:@%019aceflmrs"


class Lines:
    """Writes command lines of bounded depth and without endless loops."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311  # with a seed, so that a run can be repeated

    def line(self) -> str:
        """One line, four in ten of them with a few characters changed."""
        parts = [self._list(3) for _ in range(self._random.choice((1, 1, 2, 3)))]
        between = self._text("\n", "; ", " & ", "\n# it's (a) $(comment\n", " # ) esac\n", "\r\n", " \\\n && ")
        text = between.join(parts)
        return self._mutated(text) if self._random.random() < 0.4 else text

    def _text(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _one_of(self, *choices: Callable[[int], str]) -> Callable[[int], str]:
        return self._random.choice(choices)

    def _mutated(self, text: str) -> str:
        for _ in range(self._random.randint(1, 3)):
            place = self._random.randrange(len(text) + 1)
            sign = self._random.choice(_SIGNS)
            after = self._random.choice((place, place, place + 1, place + 2))
            text = text[:place] + self._text(sign, "", sign * 2, text[place : place + 4]) + text[after:]
        return text

    def _list(self, depth: int) -> str:
        text = self._pipeline(depth)
        for _ in range(self._random.choice((0, 0, 1, 2))):
            text += self._text(" && ", " || ", "; ", " & ", "\n", ";", "&&\n", "||", " |\n") + self._pipeline(depth)
        return text

    def _pipeline(self, depth: int) -> str:
        text = self._text("", "", "", "", "! ", "time ", "time -p ") + self._command(depth)
        return text + self._text(" | ", "|", " |& ") + self._command(depth) if self._random.random() < 0.25 else text

    def _command(self, depth: int) -> str:
        if depth <= 0 or self._random.random() < 0.45:
            return self._simple(depth)
        return self._one_of(self._compound, self._wrapped, self._document, self._simple, self._builtin)(depth - 1)

    def _compound(self, depth: int) -> str:
        one, two, three = self._list(depth), self._list(depth), self._list(depth)
        word = self._word(depth)
        text = self._text(
            f"{{ {one}; }}",
            f"({one})",
            f"( {one}; {two} )",
            f"if {one}; then {two}; fi",
            f"if {one}\nthen {two}\nelse {three}\nfi",
            f"if ! ff; then {one}; elif {two}; then {three}; fi",
            f"while ff; do {one}; done",
            f"until ls; do {one}; done",
            f"for x in a {word}; do {one}; done",
            f"for x in 1 2\ndo {one}\ndone",
            f"case {word} in a|b) {one};; *) {two};; esac",
            f"case a in (a) {one} ;; esac",
            f"[[ -n {word} ]] && {one}",
            f"[ a = {word} ] || {one}",
            f"coproc {one}",
            f"x() {{ {one}; }}; x",
            f"function y {{ {one}; }}; y",
            f"(({one}))",
            f"select x in a; do {one}; done",
        )
        return text + self._text("", "", "", " 2>&1", " >f1", " | cat", " <f1")

    def _wrapped(self, depth: int) -> str:
        inner = self._simple(depth)
        line = self._list(depth)
        return self._text(
            f"env {inner}",
            f"env X=1 {inner}",
            f"env -u X {inner}",
            f"timeout 2 {inner}",
            f"timeout -k 1 2 {inner}",
            f"nice -n 5 {inner}",
            f"nohup {inner}",
            f"setsid {inner}",
            f"stdbuf -oL {inner}",
            f"command {inner}",
            f"command -p {inner}",
            f"builtin {inner}",
            f"exec {inner}",
            f"xargs {inner}",
            f"xargs -I{{}} {inner}",
            f"echo rm ls | xargs -n1 {inner}",
            "echo rm | xargs env",
            "echo ls | xargs -I% sh -c %",
            "echo ls | xargs -I% sh -c 'rm; %'",
            f"find -exec {inner} \\;",
            f"find -maxdepth 0 -exec {inner} {{}} + -exec rm \\;",
            f"sh -c {self._quoted(line)}",
            f"bash -c {self._quoted(line)}",
            f"bash -ec {self._quoted(line)} x",
            f"eval {self._quoted(line)}",
            f"eval {line}",
            f"trap {self._quoted(line)} EXIT",
            f"env sh -c {self._quoted(line)}",
            f"X={self._word(depth)} {inner}",
            f"x=({inner})",
        )

    def _builtin(self, depth: int) -> str:
        inner = self._simple(depth)
        return self._text(
            f"export X={self._word(depth)}",
            "set -e",
            f"echo ${{x:={self._substitution(depth)}}}",
            f"echo ${{x:-{self._substitution(depth)}}}",
            f'echo "${{x:-{self._substitution(depth)}}}"',
            "x='a[$(rm)]'; echo $((x))",
            "x='a[$(rm)]'; [[ x -eq 1 ]]",
            "x='a[$(rm)]'; [ -v \"$x\" ]",
            "y=x; x='a[$(rm)]'; echo ${!x}",
            "x='$(rm)'; echo ${x@P}",
            "let 'x=a[$(rm)]'",
            "printf -v 'x[$(rm)]' y",
            "read 'x[$(rm)]' <<< a",
            "unset 'x[$(rm)]'",
            "declare -i x='a[$(rm)]'",
            f"echo $(({self._substitution(depth)} + 1))",
            "PS4='$(rm)'; set -x; ls",
            f"alias ls=rm; {inner}",
            "hash ls; wait",
        )

    def _document(self, depth: int) -> str:
        lines = [self._body(depth) for _ in range(self._random.randint(0, 3))]
        end = self._text("EOF", "EOF", "'EOF'", '"EOF"', "\\EOF")
        operator = self._text("<<", "<< ", "<<-", "0<<")
        closing = "\tEOF" if operator == "<<-" else "EOF"
        behind = self._text("", "", f" | {self._simple(depth)}", f" && {self._simple(depth)}", " >f2")
        text = f"cat {operator}{end}{behind}\n" + "".join(f"{line}\n" for line in lines) + f"{closing}\n"
        return self._text(text + self._simple(depth), f"echo $({text})", f'echo "$({text})"', f"({text})")

    def _body(self, depth: int) -> str:
        inside = self._substitution(depth)
        return self._text(
            "a b", "it's", 'say "x"', inside, f"a {inside} b", "(a)", "\\$(rm)", "a \\\\", "rm", " EOF", "#"
        )

    def _simple(self, depth: int) -> str:
        words = [self._written(self._text("ls", "rm", "cat", "git", "make", "sort", "id", "ff", "echo", "true"))]
        words += [self._word(depth) for _ in range(self._random.choice((0, 1, 1, 2)))]
        if self._random.random() < 0.2:
            words.insert(self._random.randrange(len(words) + 1), self._redirection(depth))
        if self._random.random() < 0.1:
            words.insert(0, self._text("X=1", "X=", "X+=a", "X=$(rm)", 'X="a b"'))
        return self._text(" ", " ", " ", "  ", "\t", " \\\n").join(words)

    def _redirection(self, depth: int) -> str:
        return self._text(
            ">f1", "> f1", ">>f2", "2>&1", ">&2", "<f1", "2>f3", "&>f1", "&>>f1", ">&f1", "<<<a", ">|f1", "<>f1", "2>&-",
            f"<<<{self._word(depth)}", f">{self._word(depth)}", "< <(rm)", "> >(cat)", "{x}>f1", "1>f1",
        )  # fmt: skip

    def _written(self, name: str) -> str:
        """A name in one of the ways to write it."""
        if self._random.random() < 0.7:
            return name
        return self._text(
            f"'{name}'", f'"{name}"', f"\\{name}", f"{name[0]}''{name[1:]}", f'{name[0]}"{name[1:]}"', f"$'{name}'",
            f'$"{name}"', f"{{{name},}}", f"{name[:-1]}?", f"$(echo {name})", f"{name}$X", f"{name[0]}\\\n{name[1:]}",
            f"$X{name}", f"${{X:-{name}}}", f"`echo {name}`", f"{name}''",
        )  # fmt: skip

    def _word(self, depth: int) -> str:
        if self._random.random() < 0.3 and depth > 0:
            return self._substitution(depth)
        return self._text(
            "a", "-v", "'a b'", '"a b"', "a\\ b", "$x", '"$x"', "${x}", "${x%a}", "$((1+2))", "a#b", "#", "*", "~", "{a,b}",
            "'$(rm)'", '"\\$(rm)"', "\\`rm\\`", "$'a\\'b'", "$'a'", '"it\'s"', "'say \"x\"'", "a=b", "[a]", "{}", "\\;", "+",
            "é", "''", '""', "a'b'\"c\"d", '"a\nb"', "'a\nb'", "${x:-a}", "${#x}", "$?", '"$@"', "!", "if", "done", "]]",
            '"${x:-\'}"', "\\\\", '"\\\\"', "\\'", "x\\\n",
        )  # fmt: skip

    def _substitution(self, depth: int) -> str:
        inner = self._list(depth - 1) if depth > 1 else self._simple(0)
        return self._text(
            f"$({inner})", f"$( {inner} )", f'"$({inner})"', f"`{inner}`", f'"`{inner}`"', f"<({inner})", f">({inner})",
            f"a$({inner})b", f"$({inner} # it's )\n)", f"$(({inner}))", f"$( ({inner}) )", f"'$({inner})'", f"\\$({inner})",
            f"$(case a in a) {inner};; esac)",
        )  # fmt: skip

    def _quoted(self, text: str) -> str:
        if "'" not in text and self._random.random() < 0.6:
            return f"'{text}'"
        return '"' + "".join("\\" + sign if sign in '"\\$`' else sign for sign in text) + '"'


@pytest.fixture
def lines() -> Callable[[int], Iterator[str]]:
    """Endlessly many lines, told by a seed."""

    def endless(seed: int) -> Iterator[str]:
        generator = Lines(seed)
        while True:
            yield generator.line()

    return endless
