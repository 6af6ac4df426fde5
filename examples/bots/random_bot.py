#!/usr/bin/env python3
"""A bot that plays at random: offline with ``python -m games.engine.bench``, which starts it without arguments.

It reads positions from standard input, one JSON object a line, and writes its moves (docs/bots.md).
"""

from __future__ import annotations

import json
import random
import sys


def choose(view):
    """Return one of the legal moves of a position. Your own bot begins here."""
    return random.choice(view["legal"])


for line in sys.stdin:
    position = json.loads(line)
    view = position["view"]
    if view["legal"]:  # it is our turn
        print(json.dumps({"version": position["version"], "move": choose(view)}), flush=True)
