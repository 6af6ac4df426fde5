"""Every round of random matches scored a second time, by a naive reading of the rule file."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.events import RoundEnded
from games.engine.evolve import evolve, fold
from games.engine.playout import playout
from games.engine.variants import rules_for
from tests.engine.positions import begun

KOZEL = rules_for("kozel")

Score = tuple[int, bool]  # points, and whether the account is open


def pips_of(hand: tuple[tuple[int, ...], ...]) -> int:
    if hand == ((0, 0),):
        return 10
    return sum(one + other for one, other in hand)


def points_after_round(hands: list[int], *, out: int | None, fish: str, pot: int) -> tuple[list[int], int]:
    """Return the points of each seat and the pot after the round."""
    heaviest = [seat for seat, points in enumerate(hands) if points == max(hands)]
    if out is None and fish == "one":
        if len(heaviest) > 1:
            return [0] * len(hands), pot + sum(hands)
        return [sum(hands) + pot if seat in heaviest else 0 for seat in range(len(hands))], 0
    if len(heaviest) > 1:
        return hands, pot
    return [points + pot if seat in heaviest else points for seat, points in enumerate(hands)], 0


def account_after(score: Score, points: int) -> Score:
    number, is_open = score
    if is_open:
        return number + points, True
    return number + points, points >= 13


TABLES = {"seats": st.sampled_from([2, 3, 4]), "fish": st.sampled_from(["all", "one"]), "seed": st.integers(0, 10**6)}


@settings(max_examples=20, deadline=None)
@given(**TABLES)
def test_kozel_rounds_agree_with_a_naive_reading(seats: int, fish: str, seed: int) -> None:
    events = playout(KOZEL, seats, {"fish": fish}, str(seed))
    state, scores, pot = begun(events[0]), [(0, False)] * seats, 0
    for event in events[1:]:
        if isinstance(event, RoundEnded):
            hands = list(map(pips_of, state.hands))
            out = next((seat for seat, hand in enumerate(state.hands) if not hand), None)
            drawn = out is None and fish == "one" and hands.count(max(hands)) > 1
            assert event.reason == ("out" if out is not None else "fish_drawn" if drawn else "fish")
            points, pot = points_after_round(hands, out=out, fish=fish, pot=pot)
            assert [entry.total for entry in event.points] == points
            assert event.pot == pot
            before, scores = scores, []
            for seat, score in enumerate(before):
                forgets = seat == out or (event.reason == "fish" and fish == "one" and points[seat] == 0)
                scores.append((0, False) if forgets and not score[1] else account_after(score, points[seat]))
            assert [(entry.points, entry.opened) for entry in event.standing] == scores
        state = evolve(state, event)


@settings(max_examples=20, deadline=None)
@given(**TABLES)
def test_kozel_matches_end_as_a_naive_reading_says(seats: int, fish: str, seed: int) -> None:
    state = fold(playout(KOZEL, seats, {"fish": fish}, str(seed)))
    *earlier, accounts = [[entry.points if entry.opened else 0 for entry in ended.standing] for ended in state.rounds]
    assert all(number <= 100 for row in earlier for number in row)
    goats = [seat for seat, number in enumerate(accounts) if number > 100]
    assert goats
    assert state.match_over is not None
    assert list(state.match_over.losers) == goats
    # A tenth of what is left to 100, halves up: (100 - n) / 10 + 1/2 = (105 - n) / 10, rounded down.
    gains = [0 if number > 100 else max(1, (105 - number) // 10) for number in accounts]
    assert [entry.total for entry in state.match_over.rating] == gains
    for seat, place in enumerate(state.match_over.places):
        better = [number for number in accounts if number < min(accounts[seat], 101)]
        assert place == 1 + len(better)
