"""The end of a round and of a match: the score table, its terms, places and rating."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from games.engine.decide import leave, new_match, set_standing
from games.engine.evolve import evolve, start_state
from games.match.table import Table
from games.rendering.scores import score_table
from tests.games.rendering.positions import (
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


def test_the_newest_round_comes_first() -> None:
    rounds = [replace(k_01(), round=number) for number in (1, 2, 3)]
    table = score_table(table_of(), rounds, WORDS)
    assert [int(number) for number in re.findall(r"<p>(\d)</p>", table)] == [3, 2, 1]


def test_the_table_itself_shows_the_newest_round_and_leads_to_all() -> None:
    state = finished_round()
    third, twentieth = (
        zones(replace(state, rounds=tuple(replace(k_01(), round=10 + each) for each in range(rounds))))["result"]
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


def test_in_the_pause_a_player_can_be_ready_once_and_a_spectator_cannot() -> None:
    state = finished_round()
    table = table_of(2, due_kind="round", deadline_ms=2_000_000)
    assert 'form="ready">Ready<' in zones(state, 0, table)["hand"]
    assert "form=" not in zones(state, None, table)["hand"]
    ready = replace(table, people=tuple(replace(person, ready=True) for person in table.people))
    assert "You are ready." in zones(state, 0, ready)["hand"]
    assert 'data-deadline="2000000"' in zones(state, 0, table)["hand"]


def test_the_goat_is_named_with_places_and_the_arithmetic_of_the_rating() -> None:
    """K-10: all at 0, fish=one, Serg gets 114: goat, ratings 10, 10, 10, 0."""
    state = start_state(new_match(RULES, 4, {"fish": "one"}))
    state = after(state, *set_standing(RULES, state, ("=0", "0", "0", "=114"), None))
    over = RULES.finish(state)
    assert over is not None
    state = evolve(state, over)
    result = zones(state, 0, table_of(status="finished"))["result"]
    assert "Serg is the goat." in result
    assert "(100 − 0) / 10 = 10 → 10" in result
    assert texts(result).count("the goat") == 2
    assert "Rating points" not in zones(state, 0, table_of(status="finished", rated=False))["result"]


def test_a_match_that_ran_out_of_time_says_whose() -> None:
    running = played(dealt(FOUR_HANDS), "1-1")
    state = after(running, *leave(RULES, running, 1, "timeout"))
    assert "Alex ran out of time." in zones(state, 0)["result"]


def test_after_the_match_come_rematch_scores_and_the_review() -> None:
    running = played(dealt(FOUR_HANDS), "1-1")
    state = after(running, *leave(RULES, running, 1, "left"))
    hand = zones(state, 0, table_of(status="finished"))["hand"]
    assert 'form="answer" name="answer" value="yes">Rematch<' in hand
    assert "/scores/" not in hand  # no round is over
    played_on = zones(replace(state, rounds=(k_01(),)), 0, table_of(status="finished"))["hand"]
    assert 'href="/match/abcdefgh2345/scores/"' in played_on
    assert 'href="/match/abcdefgh2345/review/"' in hand
    offered = table_of(status="finished", rematch="zzz")
    assert 'href="/match/zzz/"' in zones(state, None, offered)["hand"]
    assert 'value="yes">Join the rematch<' in zones(state, 0, offered)["hand"]


def answered(*answers: str, **changed: Any) -> Table:
    """Return the table of a match that is over, with what each seat answers to a rematch."""
    table = table_of(len(answers), status="finished", **changed)
    people = zip(table.people, answers, strict=True)
    return replace(table, people=tuple(replace(person, rematch=answer) for person, answer in people))


def said_of_a_rematch(table: Table) -> list[tuple[str, list[str]]]:
    """Return what each seat is told and can answer."""
    running = played(dealt(TWO_HANDS), "1-1")
    over = after(running, *leave(RULES, running, 1, "left"))
    hands = [zones(over, seat, table)["hand"] for seat in range(2)]
    told = [re.search(r'role="status">(.*?)<', hand) for hand in hands]
    return [
        (said[1] if said else "", re.findall(r'name="answer" value="(\w+)"', hand))
        for said, hand in zip(told, hands, strict=True)
    ]


def test_a_rematch_on_offer_is_accepted_or_declined_by_the_others_and_taken_back_by_its_author() -> None:
    assert said_of_a_rematch(answered("offered", "")) == [
        ("Rematch offered. Waiting for Alex.", ["no"]),
        ("Masha wants a rematch.", ["yes", "no"]),
    ]
    assert said_of_a_rematch(answered("", "declined")) == [("Alex does not want a rematch.", []), ("", ["yes"])]
    assert said_of_a_rematch(answered("accepted", "")) == [("", ["yes"])] * 2  # its table closed


def test_only_who_wanted_the_rematch_follows_to_it() -> None:
    running = played(dealt(TWO_HANDS), "1-1")
    over = after(running, *leave(RULES, running, 1, "left"))
    table = answered("accepted", "", rematch="zzz")
    follow = 'data-follow="/match/zzz/"'
    assert [follow in zones(over, seat, table)["hand"] for seat in (0, 1, None)] == [True, False, False]
