"""The zones that all viewers share: frames, the table, the seats around it. The positions are Kozel's."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from django.utils import translation

from games.chat.rendering import table_chat_zones
from games.engine.decide import stop_match
from games.engine.events import SeatHeld
from games.match.table import ChatLine, Person
from games.rendering.frame import shared_zones
from games.rendering.page import page_context
from games.rendering.sprites import sprite_sheet
from games.rendering.status import last_event_text
from tests.games.rendering.positions import (
    FOUR_HANDS,
    TWO_HANDS,
    WORDS,
    after,
    dealt,
    finished_round,
    frame_of,
    k_01,
    played,
    positions,
    seen,
    table_of,
    texts,
    zones,
)


class Tags(HTMLParser):
    """Collects ids, and checks that what is opened is closed."""

    void = {"input", "use", "rect", "path", "circle"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]
        assert not {name for name, _ in attrs} & {"style", "onclick"}
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag


@pytest.mark.parametrize("position", range(5))
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_every_zone_is_one_element_with_its_own_id(position: int, seat: int | None) -> None:
    state = positions()[position]
    for name, html in zones(state, seat).items():
        parsed = Tags(html)
        assert parsed.open == []
        assert parsed.ids[0] == name
        assert len(parsed.ids) == len(set(parsed.ids))


def test_a_frame_is_partials_that_morph_their_zones() -> None:
    with translation.override("en"):
        frame = frame_of(table_of(), seen(dealt(FOUR_HANDS), 0)).full_update
    targets = re.findall(r'<hx-partial id="(\w+)"><\w+ id="(\w+)"', frame)
    names = ["seats", "board", "scores", "fairness", "status", "moves", "result", "hand", "spots"]
    assert [target for target, _ in targets] == names
    assert all(target == name for target, name in targets)


def test_the_shared_part_is_the_same_from_every_seat() -> None:
    with translation.override("en"):
        for state in positions()[1:]:
            views = [seen(state, seat) for seat in (None, *range(len(state.hands)))]
            shared = [shared_zones(table_of(len(state.hands)), view, "en") for view in views]
            assert all(zones.by_name == shared[0].by_name for zones in shared)


def test_the_page_shows_the_same_zones_as_a_frame() -> None:
    state = played(dealt(FOUR_HANDS), "1-1")
    context = page_context(table_of(), seen(state, 1), seat=1, language="en")
    on_page = {name: str(zone) for name, zone in context["zones"].items()}
    # These have frames of their own: chats, and hints for viewers who want them.
    del on_page["messages"], on_page["spectator_chat"], on_page["hints"]
    in_frame = zones(state, 1)
    drawing = re.compile(r'<svg class="(?:tall|even|wide)".*?</svg>')
    assert [board.count("<svg class") for board in (on_page["board"], in_frame["board"])] == [3, 1]
    assert drawing.findall(in_frame["board"])[0] in drawing.findall(on_page["board"])
    assert on_page | {"board": ""} == in_frame | {"board": ""}


def test_a_frame_does_not_grow_with_the_rounds_played() -> None:
    view = seen(played(dealt(FOUR_HANDS), "1-1"), 0)
    with translation.override("en"):
        one, twenty = (frame_of(table_of(), replace(view, rounds=(k_01(),) * rounds)) for rounds in (1, 20))
    assert one.full_update == twenty.full_update


def test_table_with_one_person_has_no_chat() -> None:
    masha, alex, *rest = table_of().people
    ada, *bots = (replace(person, kind="bot", user_id=None, bot="steady") for person in (alex, *rest))
    state = dealt(FOUR_HANDS)
    assert "data-alone" in zones(state, table=table_of(people=(masha, ada, *bots)))["status"]
    assert "data-alone" not in zones(state, table=table_of(people=(masha, alex, *bots)))["status"]


def test_round_number_is_independent_of_its_name() -> None:
    assert 'data-round="1"' in zones(dealt(FOUR_HANDS))["status"]
    assert 'data-round="0"' in zones(None)["status"]


# The table


def test_board_has_a_description_for_screen_readers() -> None:
    state = played(dealt(FOUR_HANDS), "1-1", "5-1 right")
    assert "Open ends: 1 on the left, 5 on the right. The line from left to right: 1-1, 5-1" in zones(state)["board"]
    assert "There are no tiles on the table yet." in zones(dealt(FOUR_HANDS))["board"]


def test_only_the_tile_laid_last_is_marked_as_new_with_the_seat_it_came_from() -> None:
    board = zones(played(dealt(FOUR_HANDS), "1-1", "5-1 right"))["board"]
    assert re.findall(r'href="#s(\d\d)"[^>]*>(?=<g id="t2" data-by="1")', board) == ["15"]
    assert board.count("data-by") == 1


def test_every_tile_of_the_set_has_sprites_with_its_pips_for_every_turn() -> None:
    sprites = sprite_sheet("kozel")
    # 21 tiles lie in four ways, 7 doubles in two.
    assert len(set(re.findall(r'<g id="([su]\d\d)"', sprites))) == 21 * 4 + 7 * 2
    assert '<g id="s60"><use href="#body"/><use href="#p6" x="-10"/></g>' in sprites
    assert '<g id="s06"><use href="#body"/><use href="#p6" x="10"/></g>' in sprites
    assert '<g id="u60" transform="rotate(90)"><use href="#body"/><use href="#p6" x="-10"/></g>' in sprites


def test_last_move_has_a_sentence() -> None:
    state = dealt(FOUR_HANDS)
    assert "Round 1. Masha leads." in zones(state)["status"]
    assert "Masha led 1-1." in zones(played(state, "1-1"))["status"]
    assert "Alex played 5-1 on the right." in zones(played(state, "1-1", "5-1 right"))["status"]


def test_match_that_ended_before_the_lead_names_the_leader() -> None:
    state = dealt(FOUR_HANDS)
    text = last_event_text(table_of(), seen(after(state, *stop_match(state, "stopped"))), None, WORDS)
    assert text == "Round 1. Masha leads."


def test_draw_is_described_without_its_tile() -> None:
    state = played(dealt(TWO_HANDS), "1-1", "draw")
    status = zones(state, 0)["status"]
    assert "Alex drew a tile." in status
    assert "You drew a tile." in zones(state, 1)["status"]
    assert "Bazaar 13 13 tiles" in texts(status)


def test_the_clock_is_at_the_seat_of_the_player_to_move_and_says_when_the_free_time_and_the_bank_end() -> None:
    shared = zones(dealt(FOUR_HANDS))
    plates = shared["seats"].split("<li ")
    assert ['id="clock"' in plate for plate in plates] == ["to move</i>" in plate for plate in plates]
    assert 'data-free="1015000" data-deadline="1075000">15 s<' in shared["seats"]
    assert "1075000" not in shared["status"]


def test_spare_time_is_shown_while_there_is_some() -> None:
    assert 'class="spare" popovertarget="about-spare" data-value="1:00"' in zones(dealt(FOUR_HANDS))["seats"]
    spent = zones(dealt(FOUR_HANDS), None, table_of(deadline_ms=1_015_000))["seats"]
    assert 'data-deadline="1015000">15 s<' in spent
    assert 'class="spare"' not in spent


def test_bots_have_no_visible_clock() -> None:
    shared = zones(dealt(FOUR_HANDS), None, table_of(due_kind="bot", deadline_ms=1_234_567))
    assert "1234567" not in "".join(shared.values())


def test_pot_is_shown_below_the_timer() -> None:
    state = dealt(FOUR_HANDS, before=("0", "0", "0", "0"), pot=35)
    assert '<use href="#fish"/></svg>+35' in zones(state)["status"]


# Seats


def test_standing_shows_account_and_remembered_points() -> None:
    html = zones(dealt(FOUR_HANDS, before=("+19", "=20", "0", "=0")))["seats"]
    assert 'class="score score-remembered" popovertarget="about-remembered"><i>remembered </i>+19</button>' in html
    assert 'class="score score-account" popovertarget="about-account"><i>account </i>20</button>' in html
    assert 'class="score" popovertarget="about-zero">0</button>' in html


def test_account_has_a_warning_from_four_fifths() -> None:
    html = zones(dealt(FOUR_HANDS, before=("=79", "=80", "+19", "=100")))["seats"]
    kinds = [kind + near for kind, near in re.findall(r'class="score score-(\w+)( near)?"', html)]
    assert kinds == ["account", "account near", "remembered", "account near"]


def test_hands_of_others_are_backs_with_a_count() -> None:
    html = zones(dealt(FOUR_HANDS), 0)["seats"]
    assert html.count("<small>7<i> tiles</i></small>") == 4
    assert "#v" not in html


def test_hands_are_face_up_when_the_round_is_over() -> None:
    state = finished_round()
    html = zones(state)["seats"]
    for hand in state.hands:
        assert all(f'href="#v{high}{low}"' in html for high, low in hand)


def test_the_seat_to_move_is_marked_by_a_sign_and_a_word() -> None:
    html = zones(played(dealt(FOUR_HANDS), "1-1"))["seats"]
    assert re.findall(r'<li id="(seat\d)" (?:(?!</li>).)* to move</i>', html) == ["seat1"]
    assert texts(html).count("to move") == 1


def test_away_players_and_bots_are_marked() -> None:
    people = (
        Person(0, "Masha", "red", "human", user_id=10, away=True),
        Person(1, "Rex", "blue", "bot", bot="master"),
        Person(2, "Olya", "blue", "bot", user_id=12),
        Person(3, "Serg", "blue", "human", user_id=13),
    )
    html = zones(dealt(FOUR_HANDS), None, table_of(people=people))["seats"]
    assert "Masha to move rated 1500? away" in texts(html)
    assert "Rex bot" in texts(html)
    assert "Olya bot for now" in texts(html)


def test_the_list_of_seats_has_a_name() -> None:
    for view in (None, dealt(FOUR_HANDS)):
        assert '<ul id="seats" role="list" aria-label="Players">' in zones(view)["seats"]


def test_names_are_escaped() -> None:
    people = tuple(Person(seat, "<b>\"&'", "red", "human", user_id=10 + seat) for seat in range(4))
    table = table_of(people=people, messages=(ChatLine(1, "<i>", "<script>"),))
    for state in positions()[1:3]:
        for html in zones(state, 1, table).values():
            assert "<b>\"&'" not in html
    assert table_chat_zones(table.messages, "en").markup["messages"].count("&lt;") == 2


def test_a_player_is_addressed_as_you_and_named_to_everybody_else() -> None:
    state = played(dealt(TWO_HANDS), "1-1", "draw")
    for seat, name in ((None, "Alex"), (0, "Alex"), (1, "You")):
        of_seat = zones(state, seat)
        assert f">{name} drew a tile.<" in of_seat["status"]
        assert texts(of_seat["moves"]).endswith(f"{name} draw")
    over = finished_round()
    out = over.round.over.seat if over.round.over else None
    assert out is not None
    named = f"{table_of().people[out].name} went out."
    for seat in (None, 0, 1):
        own = zones(over, seat)
        assert ("You went out." if seat == out else named) in own["status"]
        assert ("You went out." if seat == out else named) in own["result"]


def test_bot_move_for_a_player_is_not_called_yours() -> None:
    absent = after(dealt(FOUR_HANDS), SeatHeld(0, "timeout"))
    status = texts(zones(played(absent, "1-1"), 0)["status"])
    assert "Masha led 1-1." in status
