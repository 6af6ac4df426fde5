"""How far bots stand above random play on the scale of ratings: ``python -m benchmarks.bot_ratings [VARIANT]``.

Five players meet in whole matches of two and four: one that moves at random, one that is the bot of the site, and
three that think about a quarter, half and three quarters of their choices, so that neighbours win against each other
now and then. They are rated as people are. Only differences are printed: where people stand, only people can tell.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from statistics import fmean

from benchmarks.bots import MOST_HANDS, dealt_round, played_round, thought
from games.engine.decide import new_match
from games.engine.evolve import start_state
from games.engine.moves import Move
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry
from games.ratings.skill import SCALE, Skill, rated

SHARES = 0.0, 0.25, 0.5, 0.75, 1.0
"""Of their choices, how many each player thinks about."""
SEATS = 2, 4
SETTLING = 3
"""The first of so many parts of the matches is not looked at."""


def places_of(rules: Rules, shares: Sequence[float], random: Random) -> tuple[int, ...]:
    """Play a match and return the places."""

    def chosen(state: State) -> Move:
        moves = rules.legal_moves(state)
        if len(moves) == 1 or random.random() >= shares[state.round.to_move or 0]:
            return random.choice(moves)
        return thought(rules, state, random, [])

    state = start_state(new_match(rules, len(shares), {}))
    for _hand in range(MOST_HANDS):
        state = played_round(rules, dealt_round(rules, state, random), chosen)
        if state.match_over:
            return state.match_over.places
    raise RuntimeError("the match does not end")


def measured(rules: Rules, matches: int, random: Random) -> list[float]:
    """Return the ratings of the players in points above the first, each in the mean of the later matches."""
    skills, above = [Skill()] * len(SHARES), []
    for number in range(matches):
        players = random.sample(range(len(SHARES)), SEATS[number % len(SEATS)])
        places = places_of(rules, [SHARES[player] for player in players], random)
        after = rated([[skills[player]] for player in players], places, [[1.0]] * len(players))
        for player, (skill,) in zip(players, after, strict=True):
            skills[player] = skill
        if number >= matches // SETTLING:
            above.append([SCALE * (skill.mu - skills[0].mu) for skill in skills])
    return [fmean(each) for each in zip(*above, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", choices=sorted(registry()))
    parser.add_argument("--matches", type=int, default=300, help="of each of three runs")
    given = parser.parse_args()
    for rules in [registry()[given.variant]] if given.variant else registry().values():
        runs = [measured(rules, given.matches, Random(f"{rules.key} {run}")) for run in range(3)]
        steps = ", ".join(
            f"{share:.0%}: {fmean(each):.0f}" for share, each in zip(SHARES, zip(*runs, strict=True), strict=True)
        )
        whole = ", ".join(f"{run[-1]:.0f}" for run in sorted(runs, key=lambda run: run[-1]))
        print(f"{rules.key}: points above random play: {steps}; the bot in each run: {whole}", flush=True)


if __name__ == "__main__":
    main()
