"""The sockets of a table: everybody sees each move at once."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from typing import Any

import pytest
from channels.layers import get_channel_layer

from accounts.models import User
from games.broadcast import announcements as broadcast_announcements
from games.chat import posting
from games.geometry.spots import Shape
from games.match import snapshots
from games.models import Match, Seat
from games.rendering.frame import own_zones, shared_zones
from games.sockets import shared_frames
from games.sockets.player import NOTHING_NEW
from games.sockets.shared_frames import Display
from tests.games import tables
from tests.games.socket_browser import connect_and_read_frame, connect_to_table, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


def turn(match: Match) -> dict[str, Any]:
    """Return the message that makes a legal move."""
    return {"type": "move", "move": tables.first_legal_move(match), "v": tables.locked_row(match).version}


@pytest.mark.stack
async def test_move_is_sent_to_every_socket(match: Match, people: list[User]) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browsers = [await connect_and_read_frame(match, user) for user in (*people, None)]
    message = await in_thread(turn)(match)
    await browsers[people.index(mover)].send_message(**message)
    frames = [await browser.next_frame() for browser in browsers]
    assert all(f'name="v" value="{message["v"] + 1}"' in frame for frame in frames)
    assert len(set(frames)) == 3  # two hands and no hand


@pytest.mark.stack
async def test_mover_sees_the_move_even_without_an_announcement(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
    mover = await in_thread(tables.player_to_move)(match)
    browser = await connect_and_read_frame(match, mover)
    message = await in_thread(turn)(match)
    await browser.send_message(**message)
    assert f'name="v" value="{message["v"] + 1}"' in await browser.next_frame()


async def test_the_version_may_be_text_as_forms_send_it(match: Match, people: list[User]) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browser = await connect_and_read_frame(match, mover)
    message = await in_thread(turn)(match)
    await browser.send_message(**{**message, "v": str(message["v"]), "headers": {"HX-Request": "true"}})
    assert f'name="v" value="{message["v"] + 1}"' in await browser.next_frame()


def fitting_tile(match: Match) -> str:
    return re.split("[ =]", tables.first_legal_move(match))[0]


async def test_places_of_a_chosen_tile_are_private(match: Match, people: list[User]) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browser, other = (
        await connect_and_read_frame(match, mover),
        await connect_and_read_frame(match, next(person for person in people if person != mover)),
    )
    tile = await in_thread(fitting_tile)(match)
    await browser.send_message(type="choose", tile=tile)
    frame = await browser.next_frame()
    assert 'id="choice"' in frame
    assert f'data-move="{tile}' in frame
    assert 'id="board"' not in frame
    assert await other.receive_nothing(0.2)


async def test_choice_lasts_until_the_move(match: Match, people: list[User]) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browser = await connect_and_read_frame(match, mover)
    message = await in_thread(turn)(match)
    await browser.send_message(type="choose", tile=await in_thread(fitting_tile)(match))
    await browser.next_frame()
    await in_thread(posting.post_message)(match=match, user=mover, text="A moment")
    assert '<hx-partial id="hand"' not in await browser.next_frame()  # what it shows stays
    await browser.send_message(type="seen", r=0)
    assert 'id="choice"' not in await browser.next_frame()  # the whole table first
    places = await browser.next_frame()
    assert 'id="choice"' in places
    assert 'id="board"' not in places
    await browser.send_message(**message)
    moved = await browser.next_frame()
    assert '<hx-partial id="hand"' in moved
    assert 'id="choice"' not in moved


def targets(frame: str) -> list[str]:
    return re.findall(r'<hx-partial id="(.*?)"', frame)


ALL_ZONES = ["seats", "board", "scores", "fairness", "status", "moves", "result", "hand", "spots", "hints", "messages"]


async def test_move_sends_only_changed_parts(match: Match, people: list[User]) -> None:
    browser = await connect_to_table(match)
    assert targets(await browser.next_frame())[: len(ALL_ZONES)] == ALL_ZONES
    mover = await in_thread(lambda: tables.state_of(match).round.to_move)()
    await in_thread(tables.make_first_move)(match)
    brought = targets(await browser.next_frame())
    assert {f"to-move{mover}", f"held{mover}", "sync", "said", "board", "moves"} <= {*brought}
    assert not {f"seat{seat}" for seat in range(4)} & {*brought}
    assert not {"seats", "status", "scores", "fairness", "result", "hand", "spots"} & {*brought}


async def test_page_with_an_older_table_gets_a_full_update(match: Match) -> None:
    browser = await connect_and_read_frame(match)
    for revision, zones in ((match.revision, []), (match.revision - 1, [*ALL_ZONES, "site-banner"]), (None, [])):
        await browser.send_message(type="seen", r=revision)
        assert targets(await browser.next_frame()) == zones


@pytest.mark.stack
async def test_a_page_that_missed_revisions_gets_what_changed_since_its_own(match: Match, people: list[User]) -> None:
    first, second = await connect_and_read_frame(match), await connect_and_read_frame(match)
    for person in people:
        await in_thread(posting.post_message)(match=match, user=person, text="Hello")
    await in_thread(tables.make_first_move)(match)
    frames = {}
    for browser in (first, second):
        while f'data-revision="{await in_thread(lambda: tables.locked_row(match).revision)()}"' not in (
            text := await browser.next_frame()
        ):
            continue
        frames[browser] = text
    assert frames[first] == frames[second]


async def test_places_of_foreign_tiles_are_refused(match: Match, people: list[User]) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    tile = await in_thread(fitting_tile)(match)
    for viewer in (None, next(person for person in people if person != mover)):
        browser = await connect_and_read_frame(match, viewer)
        before = await in_thread(lambda: tables.locked_row(match).revision)()
        await browser.send_message(type="choose", tile=tile)
        assert "data-move" not in await browser.next_frame()
        assert await in_thread(lambda: tables.locked_row(match).revision)() == before


async def test_choice_by_a_spectator_is_ignored(match: Match) -> None:
    snapshot = await in_thread(snapshots.current_snapshot)(match.pk)
    rendered = shared_frames.rendered_match(snapshot)
    assert rendered.frame(None, Display("en"), chosen_tile="6-6") is rendered.frame(None, Display("en"))


async def test_a_spectator_sees_no_hand(match: Match, people: list[User]) -> None:
    browser = await connect_to_table(match)
    frame = await browser.next_frame()
    hand = (await in_thread(tables.state_of)(match)).hands[0]
    assert 'id="hand"' in frame
    assert not any(f'id="h{high}{low}"' in frame for high, low in hand)


async def test_the_language_is_that_of_the_page(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = []
    monkeypatch.setattr(shared_frames, "shared_zones", lambda *a, **k: spoken.append(a[2]) or shared_zones(*a, **k))
    await connect_and_read_frame(match, language="hu")
    people[0].language = "pl"
    await connect_and_read_frame(match, people[0], language="hu")
    assert spoken == ["hu", "pl"]


async def test_a_second_socket_of_an_audience_costs_no_second_rendering(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered = []
    monkeypatch.setattr(shared_frames, "own_zones", lambda *a, **k: rendered.append(1) or own_zones(*a, **k))
    for _ in range(4):
        await connect_and_read_frame(match)
    assert len(rendered) == 1


async def test_a_move_is_rendered_once_a_seat_and_once_a_language_for_all_spectators(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    browsers = [await connect_and_read_frame(match, language=language) for language in ("en", "hu", "pl") * 4]
    browsers += [await connect_and_read_frame(match, person) for person in people]
    rendered = []
    monkeypatch.setattr(
        shared_frames, "own_zones", lambda *a, **k: rendered.append((a[2], a[3])) or own_zones(*a, **k)
    )
    version = (await in_thread(tables.make_first_move)(match)).version
    assert all([f'name="v" value="{version}"' in await browser.next_frame() for browser in browsers])
    audiences = [(None, "en"), (None, "hu"), (None, "pl"), *((seat, "en") for seat in range(len(people)))]
    assert Counter(rendered) == Counter(audiences)


def shapes_in(frame: str) -> list[str]:
    return re.findall(r'<svg class="(tall|even|wide)"', frame)


async def test_a_frame_holds_the_table_for_the_felt_of_its_browser_alone(match: Match) -> None:
    browser = await connect_to_table(match)
    assert shapes_in(await browser.next_frame()) == ["even"]
    for sent, drawn in (("wide", "wide"), ("tall", "tall"), ("round", "even"), (["tall"], "even")):
        await browser.send_message(type="felt", shape=sent)
        assert shapes_in(await browser.next_frame()) == [drawn]
    await browser.send_message(type="felt", shape="wide")
    await browser.next_frame()
    await in_thread(tables.make_first_move)(match)
    assert shapes_in(await browser.next_frame()) == ["wide"]


async def test_a_shape_of_felt_is_rendered_once_and_only_where_a_game_has_several(match: Match) -> None:
    snapshot = await in_thread(snapshots.current_snapshot)(match.pk)
    frames = [shared_frames.rendered_match(snapshot).frame(None, Display("en", shape)) for shape in (*Shape, *Shape)]
    assert len(set(map(id, frames))) == 3
    triominoes = await in_thread(tables.running_table)([], bots=2, variant="triominoes")
    snapshot = await in_thread(snapshots.current_snapshot)(triominoes.pk)
    assert (
        len({id(shared_frames.rendered_match(snapshot).frame(None, Display("en", shape)).shared) for shape in Shape})
        == 1
    )


@pytest.mark.stack
async def test_an_older_announcement_is_dropped(match: Match, people: list[User]) -> None:
    browser = await connect_and_read_frame(match)
    for group, message in broadcast_announcements.match_announcements([(match.slug, match.revision)]):
        await get_channel_layer().group_send(group, message)
    assert await browser.receive_nothing(0.2)


@pytest.mark.stack
async def test_heartbeat_repairs_a_lost_announcement_and_the_presence(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await connect_and_read_frame(match, people[0])
    monkeypatch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
    await in_thread(tables.make_first_move)(match)
    await in_thread(lambda: Seat.objects.filter(match=match, user=people[0]).update(away=True))()
    assert await browser.receive_nothing(0.2)
    await browser.send_message(type="seen", v=1)
    assert f'name="v" value="{match.version + 1}"' in await browser.next_frame()
    assert not await in_thread(lambda: Seat.objects.get(match=match, user=people[0]).away)()


async def test_the_heartbeat_is_answered_even_if_nothing_is_new(match: Match, people: list[User]) -> None:
    browser = await connect_and_read_frame(match, people[0])
    await browser.send_message(type="seen")
    assert await browser.next_frame() == NOTHING_NEW


async def test_every_frame_has_the_server_time(match: Match, people: list[User]) -> None:
    player, spectator = await connect_and_read_frame(match, people[0]), await connect_and_read_frame(match)
    for browser in (player, spectator):
        assert abs(browser.now_ms - 1000 * time.time()) < 60_000
    await asyncio.sleep(0.01)
    before = time.time_ns() // 1_000_000
    await player.send_message(type="seen")
    assert await player.next_frame() == NOTHING_NEW
    assert before <= player.now_ms
    player.now_ms = 0
    await in_thread(tables.make_first_move)(match)
    for browser in (player, spectator):
        await browser.next_frame()
        assert before <= browser.now_ms <= before + 60_000
