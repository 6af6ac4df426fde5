"""The value of a deal for each seat, estimated by many playouts of the round.

The leader makes the lead that turns out best with all hands open. After that all seats play alike: half of the moves
are the bot's first choice, the others are random. With bot moves only, all playouts would be nearly the same, and a
small thing would decide everything. The lead and the order of the boneyard belong to the deal, so they are luck too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

from games import bots
from games.engine.events import RoundEnded, Standing
from games.engine.simulation.simulation import Simulation
from games.engine.state import State
from games.engine.variants import rules_for
from games.match_reports.report import DECIMALS, RoundReport

LEAD_PLAYOUTS = 100  # to find the best lead, all leads together
PLAYOUTS = 150  # after the lead; new ones, because the lead was chosen for doing well in the others
RANDOM_MOVES = 0.5  # share of random moves; this value explained the results of bots best


def round_report(dealt: State, ended: RoundEnded, seed: str) -> RoundReport:
    """Return the result of a round and the value of its deal for each seat. ``seed`` is that of the match."""
    deal = Deal(dealt, Random(f"{seed} round {ended.round}"))  # noqa: S311 (repeatable on purpose)
    lead = deal.best_lead()
    columns = list(zip(*(deal.playout(lead) for _ in range(PLAYOUTS)), strict=True))
    return RoundReport(
        ended.round,
        tuple(round(result, DECIMALS) for result in results(dealt, ended)),
        tuple(round(fmean(column), DECIMALS) for column in columns),
        tuple(round(stdev(column) / sqrt(PLAYOUTS), DECIMALS) for column in columns),
    )


class Deal:
    """A position after the deal, and random playouts from it."""

    def __init__(self, dealt: State, chance: Random) -> None:
        self.dealt, self.chance = dealt, chance
        self.player = bots.player_of(dealt.setup.variant)
        self.game = self.player.simulation(dealt)

    def best_lead(self) -> int:
        """Return the first move after which the leader's mean result is best."""
        moves: Sequence[int] = self.game.moves()
        if len(moves) == 1:
            return moves[0]
        count, seat = max(1, LEAD_PLAYOUTS // len(moves)), self.game.to_move
        values = [fmean(self.playout(move)[seat] for _ in range(count)) for move in moves]
        return moves[values.index(max(values))]

    def playout(self, lead: int) -> list[float]:
        """Return the results of the seats after one playout from a lead."""
        game: Simulation = self.game.copy()
        game.make(lead)
        while not game.over:
            game.make(self.move(game))
        return results(self.dealt, game.final_state().rounds[-1])

    def move(self, game: Simulation) -> int:
        """Return the next move. Random moves draw or pass only if no tile can be played."""
        moves = game.moves()
        if len(moves) == 1:
            return moves[0]
        if self.chance.random() < RANDOM_MOVES:
            return self.chance.choice([move for move in moves if move >= 0] or moves)
        chosen: int = self.player.rollout_move(game, self.chance)
        return chosen


def results(dealt: State, ended: RoundEnded) -> list[float]:
    """Return the result of each seat in a round: its side's points minus the average of all seats; more is better.

    All points count, of moves and of the end, before any rule of the standing forgets or doubles them.
    """
    return against_average(dealt.setup.variant, dealt.setup.sides, gained_by(dealt.standing, ended))


def against_average(variant: str, sides: Sequence[int], gained: Sequence[int]) -> list[float]:
    """Return the points of each seat's side minus the average of all seats; negated in games where points are bad.

    >>> against_average("kozel", (0, 1), (0, 20))
    [10.0, -10.0]
    """
    rules = rules_for(variant)
    sign = 1 if rules.merit(Standing(1)) > rules.merit(Standing(0)) else -1
    points = [sign * gained[side] for side in sides]
    average = fmean(points)
    return [value - average for value in points]


def gained_by(dealt: Sequence[Standing], ended: RoundEnded) -> list[int]:
    """Return the points of each side in a round, by moves and at its end."""
    rows = zip(dealt, ended.before, ended.points, strict=True)
    return [before.points - start.points + points.total for start, before, points in rows]
