"""A table without scripts: pages and forms do what the socket does."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine import proof
from games.engine.notation import import_match
from games.lobby import tables as lobby_tables
from games.models import Match, Message, Seat
from games.services import absence, play
from tests.games import tables


def post(client: Client, name: str, match: Match, **data: Any) -> Any:
    return client.post(reverse(name, args=[match.slug]), data)


def page(client: Client, match: Match) -> str:
    return client.get(reverse("match", args=[match.slug])).content.decode()


@pytest.mark.stack
def test_a_move_by_form_leads_back_to_the_table(match: Match) -> None:
    mover = tables.browser_of(tables.player_to_move(match))
    answer = post(mover, "match-move", match, move=tables.first_legal_move(match), v=match.version)
    assert (answer.status_code, answer.headers["Location"]) == (303, reverse("match", args=[match.slug]))
    assert tables.locked_row(match).version == match.version + 1
    assert f'name="v" value="{match.version + 1}"' in page(mover, match)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"move": "9-9", "v": "{version}"}, "did not understand that move"),
        ({"move": "draw", "v": "{version}"}, "/rules/kozel/#kozel."),
        ({"move": "draw", "v": "0"}, "moved on"),
        ({"move": "draw"}, "did not understand"),
        ({"v": "{version}"}, "did not understand"),
    ],
)
def test_refusal_is_shown_once_on_the_next_page(match: Match, data: dict[str, str], says: str) -> None:
    mover = tables.browser_of(tables.player_to_move(match))
    post(mover, "match-move", match, **{key: text.format(version=match.version) for key, text in data.items()})
    assert says in page(mover, match)
    assert says not in page(mover, match).replace('href="/rules/kozel/#kozel.', "")
    assert tables.locked_row(match).version == match.version


def test_a_visitor_sees_no_hand_and_cannot_move(match: Match) -> None:
    visitor = tables.browser_of()
    text = page(visitor, match)
    assert not any(f'id="h{high}{low}"' in text for high, low in tables.state_of(match).hands[0])
    post(visitor, "match-move", match, move=tables.first_legal_move(match), v=match.version)
    assert tables.locked_row(match).version == match.version


def test_looking_at_the_page_renews_the_lease(match: Match, people: list[User]) -> None:
    Seat.objects.filter(match=match, user=people[0]).update(last_seen=None, away=True)
    page(tables.browser_of(people[0]), match)
    seat = Seat.objects.get(match=match, user=people[0])
    assert seat.last_seen
    assert not seat.away


def test_waiting_player_who_is_new_to_the_game_is_led_to_its_rules(people: list[User]) -> None:
    waiting = tables.open_table(people)
    hint = "New to Kozel?"
    assert hint in page(tables.browser_of(people[0]), waiting)
    assert hint not in page(tables.browser_of(), waiting)
    Match.objects.filter(pk=tables.running_table(people).pk).update(status="finished")
    assert hint not in page(tables.browser_of(people[0]), waiting)
    assert "New to Rytmino?" in page(tables.browser_of(people[0]), tables.open_table(people, variant="rytmino"))


def test_ready_leave_and_chat_by_form(match: Match, people: list[User]) -> None:
    ann = tables.browser_of(people[0])
    tables.play_round(match)
    post(ann, "match-ready", match)
    assert Seat.objects.get(match=match, user=people[0]).ready
    post(ann, "match-chat", match, text="Good game")
    assert Message.objects.get(match=match).text == "Good game"
    assert "Good game" in page(ann, match)
    post(ann, "match-leave", match)
    assert Seat.objects.get(match=match, user=people[0]).bot


def test_page_without_scripts_does_not_refresh_while_writing(match: Match, people: list[User]) -> None:
    waiting = tables.browser_of(next(person for person in people if person != tables.player_to_move(match)))
    address, reload = reverse("match", args=[match.slug]), 'http-equiv="refresh"'
    assert reload in (html := page(waiting, match))
    assert 'href="?rest=on#chat-form"' in html
    resting = waiting.get(f"{address}?rest=on").content.decode()
    assert reload not in resting
    assert f'<a href="{address}">Auto-refresh is paused' in resting
    assert reload in waiting.get(post(waiting, "match-chat", match, text="Hello").url).content.decode()


def test_a_page_without_a_script_looks_for_three_minutes_whether_somebody_wants_a_rematch(
    match: Match, people: list[User]
) -> None:
    ann, visitor, reload = tables.browser_of(people[0]), tables.browser_of(), 'http-equiv="refresh"'
    tables.play_until(match, lambda state: bool(state.match_over))
    assert reload in page(ann, match)
    assert reload not in page(visitor, match)
    post(tables.browser_of(people[1]), "match-rematch", match, answer="yes")
    assert "Bob wants a rematch." in (html := page(ann, match))
    assert reload in html  # it may be taken back
    with time_machine.travel(timezone.now() + timedelta(minutes=4)):
        assert reload not in page(ann, match)


def test_held_player_returns_with_one_press(match: Match, people: list[User]) -> None:
    ann = tables.browser_of(people[0])
    assert 'id="take-back"' not in page(ann, match)
    tables.hold_seat(match, people[0])
    assert 'id="take-back"' in page(ann, match)
    assert '<button id="h' not in page(ann, match)
    assert "A bot is playing for you." in page(ann, match)
    post(ann, "match-ready", match)
    assert not Seat.objects.get(match=match, user=people[0]).bot
    assert 'id="take-back"' not in page(ann, match)


def test_leaver_cannot_return(match: Match, people: list[User]) -> None:
    ann, bob = tables.browser_of(people[0]), tables.browser_of(people[1])
    post(ann, "match-leave", match)
    assert "You are out of this match" in page(ann, match)
    assert 'id="take-back"' not in page(ann, match)
    assert 'popovertarget="about-forfeited"' in page(bob, match)
    why = ann.get(reverse("match-absences", args=[match.slug])).text
    assert "You left this match yourself." in why
    assert "No absences in this match" not in why


def test_vote_on_an_absence_works_without_scripts(match: Match, people: list[User]) -> None:
    seat = tables.locked_row(match).to_move or 0
    away, other = people[seat], people[1 - seat]
    absence.hold_seat(tables.locked_row(match), seat, "gone", timezone.now())
    html = page(tables.browser_of(other), match)
    assert f"{away} is away; a bot takes over." in html
    assert [f'id="vote-{answer}"' in html for answer in ("bot", "wait", "stop")] == [True] * 3
    for nobody in (away, None):
        assert 'id="vote-bot"' not in page(tables.browser_of(nobody), match)
    post(tables.browser_of(other), "match-vote", match, vote="wait")
    assert 'id="vote-wait"' not in page(tables.browser_of(other), match)
    post(tables.browser_of(other), "match-vote", match, vote="stop")
    assert "The players agreed to stop the match." in page(tables.browser_of(other), match)


def test_in_the_first_round_somebody_asks_to_stop_and_another_agrees(match: Match, people: list[User]) -> None:
    seat = tables.locked_row(match).to_move or 0
    waiting, mover = tables.browser_of(people[1 - seat]), tables.browser_of(people[seat])
    post(mover, "match-vote", match, vote="stop")
    assert "wants to stop the match" in page(waiting, match)
    assert '<button id="h' in page(mover, match), "the player to move can go on"
    post(waiting, "match-vote", match, vote="stop")
    assert "The players agreed to stop the match." in page(mover, match)


def test_the_others_see_at_once_that_a_bot_stands_in_and_after_the_last_that_the_match_ended(
    match: Match, people: list[User]
) -> None:
    ann, bob, visitor = tables.browser_of(people[0]), tables.browser_of(people[1]), tables.browser_of()
    tables.hold_seat(match, people[0])
    assert "A bot is playing for you." in page(ann, match)
    for other in (bob, visitor):
        assert 'popovertarget="about-plays_for"' in page(other, match)
        assert "A bot is playing for you." not in page(other, match)
    post(ann, "match-leave", match)
    post(bob, "match-leave", match)
    for anybody in (ann, bob, visitor):
        html = page(anybody, match)
        assert ("You left the match</h2>" in html) == (anybody is bob)
        content = html.partition("<body")[2]  # without the description for links, which names everybody
        assert ("Bob left, and only bots remained, so the match ended." in content) == (anybody is not bob)
        assert 'id="take-back"' not in html
        assert 'popovertarget="about-plays_for"' not in html


def test_held_player_sees_the_moves_of_the_bot(match: Match, people: list[User]) -> None:
    ann = tables.browser_of(people[0])
    tables.hold_seat(match, people[0])
    for seen in (page(ann, match), *(page(tables.browser_of(other), match) for other in (people[1], None))):
        tiles = re.findall(r'<span id="h\d+" role="img" aria-label="(\d-\d)">', seen)
        hand = tables.state_of(match).hands[0] if 'data-viewer="0"' in seen else ()
        assert tiles == [f"{high}-{low}" for high, low in hand]
        assert 'http-equiv="refresh"' in seen or '<button id="h' in seen  # the player to move


def test_held_player_can_return_between_rounds(match: Match, people: list[User]) -> None:
    ann = tables.browser_of(people[0])
    tables.hold_seat(match, people[0])
    tables.play_round(match)
    assert "A bot played for you." in page(ann, match)
    post(ann, "match-ready", match)
    assert not Seat.objects.get(match=match, user=people[0]).bot


def test_the_record_is_handed_out_when_the_match_is_over_and_every_deal_can_be_checked(
    match: Match, people: list[User]
) -> None:
    visitor = tables.browser_of()
    address = reverse("match-record", args=[match.slug])
    early = visitor.get(address)
    assert early.status_code == 409
    assert early.json()["error"] == "no_round_over"
    assert visitor.get(reverse("match-verify", args=[match.slug])).status_code == 404
    tables.play_round(match)
    rounds = import_match(visitor.get(address).json())
    assert proof.verify(rounds) == ["The match is not over."]
    assert reverse("match-verify", args=[match.slug]) in page(visitor, match)
    play.stop_match(match_id=match.pk)
    answer = visitor.get(address)
    assert answer["Content-Disposition"] == f'attachment; filename="dominoes-{match.slug}.json"'
    events = import_match(answer.json())
    assert len(events) == tables.locked_row(match).version
    assert proof.verify(events) == []


def test_the_score_page_shows_finished_rounds(match: Match) -> None:
    tables.play_round(match)
    answer = tables.browser_of().get(reverse("match-scores", args=[match.slug]))
    assert answer.status_code == 200


def test_the_pages_of_a_game_call_a_round_as_the_game_does(people: list[User]) -> None:
    match = tables.running_table(people, variant="rytmino")
    html = page(tables.browser_of(), match)
    assert ("Moves of this deal</h2>" in html, "All deals</a>" in html, "All rounds" in html) == (True, True, False)
    before_any = tables.browser_of().get(reverse("match-scores", args=[match.slug])).content.decode()
    assert "No deal is over yet." in before_any
    assert "see how it is made up" not in before_any
    reviewed = tables.browser_of().get(reverse("match-review", args=[match.slug])).content.decode()
    assert 'aria-label="Previous deal"' in reviewed
    assert "round</" not in reviewed


def test_a_bare_get_of_a_form_leads_back(match: Match, people: list[User]) -> None:
    for name in ("match-move", "match-ready", "match-leave", "match-chat"):
        answer = tables.browser_of(people[0]).get(reverse(name, args=[match.slug]))
        assert (answer.status_code, answer.headers["Location"]) == (303, reverse("match", args=[match.slug]))
    assert tables.locked_row(match).version == match.version


def test_an_unknown_table_is_not_found() -> None:
    for name in ("match", "match-scores", "match-record"):
        assert tables.browser_of().get(reverse(name, args=["nowhere"])).status_code == 404


def test_a_table_that_went_away_before_its_match_has_a_page_for_staff_but_no_record(people: list[User]) -> None:
    match = tables.open_table(people[:2])
    for user in people[:2]:
        lobby_tables.stand_up(match=match, user=user)
    people[1].is_staff = True
    people[1].save()
    staff = tables.browser_of(people[1])
    names = ("match", "match-scores", "match-record")
    assert [staff.get(reverse(name, args=[match.slug])).status_code for name in names] == [200, 200, 404]


class TestRematchWithoutAScript:
    def test_page_of_a_waiting_player_leads_to_the_rematch(self) -> None:
        people = [tables.person("Ann"), tables.person("Bob")]
        match = tables.running_table(people, rated=True)
        match.seats.update(last_seen=timezone.now())
        play.leave_match(match_id=match.pk, user_id=people[1].pk)
        ann, bob, stranger = Client(), Client(), Client()
        ann.force_login(people[0])
        bob.force_login(people[1])
        page, rematch = f"/match/{match.slug}/", f"/match/{match.slug}/rematch/"
        refresh = f'content="5;url={rematch}"'
        assert refresh not in ann.get(page).content.decode()
        assert ann.post(rematch, {"answer": "yes"})["Location"] == page
        assert refresh in ann.get(page).content.decode()
        assert refresh not in bob.get(page).content.decode()
        assert ann.get(rematch)["Location"] == page
        table = bob.post(rematch, {"answer": "yes"})["Location"]
        assert table != page
        assert [client.get(rematch)["Location"] for client in (ann, bob, stranger)] == [table, table, page]
