"""The zones of one viewer: the hand, and the actions before, between and after rounds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from games.bots.levels import LEVELS
from games.engine.decide import deal_explicit, new_match
from games.engine.events import Event, KeyRevealed, SecretRevealed
from games.engine.evolve import evolve, fold, start_state
from games.engine.refusal import Refusal
from games.match.table import Person, Table, Timer
from games.rendering.frame import notice_zones
from games.rendering.page import page_context
from tests.engine.positions import in_round
from tests.games.rendering.positions import (
    ALEX_WITHOUT_ONES,
    FOUR_HANDS,
    RULES,
    THREE_HANDS_HOLD_ALL_ONES,
    TWO_HANDS,
    alex_to_move,
    deal_of,
    dealt,
    played,
    seen,
    table_of,
    zones,
)


def test_tile_with_one_place_plays_at_once() -> None:
    hand = zones(alex_to_move(), 1)["hand"]
    assert '<button id="h42" class="fits" name="move" value="4-2 left" aria-label="4-2, fits on the left"' in hand


def test_a_tile_with_two_places_asks_where() -> None:
    hand = zones(alex_to_move(), 1)["hand"]
    assert '<button id="h32" class="fits" form="choose" name="tile" value="3-2"' in hand
    assert "choice" not in hand


def test_tile_next_to_a_lone_double_plays_at_once() -> None:
    led = played(dealt(FOUR_HANDS), "1-1")
    hand = zones(led, 1)["hand"]
    assert '<button id="h51" class="fits" name="move" value="5-1 right" aria-label="5-1, fits on the right"' in hand
    assert 'form="choose"' not in hand
    line = zones(played(led, "5-1 right"), 2)["hand"]  # 5-1 at 1-1: the ends differ
    assert '<button id="h10" class="fits" name="move" value="1-0 left"' in line


def test_the_chosen_tile_shows_its_places() -> None:
    own = zones(alex_to_move(), 1, chosen="3-2")
    assert 'name="move" value="3-2 left">Left, on 2<' in own["hand"]
    assert 'name="move" value="3-2 right">Right, on 3<' in own["hand"]
    assert re.findall(r'class="place" href="#slot" data-move="([^"]*)"', own["spots"]) == ["3-2 left", "3-2 right"]


def test_chosen_tile_is_deselected_by_a_second_press() -> None:
    hand = zones(alex_to_move(), 1, chosen="3-2")["hand"]
    assert '<button id="h32" class="fits" aria-pressed="true" form="choose" name="tile" value=""' in hand
    once = zones(alex_to_move(), 1, chosen="4-2")["hand"]
    assert '<button id="h42" class="fits" aria-pressed="true" name="move" value="4-2 left"' in once


def test_foreign_tile_shows_no_place() -> None:
    for chosen in ("0-0", "6-6", "<b>", "4-2 left"):
        own = zones(alex_to_move(), 1, chosen=chosen)
        assert "choice" not in own["hand"]
        assert "place" not in own["spots"]


def test_tile_that_does_not_fit_explains_itself() -> None:
    hand = zones(alex_to_move(), 1)["hand"]
    assert '<button id="h00" name="move" value="0-0" aria-label="0-0, does not fit"' in hand


def test_fitting_tiles_are_not_marked_out_of_turn() -> None:
    own = zones(alex_to_move(), 0)
    assert "fits" not in own["hand"]
    assert "data-move" not in own["spots"]
    assert "Alex’s turn." in own["hand"]


def test_a_waiting_player_sees_that_the_player_to_move_is_away() -> None:
    masha, alex = table_of(2).people
    table = replace(table_of(2), people=(masha, replace(alex, away=True)))
    assert "Alex is away." in zones(alex_to_move(), 0, table)["hand"]


def test_a_draw_has_its_reason_and_its_rule() -> None:
    state = played(dealt(TWO_HANDS), "1-1")
    hand = zones(state, 1)["hand"]
    assert "Nothing fits 1: draw a tile from the bazaar." in hand
    assert 'href="/rules/kozel/#kozel.draw"' in hand
    assert '<button id="draw" class="button act" name="move" value="draw">Draw a tile</button>' in hand


def test_a_forced_knock_is_explained() -> None:
    state = played(dealt(THREE_HANDS_HOLD_ALL_ONES), "1-1", *["draw"] * 7)
    hand = zones(state, 1)["hand"]
    assert "Nothing fits 1 and the bazaar is empty: you knock." in hand
    assert 'href="/rules/kozel/#kozel.knock"' in hand


def test_game_without_a_boneyard_does_not_mention_it() -> None:
    hand = zones(played(dealt(ALEX_WITHOUT_ONES), "1-1"), 1)["hand"]
    assert "Nothing fits 1: you knock." in hand


def test_a_forced_lead_names_its_rule() -> None:
    hand = zones(dealt(FOUR_HANDS), 0)["hand"]
    assert "You must lead with this tile:" in hand
    assert 'href="/rules/kozel/#kozel.lead_first"' in hand
    assert re.findall(r'id="h(\d\d)" class="fits"', hand) == ["11"]


def test_refusal_links_to_the_rule() -> None:
    error = Refusal("illegal_move", RULES.refusals["kozel.turn"], "kozel.turn")
    frame = notice_zones(error, "kozel", "en").full_update
    assert "Play a tile on an open end that shows one of its numbers." in frame
    assert 'href="/rules/kozel/#kozel.turn"' in frame
    assert '<hx-partial id="notice"' in frame


def test_a_refusal_names_a_tile_in_hand_that_fits_nowhere() -> None:
    texts = []
    for move in ("0-0 left", "4-2 right", "6-6 left"):  # fits nowhere, fits on the left, in another hand
        with pytest.raises(Refusal) as refused:
            played(alex_to_move(), move)
        texts.append(notice_zones(refused.value, "kozel", "en").full_update)
    assert [text.count("0-0 doesn’t fit 2 or 3.") for text in texts] == [1, 0, 0]
    assert all("on an open end that shows one of its numbers" in text for text in texts[1:])
    assert all('href="/rules/kozel/#kozel.turn"' in text for text in texts)


# Before the match


def open_table(*, people: int) -> Table:
    free = tuple(Person(seat, "", "", "empty") for seat in range(people, 4))
    return table_of(people=(*table_of(people).people, *free), status="open", due_kind="")


def test_a_free_seat_can_be_taken_only_while_the_table_is_open() -> None:
    html = zones(None, None, open_table(people=2))["seats"]
    assert re.findall(r'form="sit" name="index" value="(\d)"', html) == ["2", "3"]
    assert "form=" not in zones(None, None, replace(open_table(people=2), status="running"))["seats"]


def test_the_host_fills_then_starts_and_others_can_stand_up() -> None:
    assert 'formaction="/match/abcdefgh2345/fill/"' in zones(None, 0, open_table(people=2))["hand"]
    assert 'formaction="/match/abcdefgh2345/start/"' in zones(None, 0, open_table(people=4))["hand"]
    guest = zones(None, 1, open_table(people=4))["hand"]
    assert "Waiting for Masha to start the match." in guest
    assert re.findall(r'formaction="(.*?)"', guest) == ["/match/abcdefgh2345/stand/"]


def test_full_table_waits_for_nobody() -> None:
    waiting, full = (zones(None, 0, open_table(people=people)) for people in (2, 4))
    assert "Waiting for players" in waiting["status"]
    assert "Waiting for 2 more players." in waiting["hand"]
    assert "Waiting" not in full["status"] + full["hand"]


def test_full_rated_table_explains_who_gains_no_points() -> None:
    table = replace(open_table(people=4), no_points="address")
    note = '<p class="no-points small">People on the same network address earn no rating points from each other.</p>'
    for seat in (0, 1, None):
        waiting = zones(None, seat, table)
        assert note in waiting["hand"]
        assert "rating points" not in waiting["status"]
    assert "rating points" not in zones(None, 0, replace(table, no_points=""))["hand"]


def test_a_quick_game_counts_down_and_one_press_starts_it() -> None:
    looking = replace(open_table(people=2), timer=Timer(due_kind="fill", deadline_ms=1_700_000_017_000))
    for seat in (0, 1):
        hand = zones(None, seat, looking)["hand"]
        assert 'data-deadline="1700000017000"' in hand
        assert 'formaction="/match/abcdefgh2345/fill/">Start now with bots<' in hand
    assert "data-deadline" not in zones(None, None, looking)["hand"]


def test_free_seats_are_filled_with_bots_of_each_level_by_one_press() -> None:
    hand = zones(None, 0, open_table(people=2))["hand"]
    chosen = r'formaction="/match/abcdefgh2345/fill/" name="level" value="(\w+)">(\w+)</button>'
    assert re.findall(chosen, hand) == [(level, level.title()) for level in LEVELS]
    assert 'name="level"' not in zones(None, 1, open_table(people=2))["hand"]


def test_a_visitor_sits_down_with_one_button_while_there_is_room() -> None:
    assert 'form="sit">Sit down<' in zones(None, None, open_table(people=3))["hand"]
    assert 'form="sit"' not in zones(None, None, open_table(people=4))["hand"]


def test_commitments_are_shown_at_the_table() -> None:
    state = dealt(FOUR_HANDS)
    assert "c0" * 32 in zones(state)["fairness"]
    assert "d0" * 32 in zones(in_round(state, commitment="d0" * 32))["fairness"]
    assert "record" not in zones(state)["fairness"]


def test_table_shows_the_state_of_each_nonce() -> None:
    masha, alex, olya, _free = open_table(people=3).people
    bot = Person(3, "Ada", "red", "bot", bot="steady")
    sealed = replace(masha, nonce_commitment="ab" * 32)
    people = (sealed, alex, olya, bot)

    def lines(**changed: Any) -> list[str]:
        text = zones(None, None, replace(open_table(people=3), **changed))["fairness"]
        return [re.sub("<.*?>", "", line) for line in re.findall("<li>(.*?)</li>", text)]

    assert lines(people=people) == [
        f"Masha: sealed, fingerprint {'ab' * 32}",
        "Alex: nothing yet",
        "Olya: nothing yet",
        "Ada: a bot, without a text",
    ]
    opened = (replace(sealed, nonce="<b>7"), replace(alex, nonce_commitment="cd" * 32), olya, bot)
    assert lines(people=opened, status="running")[:3] == [
        "Masha: &lt;b&gt;7, as sealed before the start",
        "Alex: sealed, but not opened in time and so left out",
        "Olya: none",
    ]


def test_players_page_has_the_data_to_commit_and_open() -> None:
    people = tuple(replace(person, nonce_commitment="ab" * 32) for person in open_table(people=4).people)
    table = replace(open_table(people=4), people=people, timer=Timer(due_kind="reveal"))
    nonce = re.search('<data id="nonce".*?>', zones(None, 0, table)["hand"])
    assert nonce
    for fact in ('data-stage="reveal"', f'value="{"ab" * 32}"', 'data-commitment="c0', f'data-given="{"ab" * 32} '):
        assert fact in nonce[0]
    assert "formaction" not in zones(None, 0, table)["hand"]
    assert 'id="nonce"' not in zones(None, None, table)["hand"]


def test_revealed_key_is_shown_until_the_next_deal() -> None:
    state = dealt(FOUR_HANDS)
    revealed = evolve(evolve(state, KeyRevealed(1, "e0" * 32)), SecretRevealed("f0" * 32))
    for value in ("e0" * 32, "f0" * 32):
        assert value not in zones(state)["fairness"]
        assert value in zones(revealed)["fairness"]
    before = start_state(new_match(RULES, 4, {}))
    (next_deal,) = deal_explicit(RULES, before, deal_of(FOUR_HANDS))
    assert "e0" * 32 not in zones(evolve(revealed, next_deal))["fairness"]


def test_page_without_scripts_refreshes_only_while_waiting() -> None:
    state = played(dealt(FOUR_HANDS), "1-1")

    def refresh(seat: int | None, **changed: Any) -> int:
        return page_context(table_of(**changed), seen(state, seat), seat=seat, language="en")["refresh"]

    assert (refresh(0), refresh(None)) == (5, 5)
    assert refresh(1) == 0
    assert refresh(0, status="finished") == 0


def test_a_replayed_match_draws_the_same() -> None:
    start = new_match(RULES, 2, {})
    events: list[Event] = [start, *deal_explicit(RULES, start_state(start), deal_of(TWO_HANDS))]
    assert zones(fold(events), 0) == zones(dealt(TWO_HANDS), 0)
