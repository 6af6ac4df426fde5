"""The results of the bots' levels on a board, with which those of people are compared. A worker computes them."""

from __future__ import annotations

from dataclasses import dataclass

from games.bots.boards import probe_board
from games.bots.levels import LEVELS
from games.engine.events import MatchStarted
from games.engine.variants import rules_for
from games.tournaments.core.shares import raw_results

LevelRaws = tuple[tuple[int, ...], ...]  # for each side the raw results of the levels in its seat, in sixths


@dataclass(frozen=True, slots=True)
class LevelsTask:
    """A board of a tournament whose results are still secret. ``start`` is the first event of its matches."""

    tournament: int
    round: int
    start: MatchStarted
    secret: str


def level_raws(task: LevelsTask) -> LevelRaws:
    """Return the raw results of each level in each seat, among the bots that take empty seats."""
    rules = rules_for(task.start.variant)
    sides = rules.sides(task.start.seats, dict(task.start.options))
    return tuple(
        tuple(
            raw_results(scores, is_low_better=rules.are_points_bad)[side]
            for scores in probe_board(task.start, task.secret, sides.index(side), list(LEVELS))
        )
        for side in sorted(set(sides))
    )
