"""Write games/bots/winning_chances.json: the chance to win a match at each score, from matches between bots.

``python scripts/winning_chances.py [VARIANT ...] [--matches 4000] [--test]`` plays matches at every table in which all
bots make their first choice, without looking ahead. It fits a model (``games/bots/winning.py``) to four fifths of them
and prints its error on the last fifth: the mean difference between stated chance and share of wins, in ten groups of
scores. ``--test`` writes nothing and prints the error of the stored models on new matches.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import log
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.bots import deal_next_round
from games.bots import bot_for_variant
from games.bots.winning import (
    FEATURES,
    MODELS_FILE,
    ChanceModel,
    distance_to_end,
    model_key,
    model_of,
    side_features,
    side_shares,
    winning_chances,
)
from games.engine.decide import new_match
from games.engine.evolve import start_state
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry

SOFTENINGS = (0.3, 1.0, 5.0, 20.0, 40.0, 80.0, 160.0)
EXPONENTS = (0.5, 0.75, 1.0)
TEST_SHARE = 5  # every fifth match tests the model
SEARCH_SCORES = 4000  # scores that decide on softening and exponent; with fewer, they follow chance
NEWTON_STEPS = 5
RIDGE = 1e-3  # keeps weights finite that the matches do not determine
GROUPS = 10
MAX_ROUNDS = 200
BISECTIONS = 20


class Score(NamedTuple):
    """A score between two rounds, and the share of each side in the end that decided the match.

    ``goats`` is the number of players who became the goat.
    """

    features: tuple[tuple[float, ...], ...]
    distance: float
    shares: tuple[float, ...]
    goats: float


def play_match(rules: Rules, start: State, random: Random) -> list[Score]:
    """Return the scores of a match between bots."""
    player, state, scores = bot_for_variant(rules.key), start, list[tuple[tuple[tuple[float, ...], ...], float]]()
    while state.match_over is None and len(scores) < MAX_ROUNDS:
        scores.append((tuple(side_features(state)), distance_to_end(rules, state)))
        game = player.simulation(deal_next_round(rules, state, random))
        while not game.over:
            game.make_move(player.rollout_move(game, random))
        state = game.final_state()
    if state.match_over is None:
        return []
    shares, goats = deciding_shares(rules, state)
    return [Score(features, distance, shares, goats) for features, distance in scores]


def deciding_shares(rules: Rules, state: State) -> tuple[tuple[float, ...], float]:
    """Return the share of each side in the win, or in being the goat, and the number of winners or goats."""
    sides = state.setup.sides
    chances = dict(zip(sides, winning_chances(state), strict=True))
    shares = [1 - chances[side] if rules.are_points_bad else chances[side] for side in sorted(chances)]
    return tuple(share / sum(shares) for share in shares), sum(shares)


def fit(scores: Sequence[Score]) -> ChanceModel:
    """Return the model under which the matches are likeliest."""
    sample = scores[:: max(1, len(scores) // SEARCH_SCORES)]
    candidates = [fit_weights(sample, *shape) for shape in product(SOFTENINGS, EXPONENTS)]
    best = min(candidates, key=lambda model: log_loss(model, sample))
    model = fit_weights(scores, best.softening, best.exponent)
    return model._replace(goats=fit_goats(model, scores))


def fit_goats(model: ChanceModel, scores: Sequence[Score]) -> float:
    """Return the exponent with which the stated numbers of goats are right on average, by bisection."""
    shares = [side_shares(model, score.features, score.distance) for score in scores]
    goats, low, high = sum(score.goats for score in scores), 1.0, 4.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        stated = sum(1 - (1 - share) ** middle for row in shares for share in row)
        low, high = (middle, high) if stated < goats else (low, middle)
    return round(low, 4)


def fit_weights(scores: Sequence[Score], softening: float, exponent: float) -> ChanceModel:
    """Return the best weights by Newton's method."""
    weights = [0.0] * len(FEATURES)
    for _ in range(NEWTON_STEPS):
        gradient, curvature = derivatives(scores, ChanceModel(softening, exponent, tuple(weights)))
        step = solve(curvature, [slope - RIDGE * weight for slope, weight in zip(gradient, weights, strict=True)])
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
    return ChanceModel(softening, exponent, tuple(weights))


