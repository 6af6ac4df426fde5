"""``python -m games.engine``: the referee on standard input and output."""

from __future__ import annotations

import json
import sys

from games.engine.referee import Referee


def main() -> None:
    referee = Referee()
    for line in sys.stdin.buffer:
        print(json.dumps(referee.answer(line)), flush=True)


if __name__ == "__main__":
    main()
