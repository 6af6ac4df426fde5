"""Pages without a WebSocket poll: the address of the page answers with the frame that a socket would send."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.chat import posting
from games.engine.state import State
from games.enums import SeatState
from games.models import Match, Seat
from games.presence import leases
from games.services import play
from tests.games import tables


def browser_of(user: User | None = None) -> Client:
    client = Client(headers={"HX-Request": "true"})
    if user is not None:
        client.force_login(user)
    return client


def poll(client: Client, match: Match, **headers: str) -> Any:
    data = {"type": "seen", "visible": "true"}
    return client.get(reverse("match", args=[match.slug]), data, headers=headers)


def zones_in(answer: Any) -> list[str]:
    return re.findall(r'<hx-partial id="([\w-]+)"', answer.text)


def test_a_poll_brings_all_zones_with_the_own_hand_and_nothing_else_of_the_page(match: Match) -> None:
    player = tables.player_to_move(match)
    answer = poll(browser_of(player), match)
    assert {"status", "seats", "board", "hand", "spots", "scores", "moves", "messages"} <= set(zones_in(answer))
    assert "<html" not in answer.text
    assert "csrfmiddlewaretoken" not in answer.text
    state, seat = tables.state_of(match), Seat.objects.get(match=match, user=player).index
    assert all(f'id="h{high}{low}"' in answer.text for high, low in state.hands[seat])


def test_poll_brings_the_time_of_the_server(match: Match) -> None:
    with time_machine.travel(1_700_000_000, tick=False):
        assert poll(browser_of(), match).text.startswith("<!--1700000000000--><hx-partial ")


def test_a_poll_of_a_spectator_shows_no_hand(match: Match) -> None:
    answer = poll(browser_of(), match)
    state: State = tables.state_of(match)
    assert not re.search(r'id="h\d\d', answer.text)
    assert all(f'id="h{high}{low}"' not in answer.text for hand in state.hands for high, low in hand)


def test_an_unchanged_table_is_not_sent_again(match: Match) -> None:
    client = browser_of(tables.player_to_move(match))
    etag = poll(client, match)["ETag"]
    unchanged = poll(client, match, **{"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    tables.make_first_move(match)
    assert poll(client, match, **{"If-None-Match": etag}).status_code == 200


def test_a_line_of_the_spectators_is_brought_although_the_table_is_the_same(match: Match) -> None:
    client = browser_of()
    etag = poll(client, match)["ETag"]
    posting.post_message(match=match, user=tables.person("Cleo"), text="Such a move")
    assert "Such a move" in poll(client, match, **{"If-None-Match": etag}).text
    assert "Such a move" not in poll(browser_of(tables.player_to_move(match)), match).text


def test_the_places_of_a_chosen_tile_stay_while_the_page_polls(match: Match) -> None:
    client, tile = browser_of(tables.player_to_move(match)), tables.first_legal_move(match).split("@")[0]
    chosen = client.get(reverse("match", args=[match.slug]), {"type": "choose", "tile": tile})
    again = client.get(
        reverse("match", args=[match.slug]), {"type": "seen", "tile": tile}, headers={"If-None-Match": chosen["ETag"]}
    )
    assert again.status_code == 304


def test_a_refusal_is_brought_once_by_the_poll_that_follows(match: Match) -> None:
    client = browser_of(tables.player_to_move(match))
    client.post(reverse("match-move", args=[match.slug]), {"move": "9-9", "v": match.version})
    assert "did not understand that move" in poll(client, match).text
    assert "notice" not in zones_in(poll(client, match))


def test_a_player_who_polls_keeps_the_seat(match: Match) -> None:
    player, now = tables.player_to_move(match), timezone.now()
    client = browser_of(player)
    leases.release_seat_lease(match_id=match.pk, user_id=player.pk, renewed_at=now, now=now)  # the socket broke
    for seconds in range(0, 90, 3):
        with time_machine.travel(now + timedelta(seconds=seconds), tick=False):
            poll(client, match)
            leases.mark_away(now=timezone.now())
    seat = Seat.objects.get(match=match, user=player)
    assert (seat.away, seat.left_at, seat.state) == (False, None, SeatState.ACTIVE)


@pytest.mark.stack
def test_an_unchanged_poll_of_a_player_takes_few_queries(
    match: Match, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = browser_of(tables.player_to_move(match))
    etag = poll(client, match)["ETag"]
    with django_assert_max_num_queries(12):
        assert poll(client, match, **{"If-None-Match": etag}).status_code == 304


def test_the_lobby_brings_its_lists_to_a_page_that_polls(match: Match) -> None:
    client = browser_of()
    answer = client.get(reverse("lobby"))
    assert {"here", "open-tables", "running-tables"} <= set(zones_in(answer))
    assert "<html" not in answer.text
    assert client.get(reverse("lobby"), headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_the_review_brings_its_chat_to_a_page_that_polls(match: Match, people: list[User]) -> None:
    address, client = reverse("match-review-chat", args=[match.slug]), browser_of(people[0])
    assert client.get(address).status_code == 404
    play.stop_match(match_id=match.pk)
    client.post(address, {"text": "6-4 was better"})
    assert "6-4 was better" in client.get(address).text
    client.post(address, {"text": ""})
    assert "notice" in zones_in(client.get(address))
    assert Client().get(address)["Location"] == reverse("match-review", args=[match.slug])
