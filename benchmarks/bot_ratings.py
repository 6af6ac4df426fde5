"""How far apart the levels of the bots stand: ``python -m benchmarks.bot_ratings [VARIANT] [--matches 1000]``.

Whole matches of two, the seats in turn: random play against the weakest level, then each level against the next. A
share of matches won becomes rating points on the scale of people, on which 200 points win two matches in three, and
the points add up. Every figure comes with its 95 % interval, and every step with the probability (one-sided, normal
approximation) that players of the same strength would have won so many. Where people stand, only people can tell.
"""

from __future__ import annotations

import argparse
from math import erfc, log, log2, sqrt
from random import Random
from typing import NamedTuple

from benchmarks.bots import MOST_HANDS, dealt_round, played_round, thought
from games.bots.levels import LEVELS
from games.engine.decide import new_match
from games.engine.evolve import start_state
from games.engine.moves import Move
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry

RANDOM = "random play"
DOUBLES_ODDS = 200
"""Rating points that win two matches in three."""
CERTAIN = 1.96


class Step(NamedTuple):
    """How many matches the stronger of two neighbours won, a draw as half of one."""

    won: float
    matches: int

    @property
    def share(self) -> float:
        """Of the matches; never none or all, of which no rating can be told (Agresti and Coull)."""
        return (self.won + 2) / (self.matches + 4)

    @property
    def points(self) -> float:
        """Rating points between the two."""
        return DOUBLES_ODDS * log2(self.share / (1 - self.share))

    @property
    def error(self) -> float:
        """The standard error of the points."""
        return DOUBLES_ODDS / log(2) / sqrt((self.matches + 4) * self.share * (1 - self.share))

    @property
    def chance(self) -> float:
        """The probability that players of the same strength win so many."""
        return erfc((self.won - self.matches / 2) / sqrt(self.matches / 2)) / 2


def places_of(rules: Rules, levels: tuple[str, str], random: Random) -> tuple[int, ...]:
    """Play a match and return the places."""

    def chosen(state: State) -> Move:
        level = levels[state.round.to_move or 0]
        moves = rules.legal_moves(state)
        if level == RANDOM or len(moves) == 1:
            return random.choice(moves)
        return thought(rules, state, random, [], level)

    state = start_state(new_match(rules, len(levels), {}))
    for _hand in range(MOST_HANDS):
        state = played_round(rules, dealt_round(rules, state, random), chosen)
        if state.match_over:
            return state.match_over.places
    raise RuntimeError("the match does not end")


def step(rules: Rules, stronger: str, weaker: str, matches: int, random: Random) -> Step:
    """Let two levels meet in so many matches."""
    won = 0.0
    for number in range(matches):
        seat = number % 2
        places = places_of(rules, (weaker, stronger) if seat else (stronger, weaker), random)
        won += (1 + (places[seat] < places[1 - seat]) - (places[seat] > places[1 - seat])) / 2
    return Step(won, matches)


def report(rules: Rules, matches: int) -> None:
    """Print a line for each level."""
    points, variance = 0.0, 0.0
    for weaker, stronger in zip((RANDOM, *LEVELS), LEVELS, strict=False):
        found = step(rules, stronger, weaker, matches, Random(f"{rules.key} {stronger}"))
        points, variance = points + found.points, variance + found.error**2
        print(
            f"{rules.key:>11} {stronger:>9}: {points:5.0f} ± {CERTAIN * sqrt(variance):.0f} points above {RANDOM}; "
            f"{found.won:g} of {matches} against {weaker}, {found.points:.0f} ± {CERTAIN * found.error:.0f} points, "
            f"p = {found.chance:.1g}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", choices=sorted(registry()))
    parser.add_argument("--matches", type=int, default=1000, help="of each two neighbours")
    given = parser.parse_args()
    for rules in [registry()[given.variant]] if given.variant else registry().values():
        report(rules, given.matches)


if __name__ == "__main__":
    main()
