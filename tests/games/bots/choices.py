"""Choices of bots on boards, as text: ``python -m tests.games.bots.choices`` writes them to the corpus.

A change of them needs a higher ``BOTS_VERSION``: running sets of the old version are then closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from games.bots.boards import BOTS_VERSION, board_moves, dealt_board
from games.bots.levels import LEVELS
from games.engine.deal import deal_source
from games.engine.decide import new_match
from games.engine.rules import Rules
from games.engine.variants import registry

CORPUS = Path(__file__).parents[2] / "records" / "bot_choices.txt"
CHOICES_OF_GAME = 100
SECRET = bytes(range(32)).hex()


def corpus_text() -> str:
    """Return the version, and one line with the moves of each board."""
    lines = [f"bots_version {BOTS_VERSION}"]
    for rules in registry().values():
        lines += boards_of(rules)
    return "\n".join([*lines, ""])


def boards_of(rules: Rules) -> Iterator[str]:
    """Yield boards with bots of all levels in turn, until they have made enough choices."""
    choices, levels = 0, list(LEVELS)
    for board in count(1):
        seats = rules.seat_counts[-board % len(rules.seat_counts)]
        line, number = moves_of_board(rules, seats, board, [levels[(board + seat) % 5] for seat in range(seats)])
        yield f"{rules.key} {seats} {board}: {line}"
        choices += number
        if choices >= CHOICES_OF_GAME:
            return


def moves_of_board(rules: Rules, seats: int, board: int, levels: list[str]) -> tuple[str, int]:
    """Return the moves, and how many of them were choices."""
    start = new_match(rules, seats, rules.one_round, source="choices", first=board, entropy="0" * 64)
    key = deal_source(start).round_key(SECRET, 1)
    state, texts, choices = dealt_board(start, key), list[str](), 0
    for text, after in board_moves(state, key, levels, probes=[0]):
        choices += len(rules.legal_moves(state)) > 1
        texts.append(text)
        state = after
    return ", ".join(texts), choices


if __name__ == "__main__":
    CORPUS.write_text(corpus_text())
