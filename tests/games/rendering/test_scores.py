"""The end of a round and of a match: seats, score table with its terms, places, rating, and the way to a rematch."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from games.engine.decide import leave_match, new_match, set_standing
from games.engine.evolve import evolve, start_state
from games.engine.state import State
from games.match.table import MatchSummary, Table
from games.rendering.page import scores_context
from games.rendering.scores import score_table
from games.rendering.seats import ScoreAndTiles, _score_and_tiles
from games.rendering.zones import zone_html
from games.words.lookup import words_for
from tests.engine.positions import in_round
from tests.games.rendering.positions import (
    ALEX_WITHOUT_ONES,
    FOUR_HANDS,
    RULES,
    TWO_HANDS,
    WORDS,
    after,
    cells,
    dealt,
    finished_round,
    k_01,
    played,
    seen,
    table_of,
    texts,
    zones,
)


def test_a_score_cell_has_before_this_round_and_total_in_this_order() -> None:
    table = score_table(table_of(), [k_01()], WORDS)
    assert cells(table) == [
        "remembered +19 this round 0 total 0",
        "0 this round 3 total remembered +3",
        "remembered +7 this round 13 total account 20",
        "remembered +4 this round 5 total remembered +9",
    ]


def test_each_number_opens_into_its_terms_with_their_rules() -> None:
    table = score_table(table_of(), [k_01()], WORDS)
    assert "6-6 + 1-0 = 13" in table
    assert 'href="/rules/kozel/#kozel.hand_points"' in table
    assert "the score is set to 0" in table
    assert 'href="/rules/kozel/#kozel.out_resets"' in table


def test_rounds_are_in_order() -> None:
    rounds = [replace(k_01(), round=number) for number in (1, 2, 3)]
    table = score_table(table_of(), rounds, WORDS)
    assert [int(number) for number in re.findall(r"<p>(\d)</p>", table)] == [1, 2, 3]


def test_wins_of_a_series_are_in_the_head_of_the_sheet() -> None:
    table = table_of(wins=(1, 0, 0, 2))
    before = zones(dealt(FOUR_HANDS), table=table)
    assert wins_in_head(before["scores"]) == ["1 win", "0 wins", "0 wins", "2 wins"]
    assert wins_in_head(zones(dealt(FOUR_HANDS))["scores"]) == []
    over = replace(goat_of_four(), rounds=(k_01(),))  # Serg is the goat, so all others win
    assert wins_in_head(zones(over, table=table)["scores"]) == ["2 wins", "1 win", "1 win", "2 wins"]
    assert "win" not in texts(before["seats"])


def wins_in_head(sheet: str) -> list[str]:
    return re.findall(r"<th scope=\"col\">[^<]+ <small>(.*?)</small></th>", sheet)


def test_the_table_itself_shows_the_newest_round_and_leads_to_all() -> None:
    state = finished_round()
    third, twentieth = (
        zones(replace(state, rounds=tuple(replace(k_01(), round=10 + number) for number in range(rounds))))["result"]
        for rounds in (3, 20)
    )
    assert third.replace("12", "29") == twentieth.replace("12", "29")
    assert 'href="/match/abcdefgh2345/scores/"' in third


def test_a_round_that_ended_in_a_fish_carries_the_sign() -> None:
    fished = replace(k_01(), reason="fish")
    assert '3<svg class="sign" aria-hidden="true"><use href="#fish"/></svg><i> fish</i>' in score_table(
        table_of(), [fished], WORDS
    )
    assert "#fish" not in score_table(table_of(), [k_01()], WORDS)


def test_the_seats_show_the_pips_left_and_the_points() -> None:
    state = finished_round()
    assert state.round.over is not None
    seats = zones(state)["seats"].split("<li ")[1:]
    for seat, hand, points in zip(seats, state.hands, state.round.over.points, strict=True):
        pips = f"{sum(map(sum, hand))} pips " if hand else ""
        gained = f"+{points.total}" if points.total else "0"
        assert texts(re.findall(r'<span class="round-told">.*?</span>', seat)[0]) == pips + gained


def test_tiles_with_numbers_have_no_pips() -> None:
    dario = ScoreAndTiles(3, "51", face_up=((1, 4, 5), (3, 3, 3)), gained=0)
    assert "19 in hand <b>0</b>" in zone_html(_score_and_tiles(dario, words_for("triominoes", "en")))


def test_only_good_points_are_highlighted() -> None:
    assert "gained-won" not in zones(finished_round())["seats"], "in Kozel points bring the goat nearer"
    ann = ScoreAndTiles(0, "30", gained=25)
    fives = words_for("all_fives", "en")
    assert "gained-won" in zone_html(_score_and_tiles(ann, fives))
    assert "gained-won" not in zone_html(_score_and_tiles(ann._replace(gained=-25), fives))


def test_score_card_is_an_expandable_line() -> None:
    assert " open>" not in zones(finished_round(), 0)["result"]


@pytest.mark.parametrize("seat", [0, None])
def test_countdown_is_shown_once_in_the_button(seat: int | None) -> None:
    table = table_of(2, due_kind="round", deadline_ms=2_000_000)
    html = zones(finished_round(), seat, table)
    counts = {name: zone.count('data-deadline="2000000"') for name, zone in html.items()}
    assert {name: count for name, count in counts.items() if count} == {"hand": 1}
    assert ("data-deadline" in "".join(re.findall(r"<button.*?</button>", html["hand"]))) == (seat == 0)


def test_after_one_round_there_is_no_score_before_it() -> None:
    first = replace(k_01(), round=1)
    assert "before" not in texts(score_table(table_of(), [first], WORDS))


def test_points_are_loaded_on_demand() -> None:
    state = finished_round()
    card = zones(state, 0)["result"]
    scores = "/match/abcdefgh2345/scores/"
    assert f'hx-get="{scores}?round={state.round.number}"' in card
    assert f'<a href="{scores}">All rounds</a>' in card
    assert "<table" not in card
    assert "hx-get" not in zones(state, 0, replace(table_of(2), slug=""))["result"]
    assert str(scores_context(table_of(2), seen(state), language="en", only_round="1")["scores"]).count("<tr>") == 2


def test_the_seat_that_passed_shows_it_until_the_next_move() -> None:
    knocked = played(dealt(ALEX_WITHOUT_ONES), "1-1", "pass")
    assert knocking(knocked) == ["seat1"]
    assert knocking(played(knocked, "5-1 right")) == []
    assert knocking(finished_round()) == []


def knocking(state: State) -> list[str]:
    return re.findall(r'<li id="(seat\d)" class="[^"]*\bpassed\b', zones(state)["seats"])


def test_a_fish_is_a_sign_of_the_end_and_going_out_is_none() -> None:
    state = finished_round()
    assert state.round.over is not None
    for reason, classes in {"fish": "result fish", "fish_drawn": "result fish", "out": "result"}.items():
        ended = in_round(state, over=replace(state.round.over, reason=reason))
        assert f'id="result" class="{classes}"' in zones(ended)["result"]


def test_drawings_are_hidden_from_screen_readers_or_named() -> None:
    for state in (None, finished_round()):
        for zone in zones(state, 0).values():
            outside = re.sub(r'<span[^>]* role="img" aria-label=".+?">.*?</span>', "", zone)
            assert all("aria-hidden" in svg or "spots" in svg for svg in re.findall(r"<svg[^>]*>", outside))


def test_in_the_pause_a_player_can_be_ready_once_and_a_spectator_cannot() -> None:
    state = finished_round()
    table = table_of(2, due_kind="round", deadline_ms=2_000_000)
    assert 'form="ready">Ready<' in zones(state, 0, table)["hand"]
    assert "form=" not in zones(state, None, table)["hand"]
    ready = replace(table, people=tuple(replace(person, ready=True) for person in table.people))
    assert "You are ready." in zones(state, 0, ready)["hand"]
    assert 'data-deadline="2000000"' in zones(state, 0, table)["hand"]


def test_the_goat_is_named_with_places_and_the_arithmetic_of_the_rating() -> None:
    state = goat_of_four()
    result = zones(state, 0, table_of(status="finished"))["result"]
    assert "Serg is the goat." in result
    assert "(100 − 0) / 10 = 10 → 10" in result
    assert texts(result).count("the goat") == 2
    assert (
        '<button class="score score-account near" popovertarget="about-account"><i>account </i>114</button>' in result
    )
    assert "Rating points" not in zones(state, 0, table_of(status="finished", rated=False))["result"]


def goat_of_four() -> State:
    """K-10: all at 0, fish=one, Serg gets 114: goat, ratings 10, 10, 10, 0."""
    state = start_state(new_match(RULES, 4, {"fish": "one"}))
    state = after(state, *set_standing(RULES, state, ("=0", "0", "0", "=114"), None))
    over = RULES.match_end_after_round(state)
    assert over is not None
    return evolve(state, over)


def test_match_lost_on_time_names_the_player() -> None:
    running = played(dealt(FOUR_HANDS), "1-1")
    state = after(running, *leave_match(RULES, running, 1, "timeout"))
    assert "Alex ran out of time." in zones(state, 0)["result"]


def test_after_the_match_come_rematch_scores_and_the_review() -> None:
    running = played(dealt(FOUR_HANDS), "1-1")
    state = after(running, *leave_match(RULES, running, 1, "left"))
    hand = zones(state, 0, table_of(status="finished"))["hand"]
    assert 'form="answer" name="answer" value="yes">Rematch<' in hand
    assert "/scores/" not in hand  # no round is over
    played_on = zones(replace(state, rounds=(k_01(),)), 0, table_of(status="finished"))["hand"]
    assert 'href="/match/abcdefgh2345/scores/"' in played_on
    card = zones(state, 0, table_of(status="finished", summary=MatchSummary(duration_minutes=1, drawn=0)))["result"]
    assert 'class="button" href="/match/abcdefgh2345/review/"' in card
    offered = table_of(status="finished", rematch="zzz")
    assert 'href="/match/zzz/"' in zones(state, None, offered)["hand"]
    assert 'value="yes">Join the rematch<' in zones(state, 0, offered)["hand"]


def with_answers(*answers: str, **changed: Any) -> Table:
    """Return the table of a finished match with each seat's answer to a rematch."""
    table = table_of(len(answers), status="finished", **changed)
    people = zip(table.people, answers, strict=True)
    return replace(table, people=tuple(replace(person, rematch=answer) for person, answer in people))


