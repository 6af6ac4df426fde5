"""The chance of each seat to win a match, from the score between two rounds.

``winning_chances.json`` has one model for each table: a choice of game, seats and options. A side has a strength, a
weighted sum of its features. The strengths count more the closer the match is to its end. In games of the goat the
model says who becomes the goat, in the others who finishes first. ``scripts/winning_chances.py`` fits the models to
matches between bots.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import exp
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from games.engine.events import MatchEnded, Standing
from games.engine.rules import Rules
from games.engine.state import Setup, State
from games.engine.variants import rules_for

MODELS_FILE = Path(__file__).parent / "winning_chances.json"
# The features of a side: points of an account, remembered points, whether its account is open, whether it leads next.
FEATURES = ("points", "remembered", "opened", "leads")


class ChanceModel(NamedTuple):
    """The model of a table. ``weights`` belong to ``FEATURES``.

    A strength is divided by ``(distance + softening) ** exponent``. The distance is that to the end of the match.
    ``goats`` is 1, and more in games in which several players may become the goat together.
    """

    softening: float
    exponent: float
    weights: tuple[float, ...]
    goats: float = 1.0


def winning_chances(state: State) -> list[float]:
    """Return the chance of each seat to win; ``state`` is one after a round or after the match."""
    setup = state.setup
    if state.match_over is not None:
        return final_chances(state.match_over, setup.sides)
    rules = rules_for(setup.variant)
    model = model_of(setup, rules.length(state) is not None)
    shares = side_shares(model, side_features(state), distance_to_end(rules, state))
    if rules.are_points_bad:
        return [(1 - shares[side]) ** model.goats for side in setup.sides]
    shares = _without_forfeited(shares, state)
    return [shares[side] for side in setup.sides]


def final_chances(match_end: MatchEnded, sides: Sequence[int]) -> list[float]:
    """Return 1 for winners and 0 for others. Sides that share the first place share the win.

    Where somebody loses, as the goat in Kozel and Classic goat, everybody else has won.
    """
    if match_end.losers:
        return [float(seat not in match_end.losers) for seat in range(len(sides))]
    winners = {side for side, place in zip(sides, match_end.places, strict=True) if place == 1}
    return [(place == 1) / len(winners) for place in match_end.places]


def side_shares(model: ChanceModel, features: Sequence[Sequence[float]], distance: float) -> list[float]:
    """Return the chance of each side to be the one that decides the match.

    >>> side_shares(ChanceModel(0.0, 0.5, (0.1, 0, 0, 0)), [(30, 0, 1, 0), (30, 0, 1, 0)], 25.0)
    [0.5, 0.5]
    """
    scale = (distance + model.softening) ** model.exponent
    strengths = [sum(map(mul, model.weights, row)) / scale for row in features]
    highest = max(strengths)
    weights = [exp(strength - highest) for strength in strengths]
    return [weight / sum(weights) for weight in weights]


def side_features(state: State) -> list[tuple[float, ...]]:
    """Return the ``FEATURES`` of each side."""
    leader = None if state.lead is None else state.setup.sides[state.lead]
    return [_features(standing, side == leader) for side, standing in enumerate(state.standing)]


def _features(standing: Standing, leads: bool) -> tuple[float, ...]:
    if standing.opened:
        return float(standing.points), 0.0, 1.0, float(leads)
    return 0.0, float(standing.points), 0.0, float(leads)


def distance_to_end(rules: Rules, state: State) -> float:
    """Return the points that the foremost side lacks, or the rounds that are left where their number is fixed."""
    length, target = rules.length(state), rules.target(state)
    if length is not None:
        return length - state.round.number
    front = max((standing.points for standing in state.standing if standing.opened), default=0)
    return max(0.0, (target or 0) - front)


def _without_forfeited(shares: Sequence[float], state: State) -> list[float]:
    """Share the chance of sides whose people have all left among the others: they rank last."""
    playing = {side for seat, side in enumerate(state.setup.sides) if seat not in state.forfeited}
    if not state.forfeited or not playing:
        return list(shares)
    total = sum(shares[side] for side in playing)
    return [share / total if side in playing else 0.0 for side, share in enumerate(shares)]


def model_key(setup: Setup, is_length_fixed: bool) -> str:
    """Return the name of the model of a table.

    The target is no part of it, nor is a quick match that only has a lower one: the distance to the end covers both.
    """
    ignored = {"target", "deals"} | (set() if is_length_fixed else {"length"})
    options = [f"{name}={choice}" for name, choice in sorted(setup.options) if name not in ignored]
    return " ".join([setup.variant, str(setup.seats), *options])


@lru_cache(maxsize=256)
def model_of(setup: Setup, is_length_fixed: bool) -> ChanceModel:
    """Raises ``KeyError`` for a table without a model."""
    data = load_models()[model_key(setup, is_length_fixed)]
    return ChanceModel(data["softening"], data["exponent"], tuple(data["weights"]), data["goats"])


@cache
def load_models() -> Mapping[str, Any]:
    models: Mapping[str, Any] = json.loads(MODELS_FILE.read_text())
    return models
