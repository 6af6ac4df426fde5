#!/usr/bin/env python3
"""A bot that plays at random. ``random_bot.py SITE TOKEN`` accepts all invitations and plays on that site, such as
https://example.org; without arguments it plays offline, started by ``python -m games.engine.bench`` (docs/bots.md)."""

from __future__ import annotations

import json
import random
import sys
from http.client import HTTPException
from threading import Thread
from time import sleep
from urllib.request import Request, urlopen


def choose(view):
    """Return one of the legal moves of a position. Your own bot begins here."""
    return random.choice(view["legal"])


def call(path, data=None):
    """Return the JSON lines of the answer, as they come. With ``data`` it is a POST request."""
    body = None if data is None else json.dumps(data).encode()
    headers = {"Authorization": "Bearer " + sys.argv[2], "Content-Type": "application/json"}
    try:
        with urlopen(Request(sys.argv[1] + "/api/" + path, body, headers), timeout=60) as answer:
            yield from map(json.loads, filter(bytes.strip, answer))
    except (OSError, HTTPException) as error:  # the next line of the stream says how things are
        print(path, error, error.read() if hasattr(error, "read") else "", file=sys.stderr)


def stream(path):
    while True:  # after an interruption it goes on
        yield from (line for line in call("stream/" + path) if "error" not in line)
        sleep(3)


def play(slug):
    for line in stream("match/" + slug):
        view = line["view"]  # None before the start
        if view and view["match_over"]:
            return
        if view and view["legal"]:
            list(call(f"match/{slug}/move", {"version": line["version"], "move": choose(view)}))
        elif (not view or view["round_over"]) and not line["players"][line["seat"]]["ready"]:
            list(call(f"match/{slug}/{'ready' if view else 'start'}", {}))


def play_online():
    playing = set()
    for line in stream("events"):
        for invitation in line["invitations"]:
            list(call(f"match/{invitation['slug']}/sit", {}))
        for slug in {row["slug"] for row in line["matches"]} - playing:
            playing.add(slug)
            Thread(target=play, args=[slug], daemon=True).start()


if __name__ == "__main__" and len(sys.argv) > 2:
    play_online()
elif __name__ == "__main__":
    for line in map(json.loads, sys.stdin):
        if line["view"]["legal"]:
            print(json.dumps({"version": line["version"], "move": choose(line["view"])}), flush=True)
