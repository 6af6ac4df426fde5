"""``python -m games.engine``: the referee on standard input and output."""

from __future__ import annotations

import json
import sys

from games.engine.referee import Referee


def main() -> None:
    """Answer every line until the input ends."""
    referee = Referee()
    for line in sys.stdin.buffer:
        answer = json.dumps(referee.answer(line))
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
