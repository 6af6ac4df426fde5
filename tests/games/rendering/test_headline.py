"""The end of a match, as each viewer reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.decide import leave_match, new_match, set_standing, stop_match
from games.engine.events import MatchEnded, Points, RoundEnded
from games.engine.evolve import evolve, start_state
from games.engine.state import State
from games.engine.variants import rules_for
from games.match.table import AgreedTerms, MatchSummary
from games.rendering.headline import outcome_text, result_headline
from games.words.lookup import words_for
from tests.games.rendering.positions import (
    FOUR_HANDS,
    RULES,
    WORDS,
    after,
    dealt,
    played,
    seen,
    table_at,
    table_of,
    texts,
    zones,
)

OVER = table_of(status="finished", rated=False, summary=MatchSummary(duration_minutes=14, drawn=7, best=(2, 35)))


def match_with_score(*standing: str) -> State:
    """Return a match of Kozel that ends with this score."""
    state = start_state(new_match(RULES, 4, {}))
    state = after(state, *set_standing(RULES, state, standing, None))
    over = RULES.match_end_after_round(state)
    assert over is not None
    return evolve(state, over)


ENDED = match_with_score("=20", "0", "=31", "=106")


@pytest.mark.parametrize(
    ("seat", "title", "outcome"),
    [
        (0, "2nd place", "Alex wins. Serg is the goat."),
        (1, "You won!", "Serg is the goat."),
        (2, "3rd place", "Alex wins. Serg is the goat."),
        (3, "You are the goat", "Alex wins."),
        (None, "Alex wins", "Serg is the goat."),
    ],
)
def test_headline_addresses_each_viewer(seat: int | None, title: str, outcome: str) -> None:
    result = zones(ENDED, seat, OVER)["result"]
    won = " won" if seat == 1 else ""
    assert f'<h2 class="headline{won}">{title}</h2>' in result
    assert f'<p class="outcome">{outcome}</p>' in result


def test_two_goats_are_named_as_two() -> None:
    two = match_with_score("=104", "0", "=31", "=106")
    assert "You are a goat" in zones(two, 0, OVER)["result"]
    assert '<p class="outcome">Alex wins. You and Serg are goats.</p>' in zones(two, 0, OVER)["result"]
    assert "Masha and Serg are goats." in zones(two, 1, OVER)["result"]


def test_one_of_three_goats_reads_the_other_names_in_a_list() -> None:
    three = match_with_score("=104", "0", "=112", "=106")
    assert "You, Olya and Serg are goats." in zones(three, 0, OVER)["result"]
    assert "Masha, Olya and Serg are goats." in zones(three, 1, OVER)["result"]


def test_partners_win_and_lose_as_a_side() -> None:
    rules, words = rules_for("all_fives"), words_for("all_fives", "en")
    options = {option.name: option.default for option in rules.options} | {"partners": "yes"}
    table = replace(table_of(), agreed=AgreedTerms("all_fives", tuple(sorted(options.items()))))
    over = MatchEnded("finished", None, "", (1, 2, 1, 2), (), ())
    assert [result_headline(table, over, seat, words) for seat in (0, 1, 2, None)] == [
        "Your side won!",
        "Your side lost",
        "Your side won!",
        "Masha and Olya win",
    ]


@pytest.mark.parametrize(
    ("places", "points", "seat", "text"),
    [
        ((2, 1), (35, 250), 0, "Alex wins with 250 points."),
        ((2, 1), (35, 250), 1, "Final score: 250 points."),
        ((2, 1), (35, 1), None, "Final score: 1 point."),
        ((1, 1, 3), (70, 70, 10), 2, "Masha and Alex share first place with 70 points."),
    ],
)
def test_the_winners_score_is_named(
    places: tuple[int, ...], points: tuple[int, ...], seat: int | None, text: str
) -> None:
    rules = rules_for("all_fives")
    state = start_state(new_match(rules, len(places), {}))
    state = after(state, *set_standing(rules, state, points, None))
    over = MatchEnded("finished", None, "", places, (), ())
    table = table_of(len(places), variant="all_fives", options=state.setup.options)
    assert outcome_text(table, seen(state, seat), over, seat, words_for("all_fives", "en")) == text


def test_a_tie_and_a_match_of_two() -> None:
    tied = MatchEnded("finished", None, "", (1, 1, 3, 4), (), ())
    assert [result_headline(table_of(), tied, seat, WORDS) for seat in (0, 2, None)] == [
        "You share first place",
        "3rd place",
        "Masha and Alex share first place",
    ]
    two = MatchEnded("finished", None, "", (2, 1), (), ())
    assert [result_headline(table_of(2), two, seat, WORDS) for seat in (0, 1)] == ["You lost", "You won!"]


def test_leaving_and_stopping_are_announced_to_everybody() -> None:
    running = played(dealt(FOUR_HANDS), "1-1")
    ended = after(running, *leave_match(RULES, running, 1, "left"))
    assert "You left the match" in zones(ended, 1)["result"]
    assert "Alex left the match." in zones(ended, 0)["result"]
    stopped = evolve(running, MatchEnded("stopped", None, "", (), (), ()))
    assert "Match over</h2>" in zones(stopped, 0)["result"]
    assert "The match was stopped." in zones(stopped, 0)["result"]


@pytest.mark.parametrize(
    ("reason", "seat", "outcome"),
    [
        ("agreed", None, "The players agreed to stop the match."),
        ("deserted", None, "Nobody was at the table any more, so the match ended."),
        ("deserted", 1, "Alex was away too long, so the match ended."),
        ("moderated", None, "A moderator stopped the match."),
        ("void", None, "A moderator declared the match void."),
    ],
)
def test_missing_result_has_a_reason(reason: str, seat: int | None, outcome: str) -> None:
    running = played(dealt(FOUR_HANDS), "1-1")
    result = zones(after(running, *stop_match(running, reason, seat)), 0)["result"]
    assert f'<p class="outcome">{outcome}</p>' in result
    assert ("Match void</h2>" if reason == "void" else "Match over</h2>") in result
    if seat is not None:
        own = texts(zones(after(running, *stop_match(running, reason, seat)), seat)["result"])
        assert own.startswith("You were away too long The match ended without a result.")


def test_last_leaver_is_named() -> None:
    running = played(dealt(FOUR_HANDS), "1-1")
    ended = after(running, *stop_match(running, "stopped", 1))
    mine, theirs = zones(ended, 1)["result"], zones(ended, 0)["result"]
    assert "You left the match</h2>" in mine
    assert "Only bots remained, so the match ended." in mine
    assert "Match over</h2>" in theirs
    assert "Alex left, and only bots remained, so the match ended." in theirs


def test_the_own_row_stands_out_and_the_seats_show_winner_and_goat() -> None:
    own = zones(ENDED, 1, OVER)
    assert own["result"].count('class="own-row"') == 1
    assert "Alex<i> (you)</i>" in own["result"]
    assert "own-row" not in zones(ENDED, None, OVER)["result"]
    seats = own["seats"].split("<li ")[1:]
    assert ["mark-won" in seat for seat in seats] == [False, True, False, False]
    assert ["mark-lost" in seat for seat in seats] == [False, False, False, True]
    assert "winner" in texts(seats[1])
    assert "the goat" in texts(seats[3])


def test_the_card_has_the_figures_of_the_match_and_nothing_about_rating_in_a_casual_one() -> None:
    result = texts(zones(ENDED, 1, OVER)["result"])
    assert "Minutes 14 Best move Olya +35 Tiles drawn 7" in result
    assert "rating" not in result.lower()


def test_new_opponents_are_for_the_same_game_and_length() -> None:
    agreed = AgreedTerms("kozel", (("fish", "all"), ("length", "quick")))
    hand = zones(ENDED, 1, replace(OVER, agreed=agreed))["hand"]
    assert 'formaction="/play/" name="variant" value="kozel"' in hand
    assert 'name="length" value="quick"' in hand
    assert 'href="/"' in hand
    assert 'id="share-match"' in hand
    assert "new-opponents" not in zones(ENDED, None, OVER)["hand"]


def test_only_guests_are_offered_to_keep_the_match() -> None:
    people = tuple(replace(person, guest=person.seat == 2) for person in OVER.people)
    table = replace(OVER, people=people)
    assert ["/guest/upgrade/" in zones(ENDED, seat, table)["hand"] for seat in (1, 2)] == [False, True]


def test_figures_without_scoring_moves_name_the_costliest_round() -> None:
    ends = (
        ("out", 2, (5, 12, 0, 31)),
        ("fish", 0, (6, 46, 2, 9)),
        ("out", 1, (20, 0, 8, 7)),
        ("out", 1, (1, 0, 2, 3)),
    )
    rounds = tuple(
        RoundEnded(1, reason, seat, "", tuple(map(Points, points)), (), ENDED.standing, ("",) * 4, 0, None)
        for reason, seat, points in ends
    )
    table = replace(OVER, summary=MatchSummary(duration_minutes=14, drawn=0, best=None))
    ended = replace(ENDED, round=replace(ENDED.round, number=4), rounds=rounds)
    result = texts(zones(ended, 0, table)["result"])
    assert "Rounds 4 Minutes 14 Worst round Alex +46" in result
    assert "Most rounds won Alex 2×" in result
    assert "Tiles drawn" not in result


def test_figures_of_a_match_of_one_round_do_not_count_rounds() -> None:
    end = RoundEnded(1, "out", 1, "", tuple(map(Points, (5, 0, 12, 31))), (), ENDED.standing, ("",) * 4, 0, None)
    table = replace(OVER, summary=MatchSummary(duration_minutes=2, drawn=0, best=None))
    ended = replace(ENDED, round=replace(ENDED.round, number=1), rounds=(end,))
    figures = texts(zones(ended, 0, table)["result"].split('class="match-facts"')[1].split("</dl>")[0])
    assert "Minutes 2" in figures
    assert not any(text in figures for text in ("Rounds", "Most rounds won"))


def test_figures_of_a_game_won_by_points_say_who_went_out() -> None:
    """The player with the most points wins a deal of Rytmino, who may be another."""
    state = start_state(new_match(rules_for("rytmino"), 2, {}))
    deal = RoundEnded(1, "out", 1, "", (Points(90), Points(60)), (), state.standing, ("", ""), 0, None)
    ended = MatchEnded("finished", None, "", (1, 2), (), ())
    over = replace(state, round=replace(state.round, number=2), rounds=(deal, deal), match_over=ended)
    summary = MatchSummary(duration_minutes=1, drawn=0, best=(0, 36))
    table = replace(table_at(state), summary=summary)
    result = texts(zones(over, 0, table)["result"])
    assert "Went out most Alex 2×" in result
    assert "won Alex" not in result
