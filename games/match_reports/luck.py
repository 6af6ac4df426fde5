"""The value of a deal for each seat, estimated by many playouts of the round.

The leader makes the lead that turns out best with all hands open. After that all seats play in the same way: half of
the moves are the bot's first choice, the others are random. With bot moves only, nearly all playouts would be the
same, and small differences would decide everything. The lead and the order of the boneyard belong to the deal, so they
are luck too.
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
RANDOM_MOVE_SHARE = 0.5  # share of random moves; this value explained the results of bots best


def round_report(deal_state: State, round_end: RoundEnded, seed: str) -> RoundReport:
    """Return the result of a round and the value of its deal for each seat. ``seed`` is that of the match."""
    playouts = DealPlayouts(deal_state, Random(f"{seed} round {round_end.round}"))  # noqa: S311 (repeatable on purpose)
    lead = playouts.find_best_lead()
    columns = list(zip(*(playouts.play_out(lead) for _ in range(PLAYOUTS)), strict=True))
    return RoundReport(
        round_end.round,
        tuple(round(result, DECIMALS) for result in seat_results(deal_state, round_end)),
        tuple(round(fmean(column), DECIMALS) for column in columns),
        tuple(round(stdev(column) / sqrt(PLAYOUTS), DECIMALS) for column in columns),
    )


class DealPlayouts:
    """A position after the deal, and random playouts from it."""

    def __init__(self, deal_state: State, chance: Random) -> None:
        self.state_after_deal, self.chance = deal_state, chance
        self.bot = bots.bot_for_variant(deal_state.setup.variant)
        self.game = self.bot.simulation(deal_state)

    def find_best_lead(self) -> int:
        """Return the first move after which the leader's mean result is best."""
        moves: Sequence[int] = self.game.moves()
        if len(moves) == 1:
            return moves[0]
        count, seat = max(1, LEAD_PLAYOUTS // len(moves)), self.game.to_move
        values = [fmean(self.play_out(move)[seat] for _ in range(count)) for move in moves]
        return moves[values.index(max(values))]

    def play_out(self, lead: int) -> list[float]:
        """Return the results of the seats after one playout from a lead."""
        game: Simulation = self.game.copy()
        game.make(lead)
        while not game.over:
            game.make(self.choose_move(game))
        return seat_results(self.state_after_deal, game.final_state().rounds[-1])

    def choose_move(self, game: Simulation) -> int:
        """Return the next move. Random moves draw or pass only if no tile can be played."""
        moves = game.moves()
        if len(moves) == 1:
            return moves[0]
        if self.chance.random() < RANDOM_MOVE_SHARE:
            return self.chance.choice([move for move in moves if move >= 0] or moves)
        move: int = self.bot.rollout_move(game, self.chance)
        return move


def seat_results(deal_state: State, round_end: RoundEnded) -> list[float]:
    """Return the result of each seat in a round: its side's points minus the average of all seats; more is better.

    All points count, of moves and of the end, before any rule of the standing forgets or doubles them.
    """
    setup, points_by_side = deal_state.setup, points_in_round(deal_state.standing, round_end)
    return relative_to_average(setup.variant, setup.sides, points_by_side)


def relative_to_average(variant: str, sides: Sequence[int], points_by_side: Sequence[int]) -> list[float]:
    """Return the points of each seat's side minus the average of all seats; negated in games where points are bad.

    >>> relative_to_average("kozel", (0, 1), (0, 20))
    [10.0, -10.0]
    """
    rules = rules_for(variant)
    sign = 1 if rules.merit(Standing(1)) > rules.merit(Standing(0)) else -1
    points_by_seat = [sign * points_by_side[side] for side in sides]
    average = fmean(points_by_seat)
    return [points - average for points in points_by_seat]


def points_in_round(standing: Sequence[Standing], round_end: RoundEnded) -> list[int]:
    """Return the points of each side in a round, by moves and at its end. ``standing`` is the one after the deal."""
    rows = zip(standing, round_end.before, round_end.points, strict=True)
    return [before.points - after_deal.points + points.total for after_deal, before, points in rows]
