"""Partners: choices that fit the partner's hidden hand better than what the seat could see explains.

Whoever does not know a hand chooses as if it were another. So the value of the move that was made is asked for with
the hand that the partner really had, and with hands that the seat could not tell from it. How well somebody plays
does not matter: without knowledge the real hand comes at any place among the others alike. Only what people read
from the choices of others is more than the bots take into account.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean
from typing import NamedTuple

from games.bots import player_of
from games.bots.determinization import determinizations
from games.engine.moves import Move
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.engine.view import View, view_for

HANDS = 16
"""So many other hands the partner's is compared with."""
WORLDS = 4
"""So often the rest of the tiles is handed out for each of them."""
ENOUGH = 30
"""Decisions of both partners in which the hand matters, below which nothing is said."""
VARIANCE = ((HANDS + 1) ** 2 - 1) / (12 * HANDS**2)
"""That of a rank without knowledge, when the real hand comes at any place among the others alike."""
THRESHOLD = 3.0
"""Standard deviations of ignorance; one pair in 740 that knows nothing comes as far."""


class Fit(NamedTuple):
    """By how much the move that was made beat the average one with the partner's hand, and with each other hand."""

    real: float
    others: tuple[float, ...]
    seq: int

    @property
    def matters(self) -> bool:
        """Whether it makes any difference what the partner holds."""
        return any(other != self.real for other in self.others)

    @property
    def gain(self) -> float:
        """By how much better it fits the real hand than the others on average."""
        return self.real - fmean(self.others)

    @property
    def rank(self) -> float:
        """With what part of the other hands the move would have been worse, from -1/2 (none) to 1/2 (all).

        >>> Fit(3.0, (0.0, 1.0, 2.0, 3.0), seq=7).rank
        0.375
        """
        worse = sum((other < self.real) + (other == self.real) / 2 for other in self.others)
        return worse / len(self.others) - 0.5


class Knowledge(NamedTuple):
    """What the decisions of two partners come to. ``measure`` is in standard deviations of ignorance."""

    measure: float = 0.0
    decisions: int = 0
    best: int = 0


def knowledge(fits: Iterable[Fit]) -> Knowledge:
    """Return by how much these decisions fit better together than chance would have it, and the one that fits best."""
    found = [fit for fit in fits if fit.matters]
    if len(found) < ENOUGH:
        return Knowledge(decisions=len(found))
    measure = sum(fit.rank for fit in found) / sqrt(VARIANCE * len(found))
    return Knowledge(measure, len(found), max(found, key=lambda fit: fit.gain).seq)


def partner_of(state: State, seat: int) -> int | None:
    """Return the seat of the partner, None where everybody plays alone."""
    sides = state.setup.sides
    return next((other for other, side in enumerate(sides) if other != seat and side == sides[seat]), None)


def fitted(state: State, move: Move, seq: int) -> Fit:
    """Compare the partner's hand with others at a decision. The same decision is always judged alike."""
    seat = state.round.to_move
    partner = None if seat is None else partner_of(state, seat)
    if seat is None or partner is None:
        raise ValueError("It is nobody's turn who has a partner.")
    chance = Random(seq)  # noqa: S311 (repeatable on purpose)
    view = view_for(rules_for(state.setup.variant), state, seat)
    made = view.legal.index(move)
    guesses = determinizations(view.rules, view, chance)
    hands = [state.hands[partner], *(guess.hands[partner] for guess in islice(guesses, HANDS))]
    real, *others = [_advantage(values_with(view, partner, hand, chance), made) for hand in hands]
    return Fit(real, tuple(others), seq)


def values_with(view: View, partner: int, hand: Sequence[Tile], chance: Random) -> list[float]:
    """Return what each legal move is worth to whoever looks and knows the partner's hand besides."""
    seats = tuple(replace(each, hand=tuple(hand)) if each.seat == partner else each for each in view.seats)
    return values_in(view, islice(determinizations(view.rules, replace(view, seats=seats), chance), WORLDS), chance)


def values_in(view: View, worlds: Iterator[State], chance: Random) -> list[float]:
    """Return what each legal move is worth on average in positions that the viewer thinks possible."""
    player = player_of(view.rules.key)
    games = [player.simulation(world) for world in worlds]
    return player.gains(games[0].numbered(view.legal), games, view.viewer or 0, chance)


def _advantage(values: Sequence[float], made: int) -> float:
    return values[made] - fmean(values)
