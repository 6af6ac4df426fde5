"""Judges the moves of a puzzle: by playouts to the end of the round in which bots play in all seats.

Two judges have to agree. With one, strong bots make all later moves. With the other, a part of these moves is random,
so that a solution does not depend on perfect play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean
from types import MappingProxyType

from games import bots
from games.bots.levels import LEVELS, Level
from games.bots.outcomes import sample_bot_outcomes
from games.engine.moves import Move
from games.engine.outcome import standard_error
from games.engine.view import View
from games.puzzles import Puzzle

RANDOM_SHARE = 0.3
# The level of the bots that make the later moves, by the name of the judge.
JUDGES: Mapping[str, Level] = MappingProxyType(
    {"strong": LEVELS["strong"], "careless": replace(LEVELS["strong"], random_share=RANDOM_SHARE)}
)
MIN_MARGIN_POINTS = 4.0  # points by which the solution beats every other move
MIN_STANDARD_ERRORS = 4.0  # standard errors by which it does
MIN_SAMPLES = 40  # possible positions in which a move is tried before it can be ruled out
BATCH_SIZE = 20  # possible positions between two decisions whether to go on
HOPELESS_STANDARD_ERRORS = 2.4  # a search gives up a solution whose margin would hardly exceed this in the end


@dataclass(frozen=True, slots=True)
class Margin:
    """By how many points the solution beats another move in the same possible positions, and the standard error."""

    points: float
    error: float
    samples: int

    @property
    def is_clear(self) -> bool:
        return self.samples >= MIN_SAMPLES and self.points > 0 and self.points >= MIN_STANDARD_ERRORS * self.error

    @property
    def is_too_small(self) -> bool:
        """Return whether the margin is clearly less than ``MIN_MARGIN_POINTS``."""
        return self.samples >= MIN_SAMPLES and self.points + MIN_STANDARD_ERRORS * self.error < MIN_MARGIN_POINTS

    def is_hopeless(self, max_samples: int) -> bool:
        """Return whether the margin will probably not be clear after ``max_samples``."""
        error = self.error * sqrt(self.samples / max_samples)
        return not self.is_clear and self.points < HOPELESS_STANDARD_ERRORS * error


@dataclass(frozen=True, slots=True)
class Judgement:
    """The mean points of the solution up to the end of the round, and its margin over every other legal move."""

    points: float
    error: float
    samples: int
    margins: Mapping[Move, Margin]

    @property
    def margin(self) -> Margin:
        """The smallest margin: the one over the second best move."""
        return min(self.margins.values(), key=lambda margin: margin.points)

    @property
    def holds(self) -> bool:
        """Return whether the solution clearly beats every other move."""
        return all(margin.is_clear and not margin.is_too_small for margin in self.margins.values())

    def with_margins_of(self, other: Judgement | None) -> Judgement:
        """Return this judgement with the margins of another one, over other moves, added."""
        return replace(self, margins={**other.margins, **self.margins}) if other else self


def judge_solution(
    view: View,
    solution: Move,
    rivals: Iterable[Move],
    level: Level,
    random: Random,
    *,
    max_samples: int,
    gives_up: bool = False,
) -> Judgement:
    """Compare a solution with other legal moves in random positions that agree with the view.

    A rival is tried until the solution clearly beats it. Judging ends when no such rival is left, when the margin over
    one is clearly too small, or after ``max_samples``; with ``gives_up`` also when one looks hopeless.
    """
    player, rivals = bots.bot_for_variant(view.rules.key), [move for move in rivals if move != solution]
    gains, margins = list[float](), dict[Move, Margin]()
    differences: dict[Move, list[float]] = {move: [] for move in rivals}
    while rivals and len(gains) < max_samples:
        samples = sample_bot_outcomes(player, view, (solution, *rivals), level, random)
        for best, *rest in islice(samples, min(BATCH_SIZE, max_samples - len(gains))):
            gains.append(best.points)
            for move, outcome in zip(rivals, rest, strict=True):
                differences[move].append(best.points - outcome.points)
        margins |= {move: _margin_of(differences[move]) for move in rivals}
        rivals = [move for move in rivals if not margins[move].is_clear]
        if any(margin.is_too_small for margin in margins.values()):
            break
        if gives_up and any(margin.is_hopeless(max_samples) for margin in margins.values()):
            break
    return Judgement(fmean(gains), standard_error(gains), len(gains), margins)


def check_puzzle(puzzle: Puzzle, seed: str, max_samples: int) -> dict[str, Judgement]:
    """Return what each judge finds of the stored solution with new samples."""
    view, chance = puzzle.view, Random(seed)  # noqa: S311 (repeatable on purpose)
    solution = view.rules.parse_move(puzzle.position, puzzle.moves[0].move)
    return {
        judge: judge_solution(view, solution, view.legal, level, chance, max_samples=max_samples)
        for judge, level in JUDGES.items()
    }


def _margin_of(differences: list[float]) -> Margin:
    return Margin(fmean(differences), standard_error(differences), len(differences))
