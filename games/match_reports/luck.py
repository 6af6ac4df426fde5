"""The value of a deal for each seat: what bots make of it.

A bot chooses the lead several times with what the leader knows. After each lead the deal is played out many times:
half of the moves are the bot's first choice, the others are random. With first choices only, nearly all playouts would
be the same, and small differences would decide everything. Bots that look ahead reach other results in the mean; how
far these differ was measured and is part of the error. The lead and the order of the boneyard belong to the deal, so
they are luck too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from games import bots
from games.bots.levels import LEVELS
from games.bots.outcomes import points_in_round
from games.bots.player import BotPlayer
from games.engine.events import RoundEnded
from games.engine.simulation.simulation import Simulation
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.match_reports.report import DECIMALS, RoundReport

SAMPLED_LEADS = 6  # leads that the bot chooses, each from other guesses
PLAYOUTS_PER_LEAD = 16
RANDOM_MOVE_SHARE = 0.5  # this value explains the results of bots best
BOT_LEVEL = "steady"  # of the bot that leads, and of those whose results the luck stands for


def round_report(deal_state: State, round_end: RoundEnded, lost: Sequence[float], seed: str) -> RoundReport:
    """Return the result of a round and its parts for each seat.

    ``lost`` are the points that the choices of each side cost in the round; ``seed`` is that of the match.
    """
    sides = deal_state.setup.sides
    luck, error = deal_value(deal_state, Random(f"{seed} round {round_end.round}"))  # noqa: S311 (repeatable on purpose)
    return RoundReport(
        round_end.round,
        tuple(round(result, DECIMALS) for result in seat_results(deal_state, round_end)),
        luck,
        error,
        tuple(round(fmean(lost) - lost[side], DECIMALS) for side in sides),
    )


def deal_value(deal_state: State, chance: Random) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the value of a deal for each seat, and its standard error."""
    results = play_deal_out(deal_state, chance)
    share = hypot(bots.bot_for_variant(deal_state.setup.variant).luck_error, 1 / sqrt(len(results)))
    columns = list(zip(*results, strict=True))
    return (
        tuple(round(fmean(column), DECIMALS) for column in columns),
        tuple(round(stdev(column) * share, DECIMALS) for column in columns),
    )


def play_deal_out(deal_state: State, chance: Random) -> list[list[float]]:
    """Return the results of the seats in playouts of a deal."""
    bot, rules = bots.bot_for_variant(deal_state.setup.variant), rules_for(deal_state.setup.variant)
    position, leader = bot.simulation(deal_state), deal_state.round.to_move
    if leader is None:
        raise ValueError("No round is being played.")
    view, results = view_for(rules, deal_state, leader), list[list[float]]()
    for _ in range(SAMPLED_LEADS):
        lead = bot.choose_move(view, leader, chance, LEVELS[BOT_LEVEL])
        for _ in range(PLAYOUTS_PER_LEAD):
            game = position.copy()
            game.make_move(position.numbers([lead])[0])
            while not game.over:
                game.make_move(choose_move(bot, game, chance))
            results.append(seat_results(deal_state, game.final_state().rounds[-1]))
    return results


def choose_move(bot: BotPlayer[Any], game: Simulation, chance: Random) -> int:
    """Return the next move. Random moves draw or pass only if no tile can be played."""
    moves = game.moves()
    if len(moves) == 1:
        return moves[0]
    if chance.random() < RANDOM_MOVE_SHARE:
        return chance.choice([move for move in moves if move >= 0] or moves)
    return bot.rollout_move(game, chance)


def seat_results(deal_state: State, round_end: RoundEnded) -> list[float]:
    """Return the result of each seat in a round: its side's points minus the average of all seats; more is better."""
    setup, points_by_side = deal_state.setup, points_in_round(deal_state.standing, round_end)
    return relative_to_average(setup.variant, setup.sides, points_by_side)


def relative_to_average(variant: str, sides: Sequence[int], points_by_side: Sequence[int]) -> list[float]:
    """Return the points of each seat's side minus the average of all seats; negated in games where points are bad.

    >>> relative_to_average("kozel", (0, 1), (0, 20))
    [10.0, -10.0]
    """
    sign = -1 if rules_for(variant).are_points_bad else 1
    points_by_seat = [sign * points_by_side[side] for side in sides]
    average = fmean(points_by_seat)
    return [points - average for points in points_by_seat]
