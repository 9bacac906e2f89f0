"""Drives a real language server over its standard streams, as an editor does: one message after the other, no sleeps."""

from __future__ import annotations

import json
import queue
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Any, Final, Self

Message = dict[str, Any]

ANSWER_SECONDS: Final = 60
"""How long an answer may take on a machine that is busy."""
CARET: Final = "¦"
"""Marks a place in a text; it is no part of it."""


@dataclass(frozen=True)
class Place:
    """A text, and a place in it as the protocol counts: from 0, columns in UTF-16."""

    text: str
    line: int
    character: int

    @classmethod
    def marked(cls, text: str) -> Place:
        """The text without its one mark, and where that stood."""
        before, _, after = text.partition(CARET)
        last = before[before.rfind("\n") + 1 :]
        return cls(before + after, before.count("\n"), len(last.encode("utf-16-le")) // 2)


class LanguageServer:
    """A running server. Use it in a `with`: what was started is ended."""

    def __init__(self, command: list[str], root: Path, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._root = root
        self._messages: queue.Queue[Message | None] = queue.Queue()
        self._unread: list[Message] = []
        self._number = 0
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe, stderr=nothing)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        capabilities = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "textDocument": {"completion": {"completionItem": {"snippetSupport": False}}, "hover": {}},
        }
        folder = {"uri": self._root.as_uri(), "name": "project"}
        started = {"processId": None, "rootUri": self._root.as_uri(), "capabilities": capabilities}
        try:
            self.request("initialize", {**started, "workspaceFolders": [folder]})
            self._notify("initialized", {})
            self._notify("workspace/didChangeConfiguration", {"settings": self._settings})
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.request("shutdown", None)
            self._notify("exit", None)
            self._process.wait(ANSWER_SECONDS)
        finally:
            self._end()

    def open(self, name: str, text: str) -> str:
        """Open a text under the name of a file, and give its URI."""
        uri = (self._root / name).as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self._notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def diagnostics(self, uri: str) -> list[Message]:
        """What the server marks in a text that was opened just now, by place."""
        found: list[Message] = self._wait(lambda message: _marks(message, uri) is not None)["params"]["diagnostics"]
        return sorted(found, key=lambda one: (one["range"]["start"]["line"], one["range"]["start"]["character"]))

    def wait_for_marks(self, uri: str) -> None:
        """Wait until the server marks anything in a text that was opened just now."""
        self._wait(lambda message: bool(_marks(message, uri)))

    def completions(self, name: str, place: Place) -> dict[str, Message]:
        """What the server offers at a place, by label."""
        answer = self.request("textDocument/completion", self._at(name, place))
        items = answer if isinstance(answer, list) else answer["items"]
        return {item["label"]: item for item in items}

    def hover(self, name: str, place: Place) -> str:
        """What the server shows about what stands at a place."""
        answer = self.request("textDocument/hover", self._at(name, place))
        if answer is None:
            return ""
        contents = answer["contents"]
        return str(contents["value"] if isinstance(contents, dict) else contents)

    def request(self, method: str, params: Any) -> Any:
        """Ask, and wait for the answer."""
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        answer = self._wait(lambda message: message.get("id") == number and "method" not in message)
        assert "error" not in answer, answer
        return answer["result"]

    def _at(self, name: str, place: Place) -> Message:
        uri = self.open(name, place.text)
        return {"textDocument": {"uri": uri}, "position": {"line": place.line, "character": place.character}}

    def _notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode("utf-8")
        self._in.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._in.flush()

    def _wait(self, wanted: Callable[[Message], bool]) -> Message:
        """The first message that is wanted; what the server asks meanwhile is answered."""
        for message in self._unread:
            if wanted(message):
                self._unread.remove(message)
                return message
        end = time.monotonic() + ANSWER_SECONDS
        while True:
            message_or_end = self._messages.get(timeout=max(0.0, end - time.monotonic()))
            assert message_or_end is not None, "the language server ended"
            if "method" in message_or_end and "id" in message_or_end:
                self._answer(message_or_end)
            elif wanted(message_or_end):
                return message_or_end
            else:
                self._unread.append(message_or_end)

    def _answer(self, message: Message) -> None:
        result = None
        if message["method"] == "workspace/configuration":
            result = [self._settings.get(item.get("section"), {}) for item in message["params"]["items"]]
        self._send({"id": message["id"], "result": result})

    def _read(self) -> None:
        """Put every message into the queue, and a None at the end."""
        try:
            while True:
                length = 0
                while (line := self._out.readline()) not in (b"\r\n", b""):
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if not line:
                    return
                self._messages.put(json.loads(self._out.read(length)))
        except ValueError:
            # The pipe was closed under it, or what came is no message.
            return
        finally:
            self._messages.put(None)

    def _end(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._reader.join()
        self._in.close()
        self._out.close()


def _marks(message: Message, uri: str) -> list[Message] | None:
    """What a message marks in a text, or None where it speaks of something else."""
    if message.get("method") != "textDocument/publishDiagnostics" or message["params"]["uri"] != uri:
        return None
    marks: list[Message] = message["params"]["diagnostics"]
    return marks
