"""The end of a round: told at the seats, and a line over the felt that opens into the scores."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from games.engine.state import State
from games.rendering.changes import as_html
from games.rendering.page import scores_context
from games.rendering.scores import score_table
from games.rendering.seats import Holding, _held
from games.words.lookup import words_for
from tests.games.rendering.positions import (
    ALEX_WITHOUT_ONES,
    WORDS,
    dealt,
    finished_round,
    k_01,
    played,
    seen,
    table_of,
    texts,
    zones,
)


def test_the_seats_tell_the_pips_left_and_the_points() -> None:
    state = finished_round()
    assert state.round.over is not None
    seats = zones(state)["seats"].split("<li ")[1:]
    told = [texts(re.findall(r'<span class="round-told">.*?</span>', seat)[0]) for seat in seats]
    pips = [sum(map(sum, hand)) for hand in state.hands]
    points = [points.total for points in state.round.over.points]
    assert told == [
        (f"{left} pips " if left else "") + (f"+{got}" if got else "0") for left, got in zip(pips, points, strict=True)
    ]


def test_only_points_that_are_good_for_their_seat_shine() -> None:
    assert "gained-won" not in zones(finished_round())["seats"], "in Kozel points bring the goat nearer"
    ann = Holding(0, "30", gained=25)
    fives = words_for("all_fives", "en")
    assert "gained-won" in as_html(_held(ann, fives))
    assert "gained-won" not in as_html(_held(ann._replace(gained=-25), fives))


def test_the_card_is_a_line_that_opens() -> None:
    assert " open>" not in zones(finished_round(), 0)["result"]


@pytest.mark.parametrize("seat", [0, None])
def test_the_countdown_stands_once_where_the_hand_was_and_inside_the_button(seat: int | None) -> None:
    table = table_of(2, due_kind="round", deadline_ms=2_000_000)
    shown = zones(finished_round(), seat, table)
    held = {name: zone.count('data-deadline="2000000"') for name, zone in shown.items()}
    assert {name: count for name, count in held.items() if count} == {"hand": 1}
    assert ("data-deadline" in "".join(re.findall(r"<button.*?</button>", shown["hand"]))) == (seat == 0)


def test_after_one_round_there_is_no_score_before_it() -> None:
    first = replace(k_01(), round=1)
    assert "before" not in texts(score_table(table_of(), [first], WORDS))


def test_the_points_come_from_the_page_of_all_rounds_when_they_are_looked_at() -> None:
    state = finished_round()
    card = zones(state, 0, table_of(2))["result"]
    scores = "/match/abcdefgh2345/scores/"
    assert f'hx-get="{scores}?round={state.round.number}"' in card
    assert f'<a href="{scores}">All rounds</a>' in card
    assert "<table" not in card
    assert "hx-get" not in zones(state, 0, replace(table_of(2), slug=""))["result"]
    assert str(scores_context(table_of(2), seen(state), language="en", only="1")["scores"]).count("<tr>") == 2


def test_the_seat_that_passed_shows_it_until_the_next_move() -> None:
    knocked = played(dealt(ALEX_WITHOUT_ONES), "1-1", "pass")
    assert knocking(knocked) == ["seat1"]
    assert knocking(played(knocked, "5-1 right")) == []
    assert knocking(finished_round()) == []


def knocking(state: State) -> list[str]:
    return re.findall(r'<li id="(seat\d)" class="[^"]*\bpassed\b', zones(state)["seats"])


def test_a_fish_is_a_sign_of_the_end_and_going_out_is_none() -> None:
    over = finished_round()
    assert over.round.over is not None
    for reason, classes in {"fish": "result fish", "fish_drawn": "result fish", "out": "result"}.items():
        ended = replace(over, round=replace(over.round, over=replace(over.round.over, reason=reason)))
        assert f'id="result" class="{classes}"' in zones(ended)["result"]


def test_drawings_are_no_nameless_images() -> None:
    for state in (None, finished_round()):
        for zone in zones(state, 0).values():
            outside = re.sub(r'<span[^>]* role="img" aria-label=".+?">.*?</span>', "", zone)
            assert all("aria-hidden" in drawn or "spots" in drawn for drawn in re.findall(r"<svg[^>]*>", outside))