def match_left_by_a_player() -> State:
    running = played(dealt(TWO_HANDS), "1-1")
    return after(running, *leave_match(RULES, running, 1, "left"))


def rematch_offers(table: Table) -> list[tuple[str, list[str]]]:
    """Return the note about a rematch and the possible answers for each seat."""
    hands = [zones(match_left_by_a_player(), seat, table)["hand"] for seat in range(2)]
    return [
        (
            "".join(re.findall(r'role="status"><span[^>]*>(.*?)<', hand)[:1]),
            re.findall(r'name="answer" value="(\w+)"', hand),
        )
        for hand in hands
    ]


def test_rematch_offer_has_the_right_buttons_for_each_player() -> None:
    assert rematch_offers(with_answers("offered", "")) == [
        ("Rematch offered. Waiting for Alex.", ["no"]),
        ("Masha wants a rematch.", ["yes", "no"]),
    ]
    assert rematch_offers(with_answers("", "declined")) == [("Alex declined the rematch.", []), ("", ["yes"])]
    assert rematch_offers(with_answers("accepted", "")) == [("", ["yes"])] * 2  # its table closed


def test_only_players_who_accepted_follow_to_the_rematch() -> None:
    table = with_answers("accepted", "", rematch="zzz")
    follow = 'data-follow="/match/zzz/"'
    assert [follow in zones(match_left_by_a_player(), seat, table)["hand"] for seat in (0, 1, None)] == [
        True,
        False,
        False,
    ]
