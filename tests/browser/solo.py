"""A person who plays a whole match against bots, in any browser."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any, Protocol

from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from games.engine.rules import Rules

REPEAT_SECONDS = 8
PAUSE_SECONDS = 0.05
# Opens a table by the form of the page, and starts the match with bots. Returns the address.
OPEN_TABLE = """async () => {
    const form = [...document.forms].find((form) => form.elements.seats);
    const terms = { ...Object.fromEntries(new FormData(form)), ...TERMS };
    const table = await fetch(location.href, { method: "POST", body: new URLSearchParams(terms) });
    const page = new DOMParser().parseFromString(await table.text(), "text/html");
    const token = page.querySelector("[name=csrfmiddlewaretoken]").value;
    const body = new URLSearchParams({ csrfmiddlewaretoken: token });
    await fetch(`${table.url}fill/`, { method: "POST", body });
    return new URL(table.url).pathname;
}"""
READ_PAGE_STATE = """() => {
    const sync = document.getElementById("sync").dataset;
    const pips = (tile) => tile.id.match(/\\d/g).reduce((sum, digit) => sum + Number(digit), 0);
    const fitting = [...document.querySelectorAll("#hand.mine .fits")].sort((a, b) => pips(a) - pips(b));
    const place = document.querySelector("#choice .act");
    place?.focus();
    const action = document.querySelector("#is-ready, #hand.mine :is(#draw, #pass)");
    const next = place ? "#choice .act" : fitting.length ? `#${fitting[0].id}` : action && `#${action.id}`;
    return {
        status: sync.status,
        version: Number(document.getElementById("version").value),
        sign: document.getElementById("connection-state").textContent,
        next,
    };
}"""


class Window(Protocol):
    """The interface of a browser driver."""

    def goto(self, url: str) -> object: ...

    def evaluate(self, function: str) -> Any: ...

    def click(self, selector: str) -> None: ...


def shortest_terms(rules: Rules) -> dict[str, str]:
    """Return the terms of the shortest match: quick, with the smallest choice of each number."""
    numbers = [option for option in rules.options if any(map(str.isdigit, option.choices))]
    smallest = {option.name: min(filter(str.isdigit, option.choices), key=int) for option in numbers}
    return smallest | ({"length": "quick"} if any(option.name == "length" for option in rules.options) else {})


def start_match(window: Window, url: str, rules: Rules) -> str:
    """Start a new guest's match against bots and return the address of its table."""
    options = {f"option_{name}": choice for name, choice in shortest_terms(rules).items()}
    terms = {"seats": str(min(rules.seat_counts)), "clock": "relaxed", "visibility": "public", **options}
    window.goto(f"{url}/tables/new/?game={rules.key}")
    return str(window.evaluate(OPEN_TABLE.replace("TERMS", json.dumps(terms))))


def play_match(window: Window, *, seconds: float, versions: int = 10**6) -> list[str]:
    """Play until the match is over or a version is shown. Return the connection states on the way."""
    end, signs, last_action, last_action_at = time.monotonic() + seconds, [""], (0, ""), 0.0
    while (now := time.monotonic()) < end:
        page = window.evaluate(READ_PAGE_STATE)
        if page["sign"] != signs[-1]:
            signs.append(page["sign"])
        if page["status"] == "finished" or page["version"] >= versions:
            return signs
        action = page["version"], page["next"]
        if page["next"] and (action != last_action or now > last_action_at + REPEAT_SECONDS):
            last_action, last_action_at = action, now
            with suppress(PlaywrightTimeoutError):  # the button is gone: its press was already under way
                window.click(page["next"])
        else:
            time.sleep(PAUSE_SECONDS)
    raise AssertionError(f"not over after {seconds} s: {page}")
