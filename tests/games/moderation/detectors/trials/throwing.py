"""The choices of one player in matches against greedy players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean

from games import bots
from games.engine.decide import decide
from games.engine.moves import Move
from games.engine.playout import Playout
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.moderation.detectors import throwing
from tests.games.moderation.detectors.trials.rate import Rate, Trial
from tests.games.moderation.detectors.trials.stalling import GAMES

LONG = [game for game in GAMES if game[0] != "rytmino"]  # a match of Rytmino has too few choices
LOST_ON_PURPOSE = 0.85  # share of worst moves of somebody who throws; the others are a bot's
OPINIONS = 3
Policy = Callable[[View, Random], Move]


def trial(count: int, chance: Random, games: Sequence[tuple[str, int]] = LONG) -> Trial:
    """Try players who choose like bots, half of the time like bots, and randomly, then players who throw."""
    policies = (_good, _careless, _blind)
    innocent = sum(
        _alarms(number, policies[number % 3], chance, games[number // 3 % len(games)]) for number in range(count)
    )
    guilty = sum(_alarms(number, _throwing, chance, games[number % len(games)]) for number in range(count))
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _alarms(number: int, policy: Policy, chance: Random, game: tuple[str, int]) -> bool:
    match = Watched(*game, f"throwing-{number}", policy, chance)
    decisions = throwing.sample_decisions(match.play_match(), [0], number)[0]
    return (
        throwing.measure_loss([throwing.judge_decision(*decision) for decision in decisions]).measure
        >= throwing.THRESHOLD
    )


class Watched(Playout):
    """A match in which the first seat chooses by a policy."""

    def __init__(self, variant: str, seats: int, seed: str, policy: Policy, chance: Random) -> None:
        super().__init__(rules_for(variant), seats, {}, seed, greedy=True)
        self.policy, self.policy_random = policy, chance

    def _move(self, seat: int) -> None:
        if seat != 0 or len(self.rules.legal_moves(self.state)) == 1:
            super()._move(seat)
        else:
            move = self.policy(view_for(self.rules, self.state, 0), self.policy_random)
            self._apply(decide(self.rules, self.state, 0, move))


def _good(view: View, chance: Random) -> Move:
    return _ranked(view, chance)[-1]


def _blind(view: View, chance: Random) -> Move:
    return chance.choice(view.legal)


def _careless(view: View, chance: Random) -> Move:
    return chance.choice((_good, _blind))(view, chance)


def _throwing(view: View, chance: Random) -> Move:
    return _ranked(view, chance)[0 if chance.random() < LOST_ON_PURPOSE else -1]


def _ranked(view: View, chance: Random) -> list[Move]:
    """Return the moves, the worst first, in the opinion of a bot."""
    opinions = [bots.evaluate_moves(view, None, chance.getrandbits(32)) for _opinion in range(OPINIONS)]
    values = dict(zip(view.legal, map(fmean, zip(*opinions, strict=True)), strict=True))
    return sorted(view.legal, key=values.__getitem__)
