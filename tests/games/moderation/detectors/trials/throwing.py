"""Matches against players who take a move that scores most: of one of them the choices are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean

from games import bots
from games.engine.decide import decide
from games.engine.events import Event
from games.engine.moves import Move
from games.engine.playout import Playout
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.moderation.detectors import throwing
from tests.games.moderation.detectors.trials.rate import Rate, Trial
from tests.games.moderation.detectors.trials.stalling import GAMES

LONG = [game for game in GAMES if game[0] != "rytmino"]
"""A match of Rytmino has too few choices."""
LOST_ON_PURPOSE = 0.85
"""So many of the choices of somebody who throws are the worst; the others are made as by a bot."""
OPINIONS = 3
Policy = Callable[[View, Random], Move]


def trial(count: int, chance: Random, games: Sequence[tuple[str, int]] = LONG) -> Trial:
    """One in three plays as the bots do, one so half of the time, one blindly; then one who throws."""
    policies = (_good, _careless, _blind)
    innocent = sum(
        _alarms(number, policies[number % 3], chance, games[number // 3 % len(games)]) for number in range(count)
    )
    guilty = sum(_alarms(number, _throwing, chance, games[number % len(games)]) for number in range(count))
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _alarms(number: int, policy: Policy, chance: Random, game: tuple[str, int]) -> bool:
    match = Watched(*game, f"throwing-{number}", policy, chance)
    made = throwing.sample(match.run(), [0], number)[0]
    return throwing.loss([throwing.judged(*each) for each in made]).measure >= throwing.THRESHOLD


class Watched(Playout):
    """A match in which the first seat chooses by a policy."""

    def __init__(self, variant: str, seats: int, seed: str, policy: Policy, chance: Random) -> None:
        super().__init__(rules_for(variant), seats, {}, seed, greedy=True)
        self.policy, self.lots = policy, chance

    def _move(self, seat: int) -> None:
        if seat != 0 or len(self.rules.legal_moves(self.state)) == 1:
            super()._move(seat)
        else:
            self._apply(self._chosen(self.state))

    def _chosen(self, state: State) -> tuple[Event, ...]:
        return decide(self.rules, state, 0, self.policy(view_for(self.rules, state, 0), self.lots))


def _good(view: View, chance: Random) -> Move:
    return _ranked(view, chance)[-1]


def _blind(view: View, chance: Random) -> Move:
    return chance.choice(view.legal)


def _careless(view: View, chance: Random) -> Move:
    return chance.choice((_good, _blind))(view, chance)


def _throwing(view: View, chance: Random) -> Move:
    return _ranked(view, chance)[0 if chance.random() < LOST_ON_PURPOSE else -1]


def _ranked(view: View, chance: Random) -> list[Move]:
    """Return the moves, the worst first, as a bot sees them."""
    opinions = [bots.evaluate(view, None, chance.getrandbits(32)) for _opinion in range(OPINIONS)]
    values = dict(zip(view.legal, map(fmean, zip(*opinions, strict=True)), strict=True))
    return sorted(view.legal, key=values.__getitem__)
