"""A shown output is replaced by what its command prints, and nothing else of a page is."""

from __future__ import annotations

from docs.generate import sessions

PAGE = """\
# Trying it

```sh
install it
VARIABLE=1 runner run oap cel '1 + 1' --tree
```

```text
old
```

```console
$ oap cel 'a b'
old
older
```

```sh
oap-like cel
```

```text
oap stays
```

```console
$ other oap
stays
```
"""


def test_each_output_is_replaced_and_the_rest_stays() -> None:
    expected = PAGE.replace("old\n```\n\n```console", "<oap cel '1 + 1' --tree>\n```\n\n```console")
    expected = expected.replace("old\nolder\n", "<oap cel 'a b'>\n")
    assert sessions.refresh(PAGE, lambda command: f"<{command}>\n") == expected


def test_a_refreshed_page_stays_as_it_is() -> None:
    once = sessions.refresh(PAGE, lambda command: f"{command}\nin two lines\n")
    assert sessions.refresh(once, lambda command: f"{command}\nin two lines\n") == once


def test_commands_are_run_with_their_errors_shown() -> None:
    text = "```console\n$ oap cel '1 +'\n```\n"
    refreshed = sessions.refresh(text)
    assert refreshed.startswith("```console\n$ oap cel '1 +'\nerror[")
    assert refreshed.endswith("\n```\n")


def test_the_readme_shows_two_commands() -> None:
    readme = (sessions.REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert [command.split()[:2] for command in sessions.commands(readme)] == [["oap", "cel"]] * 2
