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

from games.bots import player_for
from games.bots.determinization import sample_determinizations
from games.engine.moves import Move
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.engine.view import View, view_for

HANDS = 16  # possible hands with which the partner's is compared
WORLDS = 4  # deals of the remaining tiles for each hand
MIN_DECISIONS = 30  # of both partners, in which the hand matters
VARIANCE = ((HANDS + 1) ** 2 - 1) / (12 * HANDS**2)  # of a rank without knowledge, which is uniformly distributed
THRESHOLD = 3.0  # standard deviations without knowledge; one innocent pair in 740 exceeds it


class Fit(NamedTuple):
    """The advantage of a move over the average legal one, with the partner's real hand and with possible hands."""

    real: float
    possible: tuple[float, ...]
    seq: int

    @property
    def matters(self) -> bool:
        """Whether the partner's hand makes any difference."""
        return any(advantage != self.real for advantage in self.possible)

    @property
    def gain(self) -> float:
        """The advantage with the real hand over the mean advantage with possible hands."""
        return self.real - fmean(self.possible)

    @property
    def rank(self) -> float:
        """The share of possible hands with which the move is worse, minus 1/2: from -1/2 (none) to 1/2 (all).

        >>> Fit(3.0, (0.0, 1.0, 2.0, 3.0), seq=7).rank
        0.375
        """
        worse = sum((other < self.real) + (other == self.real) / 2 for other in self.possible)
        return worse / len(self.possible) - 0.5


class Knowledge(NamedTuple):
    """The result for two partners. ``measure`` is in standard deviations, ``best`` the event that fits best."""

    measure: float = 0.0
    decisions: int = 0
    best: int = 0


def knowledge(fits: Iterable[Fit]) -> Knowledge:
    """Return how much better these decisions fit the partner's hand than chance explains."""
    relevant = [fit for fit in fits if fit.matters]
    if len(relevant) < MIN_DECISIONS:
        return Knowledge(decisions=len(relevant))
    measure = sum(fit.rank for fit in relevant) / sqrt(VARIANCE * len(relevant))
    return Knowledge(measure, len(relevant), max(relevant, key=lambda fit: fit.gain).seq)


def partner_of(state: State, seat: int) -> int | None:
    """Return the seat of the partner, None where everybody plays alone."""
    sides = state.setup.sides
    return next((other for other, side in enumerate(sides) if other != seat and side == sides[seat]), None)


def fitted(state: State, move: Move, seq: int) -> Fit:
    """Compare the partner's hand with possible hands at a decision. Equal decisions give equal results."""
    seat = state.round.to_move
    partner = None if seat is None else partner_of(state, seat)
    if seat is None or partner is None:
        raise ValueError("The seat to move has no partner.")
    chance = Random(seq)  # noqa: S311 (repeatable on purpose)
    view = view_for(rules_for(state.setup.variant), state, seat)
    index = view.legal.index(move)
    guesses = sample_determinizations(view.rules, view, chance)
    hands = [state.hands[partner], *(guess.hands[partner] for guess in islice(guesses, HANDS))]
    values = [values_with(view, partner, hand, chance) for hand in hands]
    real, *possible = [moves[index] - fmean(moves) for moves in values]
    return Fit(real, tuple(possible), seq)


def values_with(view: View, partner: int, hand: Sequence[Tile], chance: Random) -> list[float]:
    """Return the value of each legal move to a viewer who also knows the partner's hand."""
    seats = tuple(replace(seat, hand=tuple(hand)) if seat.seat == partner else seat for seat in view.seats)
    return values_in(
        view, islice(sample_determinizations(view.rules, replace(view, seats=seats), chance), WORLDS), chance
    )


def values_in(view: View, worlds: Iterator[State], chance: Random) -> list[float]:
    """Return the mean value of each legal move in positions that are possible to the viewer."""
    player = player_for(view.rules.key)
    games = [player.simulation(world) for world in worlds]
    return player.average_gains(games[0].numbers(view.legal), games, view.viewer or 0, chance)
