"""The result of a match that somebody left, worked out by hand for every game.

A case is ``scores -> places``, a seat each: ``30/45*`` had 30 points after the last finished round and has 45 now;
``*`` leaves, ``!`` has left before and a bot plays on. Without ``*`` the match is played to its end. In Kozel the
scores are remembered (``+12``) or open (``=20``), and a place is followed by the rating points: ``1/8``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from games.engine.decide import leave_match
from games.engine.events import MatchEnded, RoundEnded, Standing
from games.engine.rules import Rules
from games.engine.settling import forfeited_seats, settled_standing
from games.engine.state import State
from games.engine.variants import registry, rules_for
from tests.engine.positions import in_round, position, somewhere

HANDS = {"kozel": "6-4", "gamezz": "6-4", "all_fives": "6-4", "triominoes": "0-0-0", "rytmino": "5-4"}

KOZEL = """
=32* =30 -> 2/0 1/1
=32 =30* -> 1/1 2/0
0* 0 -> 2/0 1/1
+12* =13 -> 2/0 1/1
=13* +12 -> 2/0 1/1
=14* 0 -> 2/0 1/1
=15* 0 -> 2/0 1/2
=24* +10 -> 2/0 1/2
=25* 0 -> 2/0 1/3
=40* =40 -> 2/0 1/1
=94* =20 -> 2/0 1/7
=95* =20 -> 2/0 1/8
=96* =91 -> 2/0 1/1
=100* 0 -> 2/0 1/10
=100* =13 -> 2/0 1/9
=30 =32* =13 -> 2/1 3/0 1/2
=13 =30 =32* -> 1/2 2/1 3/0
=50* =20 =20 -> 3/0 1/3 1/3
=20* =50 =20 -> 3/0 2/1 1/1
0* =50 =99 -> 3/0 1/1 2/1
+5* +9 0 -> 3/0 1/1 1/1
=77* +12 =72 -> 3/0 1/8 2/1
=77 +12* =72 -> 2/1 3/0 1/1
=85* =13 =14 -> 3/0 1/7 2/7
=85* =14 =15 -> 3/0 1/7 2/7
=60* =55 =56 -> 3/0 1/1 2/1
=45* =30 0 -> 3/0 2/2 1/5
=32* =30 =13 0 -> 4/0 3/1 2/2 1/3
=90 =80 =70* =60 -> 3/1 2/1 4/0 1/1
=90* =80 =70 =60 -> 4/0 3/1 2/2 1/3
=90* =85 =75 =65 -> 4/0 3/1 2/2 1/3
=90* =20 =20 =20 -> 4/0 1/7 1/7 1/7
=90* =20 =20 +9 -> 4/0 2/7 2/7 1/9
0* 0 0 0 -> 4/0 1/1 1/1 1/1
=19 =29 =39 =49* -> 1/3 2/2 3/1 4/0
=19* =29 =39 =49 -> 4/0 1/1 2/1 3/1
=99* =98 =13 +12 -> 4/0 3/1 2/9 1/10
+1 +2 =64* +3 -> 1/6 1/6 4/0 1/6
=65* +1 =15 =25 -> 4/0 1/7 2/5 3/4
=50! =30* =10 -> 3/0 2/0 1/2
=10! =30* =50 -> 2/0 3/0 1/1
=10! =30* =50 =20 -> 3/0 4/0 2/1 1/1
=10! =30! =80* =20 -> 2/0 3/0 4/0 1/6
=101 =30! =13 -> 2/0 3/0 1/9
=101! =30 =13 -> 3/0 2/7 1/9
=120 =30! =110 =13 -> 2/0 4/0 2/0 1/9
=105! =101 =50 0 -> 4/0 3/0 2/5 1/10
"""

GAMEZZ = """
10* 20 -> 2 1
20 10* -> 1 2
0* 0 -> 2 1
99* 1 -> 2 1
1 99* -> 1 2
50* 50 -> 2 1
0 100* -> 1 2
100* 100 -> 2 1
30* 20 10 -> 3 2 1
30 20* 10 -> 2 3 1
30 20 10* -> 2 1 3
10* 20 30 -> 3 1 2
10 20* 30 -> 1 3 2
20* 20 20 -> 3 1 1
20 20* 30 -> 1 3 2
20 30* 20 -> 1 3 1
0* 0 0 -> 3 1 1
90* 0 91 -> 3 1 2
40* 30 20 10 -> 4 3 2 1
40 30* 20 10 -> 3 4 2 1
40 30 20* 10 -> 3 2 4 1
40 30 20 10* -> 3 2 1 4
10* 20 30 40 -> 4 1 2 3
5 5* 5 5 -> 1 4 1 1
5 6 6 9* -> 1 2 2 4
6 6 5* 9 -> 1 1 4 3
9* 0 9 0 -> 4 1 3 1
100* 99 98 97 -> 4 3 2 1
0! 40* 20 -> 2 3 1
60! 40* 20 -> 3 2 1
0! 40* 20 30 -> 3 4 1 2
0! 10! 20* 99 -> 2 3 4 1
50 0! 20* 60 -> 1 3 4 2
101 0! -> 1 2
101! 0 -> 2 1
101 50! 20 -> 2 3 1
101! 50 20 -> 3 2 1
110 0! 105 50 -> 3 4 2 1
101 101! 101 7 -> 2 4 2 1
0! 5! 10 101 -> 3 4 1 2
"""

MORE_IS_BETTER = """
10* 20 -> 2 1
20* 10 -> 2 1
10 20* -> 1 2
0* 0 -> 2 1
5 5* -> 1 2
10/90* 20/20 -> 2 1
20/20 0/150* -> 1 2
0/0* 0/40 -> 2 1
30* 20 10 -> 3 1 2
30 20* 10 -> 1 3 2
30 20 10* -> 1 2 3
10 20 30* -> 2 1 3
20 20 20* -> 1 1 3
20 5* 20 -> 1 3 1
0* 0 0 -> 3 1 1
30/30 20/60 10* -> 1 2 3
30/30 30/60 10* -> 1 1 3
0/99 0/1 0/0* -> 1 1 3
50/20 40/45 60* -> 1 2 3
5/80* 10/10 15/11 -> 3 2 1
40* 30 20 10 -> 4 1 2 3
40 30* 20 10 -> 1 4 2 3
40 30 20* 10 -> 1 2 4 3
40 30 20 10* -> 1 2 3 4
7 7 7 7* -> 1 1 1 4
7 7* 8 8 -> 3 4 1 1
0/50 1/0 2/90 3/100* -> 3 2 1 4
9/9 9/50 9/0 9* -> 1 1 1 4
1/70* 2/60 3/50 4/40 -> 4 3 2 1
60! 40* 20 -> 2 3 1
40! 60* 20 -> 3 2 1
60! 40* 20 30 -> 3 4 2 1
60! 50! 40* 1 -> 2 3 4 1
10/90! 20/5* 30/0 -> 3 2 1
"""

PARTNERS = """
100* 50 -> 4 2 1 2
100 50* -> 1 4 1 3
50* 100 -> 4 1 3 1
50 100* -> 2 4 2 1
70* 70 -> 4 1 1 1
70/200* 70/70 -> 4 1 1 1
60/200* 70/70 -> 4 1 3 1
70/0 60/100* -> 1 4 1 3
0* 0 -> 4 1 1 1
-20* -30 -> 4 2 1 2
"""

PLAYED_OUT = {
    "all_fives": """
        205 100! -> 1 2
        205! 100 -> 2 1
        205 100! 90 -> 1 3 2
        205! 100 90 -> 3 1 2
        205 100! 90 90 -> 1 4 2 2
        205! 10! 90 50 -> 3 4 1 2
    """,
    "triominoes": """
        420 100! -> 1 2
        420! 100 -> 2 1
        420 100! 90 -> 1 3 2
        420! 100 90 -> 3 1 2
        420 100! 90 90 -> 1 4 2 2
        420! 10! 90 50 -> 3 4 1 2
    """,
    "rytmino": """
        60 50! -> 1 2
        60! 50 -> 2 1
        60 50! 40 -> 1 3 2
        60! 50 40 -> 3 1 2
        60 50! 40 40 -> 1 4 2 2
        60! 10! 40 30 -> 3 4 1 2
    """,
}


def standing_of(rules: Rules, text: str) -> Standing:
    text = text.rstrip("*!")
    return rules.read_standing(text if rules.key == "kozel" else int(text))


def result(variant: str, scores: list[str], *, partners: bool = False) -> MatchEnded:
    """Return the end of a match in the second round of which these are the scores."""
    rules = rules_for(variant)
    halves = [score.partition("/")[::2] for score in scores]
    before = [standing_of(rules, one) for one, _now in halves]
    now = tuple(standing_of(rules, now or one) for one, now in halves)
    options = {"partners": "yes"} if partners else None
    state = position(
        rules,
        hands=[HANDS[variant]] * (4 if partners else len(scores)),
        standing=[rules.standing_data(standing) for standing in before],
        options=options,
    )
    gone = tuple(seat for seat, score in enumerate(scores) if score.endswith("!"))
    state = replace(state, standing=now, absent=gone, forfeited=gone)
    leaving = [seat for seat, score in enumerate(scores) if score.endswith("*")]
    if leaving:
        (event,) = leave_match(rules, state, leaving[0], "left")
    else:
        event = played_out(rules, state)
    assert isinstance(event, MatchEnded)
    return event


def played_out(rules: Rules, state: State) -> MatchEnded | None:
    """Return the end after a round that seat 0 has won, the last of the match."""
    over = RoundEnded(2, "target", 0, "", (), state.standing, state.standing, (), 0, None)
    return rules.match_end_after_round(in_round(state, peak=420, to_move=None, over=over))


def kozel_results(scores: list[str]) -> str:
    ended = result("kozel", scores)
    return " ".join(f"{place}/{points.total}" for place, points in zip(ended.places, ended.rating, strict=True))


def places_of(variant: str, scores: list[str], *, partners: bool = False) -> str:
    return " ".join(map(str, result(variant, scores, partners=partners).places))


def wrong_cases(text: str, judge: Callable[[list[str]], str]) -> list[str]:
    """Return the cases whose result is another than the one worked out by hand, with that result."""
    cases = [line.strip().partition(" -> ") for line in text.splitlines() if line.strip()]
    judged = [(scores, expected, judge(scores.split())) for scores, _, expected in cases]
    return [f"{scores} -> {got}, not {expected}" for scores, expected, got in judged if got != expected]


def test_match_of_kozel_is_settled_by_accounts_with_rating_points() -> None:
    assert wrong_cases(KOZEL, kozel_results) == []


def test_match_of_classic_goat_is_settled_by_the_fewest_points() -> None:
    assert wrong_cases(GAMEZZ, partial(places_of, "gamezz")) == []


@pytest.mark.parametrize("variant", PLAYED_OUT)
def test_other_matches_are_settled_by_the_most_points(variant: str) -> None:
    assert wrong_cases(MORE_IS_BETTER + PLAYED_OUT[variant], partial(places_of, variant)) == []


def test_partners_are_settled_by_the_points_of_their_side() -> None:
    """The scores are those of the sides. Seat 0 or 1 leaves; the partner is placed by the points of the side."""
    assert wrong_cases(PARTNERS, partial(places_of, "all_fives", partners=True)) == []


@pytest.mark.parametrize("variant", registry())
def test_nobody_present_gets_less_than_the_standing_says(variant: str) -> None:
    rules, chance = rules_for(variant), Random(variant)
    for seed in range(40):
        seats = chance.choice(rules.seat_counts)
        state = somewhere(rules, seed, seats, chance.randrange(30))
        merits = [rules.merit(standing) for standing in settled_standing(state, rules.settling_version)]
        leaver = chance.randrange(seats)
        (event,) = leave_match(rules, state, leaver, "timeout")
        assert isinstance(event, MatchEnded)
        for seat in set(range(seats)) - {leaver}:
            ahead = sum(merit > merits[state.setup.sides[seat]] for merit in [merits[s] for s in state.setup.sides])
            assert event.places[seat] <= 1 + ahead
        assert event.places[leaver] == max(event.places) == seats


@pytest.mark.parametrize("variant", registry())
def test_a_match_of_older_rules_is_settled_as_it_was(variant: str) -> None:
    rules = rules_for(variant)
    state = position(rules, hands=[HANDS[variant]] * 2, standing=["=13", "=14"] if variant == "kozel" else [13, 14])
    older = replace(state, setup=replace(state.setup, rules_version=rules.settling_version - 1), forfeited=(0,))
    assert forfeited_seats(older, rules.settling_version) == ()
    assert settled_standing(replace(older, standing=(Standing(50, True),) * 2), rules.settling_version)[0].points == 50
