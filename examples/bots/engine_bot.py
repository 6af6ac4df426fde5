#!/usr/bin/env python3
"""A bot that moves like a bot of the site: ``python -m games.engine.bench python examples/bots/engine_bot.py master``.

It uses the engine and the bots of this repository, so it runs in its main folder with Python 3.11 and no packages.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.bots import choose_move
from games.engine.view_json import view_from_data

level = sys.argv[1] if len(sys.argv) > 1 else "master"
for line in sys.stdin:
    position = json.loads(line)
    if position["view"]["legal"]:
        move = choose_move(view_from_data(position["view"]), level, seed=position["version"])
        print(json.dumps({"version": position["version"], "move": move}), flush=True)
