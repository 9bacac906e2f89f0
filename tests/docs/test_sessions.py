"""A shown output is replaced by what its command prints, and nothing else of a page is."""

from __future__ import annotations

from docs.generate import sessions
from oap_core.plugins import installed

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


def test_the_pages_show_commands() -> None:
    shown = {
        name: [command.split()[1] for command in sessions.commands((sessions.REPOSITORY / name).read_text("utf-8"))]
        for name in ("README.md", "docs/guide/policies.md", "docs/guide/plugins.md")
    }
    assert all(shown.values())
    assert {"check", "test", "explain"} <= set(shown["docs/guide/policies.md"])


def test_a_command_is_run_at_the_same_moment_each_time() -> None:
    assert "2026-12-01T12:00:00Z" in sessions.refresh("```console\n$ oap cel now\n```\n")


def test_the_example_of_a_plugin_is_there_for_the_pages_alone() -> None:
    shown = sessions.refresh("```console\n$ oap check docs/examples/tickets\n```\n")
    assert "no errors" in shown
    assert "acme-tickets" not in {plugin.distribution for plugin in installed()}