def derivatives(scores: Sequence[Score], model: ChanceModel) -> tuple[list[float], list[list[float]]]:
    """Return the gradient and the negative second derivatives of the log likelihood."""
    size = range(len(FEATURES))
    gradient = [0.0 for _ in size]
    curvature = [[RIDGE * (row == column) for column in size] for row in size]
    for score in scores:
        scale = (score.distance + model.softening) ** model.exponent
        stated = side_shares(model, score.features, score.distance)
        means = [sum(share * row[index] for share, row in zip(stated, score.features, strict=True)) for index in size]
        for share, actual, row in zip(stated, score.shares, score.features, strict=True):
            centred = [(index, (row[index] - means[index]) / scale) for index in size if row[index] != means[index]]
            for index, value in centred:
                gradient[index] += (actual - share) * value
                for other, other_value in centred:
                    curvature[index][other] += share * value * other_value
    return gradient, curvature


def solve(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    """Solve a small system of linear equations with a positive matrix by elimination.

    >>> solve([[2.0, 0.0], [1.0, 4.0]], [2.0, 5.0])
    [1.0, 1.0]
    """
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    for pivot, row in enumerate(rows):
        for other in rows:
            if other is not row and (factor := other[pivot] / row[pivot]):
                other[:] = [value - factor * own for value, own in zip(other, row, strict=True)]
    return [row[-1] / row[index] for index, row in enumerate(rows)]


def log_loss(model: ChanceModel, scores: Sequence[Score]) -> float:
    """Return the mean surprise at the ends of the matches."""
    total = 0.0
    for score in scores:
        stated = side_shares(model, score.features, score.distance)
        total -= sum(actual * log(max(share, 1e-9)) for share, actual in zip(stated, score.shares, strict=True))
    return total / len(scores)


def error_of(model: ChanceModel, scores: Sequence[Score]) -> float:
    """Return the mean difference between stated and actual results in groups of like chances."""
    pairs = [
        (1 - (1 - stated) ** model.goats, actual * score.goats)
        for score in scores
        for stated, actual in zip(side_shares(model, score.features, score.distance), score.shares, strict=True)
    ]
    pairs.sort(key=itemgetter(0))
    size = max(1, len(pairs) // GROUPS)
    groups = [pairs[first : first + size] for first in range(0, len(pairs), size)]
    total: float = sum(abs(sum(stated - actual for stated, actual in group)) for group in groups)
    return total / len(pairs)


def tables(rules: Rules) -> Iterator[tuple[str, State]]:
    """Yield the start of a match at one table for each model, with its key."""
    keys = set()
    for seats in rules.seat_counts:
        free = [option for option in rules.options if not option.seats or seats in option.seats]
        for choices in product(*(option.choices for option in free)):
            options = {option.name: choice for option, choice in zip(free, choices, strict=True)}
            state = start_state(new_match(rules, seats, options))
            if rules.length(state) == 1:
                continue  # the first score is that of the end
            key = model_key(state.setup, rules.length(state) is not None)
            if key not in keys:
                keys.add(key)
                yield key, state


def self_play(rules: Rules, start: State, matches: int, seed: str) -> list[list[Score]]:
    random = Random(seed)  # noqa: S311 (repeatable on purpose)
    return [play_match(rules, start, random) for _ in range(matches)]


def model_data(rules: Rules, key: str, start: State, matches: int) -> Mapping[str, object]:
    """Fit the model of a table, print its error and return it as JSON data."""
    played = self_play(rules, start, matches, key)
    training = [score for number, match in enumerate(played) if number % TEST_SHARE for score in match]
    test = [score for match in played[::TEST_SHARE] for score in match]
    model = fit(training)
    error = error_of(model, test)
    print(f"{key}: {len(training)} scores, error {error:.1%}, surprise {log_loss(model, test):.3f}", flush=True)
    return {
        "softening": model.softening,
        "exponent": model.exponent,
        "weights": [round(weight, 5) for weight in model.weights],
        "goats": model.goats,
        "matches": matches,
        "error": round(error, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("variant", nargs="*", metavar="VARIANT", help="all games by default")
    parser.add_argument("--matches", type=int, default=4000, help="matches at each table")
    parser.add_argument("--test", action="store_true", help="test the stored models")
    arguments = parser.parse_args()
    models = json.loads(MODELS_FILE.read_text()) if MODELS_FILE.exists() else {}
    for rules in [registry()[key] for key in arguments.variant or registry()]:
        for key, start in tables(rules):
            if arguments.test:
                played = self_play(rules, start, arguments.matches, f"test {key}")
                model = model_of(start.setup, rules.length(start) is not None)
                print(f"{key}: error {error_of(model, [score for match in played for score in match]):.1%}")
            else:
                models[key] = model_data(rules, key, start, arguments.matches)
                rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(models[name])}" for name in sorted(models))
                MODELS_FILE.write_text(f"{{\n{rows}\n}}\n")


if __name__ == "__main__":
    main()
