"""One person who plays a whole match against bots, in whatever browser."""

from __future__ import annotations

import json
import time
from typing import Any, Protocol

from games.engine.rules import Rules

REPEAT_SECONDS = 8
PAUSE_SECONDS = 0.05
OPEN = """async () => {
    const form = [...document.forms].find((form) => form.elements.seats);
    const terms = { ...Object.fromEntries(new FormData(form)), ...TERMS };
    const table = await fetch(location.href, { method: "POST", body: new URLSearchParams(terms) });
    for (const act of ["fill", "start"]) {
        const page = new DOMParser().parseFromString(await (await fetch(table.url)).text(), "text/html");
        const token = page.querySelector("[name=csrfmiddlewaretoken]").value;
        const body = new URLSearchParams({ csrfmiddlewaretoken: token });
        await fetch(`${table.url}${act}/`, { method: "POST", body });
    }
    return new URL(table.url).pathname;
}"""
"""Opens a table by the form of the page, fills it with bots and starts the match. Returns the address."""
LOOK = """() => {
    const sync = document.getElementById("sync").dataset;
    const pips = (tile) => tile.id.match(/\\d/g).reduce((sum, digit) => sum + Number(digit), 0);
    const fitting = [...document.querySelectorAll("#hand.mine .fits")].sort((a, b) => pips(a) - pips(b));
    const place = document.querySelector("#choice .act");
    place?.focus();
    const act = document.querySelector("#is-ready, #hand.mine :is(#draw, #pass)");
    const next = place ? "#choice .act" : fitting.length ? `#${fitting[0].id}` : act && `#${act.id}`;
    return {
        status: sync.status,
        version: Number(document.getElementById("version").value),
        sign: document.getElementById("connection-state").textContent,
        next,
    };
}"""


class Window(Protocol):
    """What a driver of a browser has to offer."""

    def goto(self, url: str) -> object: ...

    def evaluate(self, function: str) -> Any: ...

    def click(self, selector: str) -> None: ...


def shortest(rules: Rules) -> dict[str, str]:
    """Return a quick match, with the smallest choice of each number."""
    numbers = [option for option in rules.options if any(map(str.isdigit, option.choices))]
    least = {option.name: min(filter(str.isdigit, option.choices), key=int) for option in numbers}
    return least | ({"length": "quick"} if any(option.name == "length" for option in rules.options) else {})


def start(window: Window, url: str, rules: Rules) -> str:
    """Start a match of a new guest against bots. Return the address of its table."""
    options = {f"option_{name}": choice for name, choice in shortest(rules).items()}
    terms = {"seats": str(min(rules.seat_counts)), "clock": "relaxed", "visibility": "public", **options}
    window.goto(f"{url}/tables/new/?game={rules.key}")
    return str(window.evaluate(OPEN.replace("TERMS", json.dumps(terms))))


def play(window: Window, *, seconds: float, versions: int = 10**6) -> list[str]:
    """Play until the match is over, or so many versions are shown. Return the signs of the connection on the way."""
    end, signs, acted, acted_at = time.monotonic() + seconds, [""], (0, ""), 0.0
    while (now := time.monotonic()) < end:
        seen = window.evaluate(LOOK)
        if seen["sign"] != signs[-1]:
            signs.append(seen["sign"])
        if seen["status"] == "finished" or seen["version"] >= versions:
            return signs
        act = seen["version"], seen["next"]
        if seen["next"] and (act != acted or now > acted_at + REPEAT_SECONDS):
            acted, acted_at = act, now
            window.click(seen["next"])
        else:
            time.sleep(PAUSE_SECONDS)
    raise AssertionError(f"not over after {seconds} s: {seen}")
