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
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def choose(view):
    """Return one of the legal moves of a position. Your own bot begins here."""
    return random.choice(view["legal"])


def call(path, data=None):
    body = None if data is None else json.dumps(data).encode()
    headers = {"Authorization": "Bearer " + sys.argv[2], "Content-Type": "application/json"}
    return urlopen(Request(sys.argv[1] + "/api/" + path, body, headers), timeout=60)


def post(path, data):
    try:
        call(path, data).close()
    except (OSError, HTTPException) as error:  # the next line of the stream says how things are
        print(path, error, error.read() if isinstance(error, HTTPError) else "", file=sys.stderr)


def stream(path):
    """Yield the lines of a stream. After an interruption it goes on."""
    while True:
        try:
            with call("stream/" + path) as lines:
                for line in map(json.loads, filter(bytes.strip, lines)):
                    if "error" in line:  # the last line, which says why the stream ends
                        print(path, line, file=sys.stderr)
                    else:
                        yield line
        except (OSError, HTTPException) as error:
            print(path, error, file=sys.stderr)
        sleep(3)


def play(slug):
    for line in stream("match/" + slug):
        view, players = line["view"], line["players"]
        if view is None:  # the match has not begun
            if all(player["kind"] != "empty" for player in players) and not players[line["seat"]]["ready"]:
                post(f"match/{slug}/start", {})
        elif view["match_over"]:
            return
        elif view["legal"]:
            post(f"match/{slug}/move", {"version": line["version"], "move": choose(view)})
        elif view["round_over"] and not players[view["seat"]]["ready"]:
            post(f"match/{slug}/ready", {})


def play_online():
    playing = set()
    for line in stream("events"):
        for invitation in line["invitations"]:
            post(f"match/{invitation['slug']}/sit", {})
        for slug in {row["slug"] for row in line["matches"]} - playing:
            playing.add(slug)
            Thread(target=play, args=[slug], daemon=True).start()


def play_offline():
    for line in map(json.loads, sys.stdin):
        if line["view"]["legal"]:
            print(json.dumps({"version": line["version"], "move": choose(line["view"])}), flush=True)


if __name__ == "__main__":
    play_online() if len(sys.argv) > 2 else play_offline()
