"""What a deal was worth to each seat: the round played on many times from the tiles as they were dealt.

The leader makes the lead that turns out best with all hands open. After that all play alike, every second move by the
bot's first thought and the others by lot: if all moves were the bot's, every game would take nearly the same way, and
a small thing would decide about everything. Who has the lead is a part of the deal, so it is luck too, and so is the
order of the boneyard.
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

TRIED = 100
"""Playouts to find the lead, all leads together."""
PLAYOUTS = 150
"""Playouts from the lead on: other ones, since those in which it was found were kind to it."""
SLIPS = 0.5
"""How often a move is made by lot. Of 0 to 1, with this the results of bots were explained best."""


def round_report(dealt: State, ended: RoundEnded, name: str) -> RoundReport:
    """Return what a round brought each seat, and what its deal was worth. ``name`` is of the match."""
    deal = Deal(dealt, Random(f"{name} round {ended.round}"))  # noqa: S311 (repeatable on purpose)
    lead = deal.best_lead()
    columns = list(zip(*(deal.played(lead) for _ in range(PLAYOUTS)), strict=True))
    return RoundReport(
        ended.round,
        tuple(round(each, DECIMALS) for each in results(dealt, ended)),
        tuple(round(fmean(column), DECIMALS) for column in columns),
        tuple(round(stdev(column) / sqrt(PLAYOUTS), DECIMALS) for column in columns),
    )


class Deal:
    """A position after the deal, to be played on."""

    def __init__(self, dealt: State, chance: Random) -> None:
        self.dealt, self.chance = dealt, chance
        self.player = bots.player_of(dealt.setup.variant)
        self.game = self.player.simulation(dealt)

    def best_lead(self) -> int:
        """Return the first move after which the leader's result is best."""
        moves: Sequence[int] = self.game.moves()
        if len(moves) == 1:
            return moves[0]
        often, seat = max(1, TRIED // len(moves)), self.game.to_move
        values = [fmean(self.played(move)[seat] for _ in range(often)) for move in moves]
        return moves[values.index(max(values))]

    def played(self, lead: int) -> list[float]:
        """Return the results of the seats after one playout from a lead."""
        game: Simulation = self.game.copy()
        game.make(lead)
        while not game.over:
            game.make(self.move(game))
        return results(self.dealt, game.final_state().rounds[-1])

    def move(self, game: Simulation) -> int:
        """Return the next move; no draw or pass by lot where a tile can be laid."""
        moves = game.moves()
        if len(moves) == 1:
            return moves[0]
        if self.chance.random() < SLIPS:
            return self.chance.choice([move for move in moves if move >= 0] or moves)
        chosen: int = self.player.rollout_move(game, self.chance)
        return chosen


def results(dealt: State, ended: RoundEnded) -> list[float]:
    """Return what each seat's side got in a round, less the average of all seats; more is better.

    That is all the points of the round, by moves and at its end, before any rule of the standing forgets or doubles
    them; where points are bad, less than others is more than 0.
    """
    return against_average(dealt.setup.variant, dealt.setup.sides, gained_by(dealt.standing, ended))


def against_average(variant: str, sides: Sequence[int], gained: Sequence[int]) -> list[float]:
    """Return what each seat's side gained, less the average of all seats; where points are bad, turned round.

    >>> against_average("kozel", (0, 1), (0, 20))
    [10.0, -10.0]
    """
    rules = rules_for(variant)
    sign = 1 if rules.merit(Standing(1)) > rules.merit(Standing(0)) else -1
    points = [sign * gained[side] for side in sides]
    average = fmean(points)
    return [each - average for each in points]


def gained_by(dealt: Sequence[Standing], ended: RoundEnded) -> list[int]:
    """Return what each side got in a round: by its moves, and at its end."""
    rows = zip(dealt, ended.before, ended.points, strict=True)
    return [before.points - at_first.points + points.total for at_first, before, points in rows]
