"""Partners: choices that fit the partner's hidden hand better than what the seat could see explains.

A move is evaluated with the hand that the partner really held and with other hands that were possible from what the
seat saw. Without knowledge of the hand the real one is equally likely to have any rank among them, however well
somebody plays. Only what people infer from the choices of others is more than the bots take into account.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean
from typing import NamedTuple

from games.bots import bot_for_variant
from games.bots.determinization import sample_determinizations
from games.engine.moves import Move
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.engine.view import View, view_for

SAMPLED_HANDS = 16  # possible hands with which the partner's is compared
DEALS_PER_HAND = 4  # deals of the remaining tiles for each hand
MIN_DECISIONS = 30  # of both partners, in which the hand matters
# The variance of a rank without knowledge, which is uniformly distributed.
RANK_VARIANCE = ((SAMPLED_HANDS + 1) ** 2 - 1) / (12 * SAMPLED_HANDS**2)
THRESHOLD = 3.0  # standard deviations without knowledge; one innocent pair in 740 exceeds it


class HandFit(NamedTuple):
    """The advantage of a move over the average legal one, with the partner's real hand and with possible hands."""

    real_advantage: float
    possible_advantages: tuple[float, ...]
    seq: int

    @property
    def hand_matters(self) -> bool:
        """Whether the partner's hand makes any difference."""
        return any(advantage != self.real_advantage for advantage in self.possible_advantages)

    @property
    def gain(self) -> float:
        """The advantage with the real hand over the mean advantage with possible hands."""
        return self.real_advantage - fmean(self.possible_advantages)

    @property
    def rank(self) -> float:
        """The share of possible hands with which the move is worse, minus 1/2: from -1/2 (none) to 1/2 (all).

        >>> HandFit(3.0, (0.0, 1.0, 2.0, 3.0), seq=7).rank
        0.375
        """
        worse = sum(
            (advantage < self.real_advantage) + (advantage == self.real_advantage) / 2
            for advantage in self.possible_advantages
        )
        return worse / len(self.possible_advantages) - 0.5


class Knowledge(NamedTuple):
    """The result for two partners. ``measure`` is in standard deviations, ``best_seq`` the event that fits best."""

    measure: float = 0.0
    decisions: int = 0
    best_seq: int = 0


def measure_knowledge(fits: Iterable[HandFit]) -> Knowledge:
    """Return how much better these decisions fit the partner's hand than chance explains."""
    relevant = [fit for fit in fits if fit.hand_matters]
    if len(relevant) < MIN_DECISIONS:
        return Knowledge(decisions=len(relevant))
    measure = sum(fit.rank for fit in relevant) / sqrt(RANK_VARIANCE * len(relevant))
    return Knowledge(measure, len(relevant), max(relevant, key=lambda fit: fit.gain).seq)


def partner_of(state: State, seat: int) -> int | None:
    """Return the seat of the partner, None where everybody plays alone."""
    sides = state.setup.sides
    return next((other for other, side in enumerate(sides) if other != seat and side == sides[seat]), None)


def evaluate_fit(state: State, move: Move, seq: int) -> HandFit:
    """Compare the partner's hand with possible hands at a decision. Equal decisions give equal results."""
    seat = state.round.to_move
    partner = None if seat is None else partner_of(state, seat)
    if seat is None or partner is None:
        raise ValueError("The seat to move has no partner.")
    rng = Random(seq)  # noqa: S311 (repeatable on purpose)
    view = view_for(rules_for(state.setup.variant), state, seat)
    index = view.legal.index(move)
    guesses = sample_determinizations(view.rules, view, rng)
    hands = [state.hands[partner], *(guess.hands[partner] for guess in islice(guesses, SAMPLED_HANDS))]
    values = [move_values_with_hand(view, partner, hand, rng) for hand in hands]
    real, *possible = [moves[index] - fmean(moves) for moves in values]
    return HandFit(real, tuple(possible), seq)


def move_values_with_hand(view: View, partner: int, hand: Sequence[Tile], rng: Random) -> list[float]:
    """Return the value of each legal move to a viewer who also knows the partner's hand."""
    seats = tuple(replace(seat, hand=tuple(hand)) if seat.seat == partner else seat for seat in view.seats)
    return mean_move_values(
        view, islice(sample_determinizations(view.rules, replace(view, seats=seats), rng), DEALS_PER_HAND), rng
    )


def mean_move_values(view: View, positions: Iterator[State], rng: Random) -> list[float]:
    """Return the mean value of each legal move in positions that are possible to the viewer."""
    player = bot_for_variant(view.rules.key)
    games = [player.simulation(position) for position in positions]
    return player.average_gains(games[0].numbers(view.legal), games, view.viewer or 0, rng)
