"""Drives Firefox over WebDriver BiDi. Playwright is not used because it needs commands that Firefox ESR lacks."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

BIDI_ADDRESS_PATTERN = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
ANSWER_SECONDS = 60
MAX_MESSAGE_BYTES = 2**24
VISIBLE_ELEMENT = """selector => {
    const element = document.querySelector(selector);
    element?.scrollIntoView({ block: "center" });
    return element?.checkVisibility() ? element : null;
}"""


def firefox_path() -> str | None:
    """Return the path of Firefox, None if it is not installed."""
    return os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One Firefox window that records the errors of its pages: ``with Firefox(profile) as firefox: ...``."""

    def __init__(self, profile: Path) -> None:
        self.profile = profile
        self.message_ids = count(1)
        self.cleanup = ExitStack()
        self.errors: list[str] = []

    def __enter__(self) -> Self:
        path = firefox_path()
        assert path is not None, "Firefox is not installed. Run scripts/install-firefox."
        self.profile.mkdir(parents=True, exist_ok=True)
        command = [path, "--headless", "--no-remote", "--profile", str(self.profile), "--remote-debugging-port=0"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.connection = self.connect_bidi()
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        return self

    def __exit__(self, *_exc: object) -> None:
        self.cleanup.close()
        self.process.terminate()
        self.process.wait(ANSWER_SECONDS)

    def connect_bidi(self) -> ClientConnection:
        """Connect to the BiDi address that Firefox prints; the rest of its output is discarded."""
        assert self.process.stderr is not None
        address = next(match[1] for line in self.process.stderr if (match := BIDI_ADDRESS_PATTERN.search(line)))
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        return self.cleanup.enter_context(connect(f"{address}/session", max_size=MAX_MESSAGE_BYTES, compression=None))

    def send(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result. Page errors that arrive meanwhile are recorded."""
        number = next(self.message_ids)
        self.connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.connection.recv(ANSWER_SECONDS))
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(str(message["params"]["text"]))

    def goto(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def evaluate(self, function: str) -> Any:
        """Call a JavaScript function in the page and return its value."""
        result = self.call(f"async () => JSON.stringify((await ({function})()) ?? null)")
        return json.loads(result["value"])

    def call(self, function: str, *arguments: str) -> Any:
        """Call a function with string arguments and return its value as a BiDi remote value."""
        answer = self.send(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": argument} for argument in arguments],
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return answer["result"]

    def click(self, selector: str) -> None:
        """Click an element with the mouse, or by script if it is hidden (the places of a tile may be)."""
        element = self.call(VISIBLE_ELEMENT, selector)
        if "sharedId" not in element:
            self.call("selector => document.querySelector(selector)?.click()", selector)
            return
        origin = {"type": "element", "element": {"sharedId": element["sharedId"]}}
        actions = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": actions}
        self.send("input.performActions", context=self.context, actions=[mouse])
