"""What browsers send: whatever cannot be done gets a clear answer."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from accounts.models import User
from games.models import Match
from games.rendering.frame import own_zones
from games.services import play
from games.sockets import match_reads, move_queue, player, shared_frames
from games.sockets.player import NOTHING_NEW
from infrastructure.limit_settings import parse_rate_limits
from tests.games import tables
from tests.games.socket_browser import connect_and_read_frame, in_thread
from tests.games.sockets.test_table import turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (" ", "did not understand"),
        ("no json", "did not understand"),
        ("[1, 2]", "did not understand"),
        ("[" * 4000, "did not understand"),
        ('{"type": "chat", "text": "' + "x" * 4000 + '"}', "did not understand"),
        ('{"type": "no such type"}', "did not understand"),
        ('{"type": ["move"]}', "did not understand"),
        ('{"type": "match_changed", "revision": 99}', "did not understand"),
        ('{"type": "move"}', "did not understand"),
        ('{"type": "move", "move": 6, "v": 2}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": "two"}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": -1}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": true}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": 1e9}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": 99999999999999999999}', "did not understand"),
        ('{"type": "choose", "tile": 64}', "did not understand"),
        ('{"type": "choose", "tile": "' + "6" * 41 + '"}', "did not understand"),
        ('{"type": "chat"}', "did not understand"),
        ('{"type": "chat", "text": {"a": 1}}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": 0}', "moved on"),
    ],
)
async def test_unreadable_messages_are_answered_without_effect(
    match: Match, people: list[User], frame: str, says: str
) -> None:
    browser = await connect_and_read_frame(match, people[0])
    await browser.send_to(text_data=frame)
    answer = await browser.next_frame()
    if 'id="notice"' not in answer:  # a stale page is brought up to date first
        answer = await browser.next_frame()
    assert says in answer
    assert (await in_thread(tables.locked_row)(match)).version == match.version
    await browser.send_message(type="seen")
    assert await browser.next_frame() == NOTHING_NEW


async def test_binary_messages_are_answered(match: Match, people: list[User]) -> None:
    browser = await connect_and_read_frame(match, people[0])
    await browser.send_to(bytes_data=b"\x00\xff")
    assert "did not understand" in await browser.next_frame()


@pytest.mark.parametrize(
    ("move", "says"), [("<b>6-4</b>", "did not understand that move"), ("9-9", "did not understand that move")]
)
async def test_an_unreadable_move_is_answered_without_an_echo(match: Match, move: str, says: str) -> None:
    browser = await connect_and_read_frame(match, await in_thread(tables.player_to_move)(match))
    await browser.send_message(type="move", move=move, v=match.version)
    answer = await browser.next_frame()
    assert says in answer
    assert move not in answer


async def test_foreign_tile_and_turn_are_refused(match: Match, people: list[User]) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    other = people[1 - people.index(mover)]
    browser = await connect_and_read_frame(match, other)
    await browser.send_message(**await in_thread(turn)(match))
    assert "It is not your turn" in await browser.next_frame()
    hand = (await in_thread(tables.state_of)(match)).hands[people.index(other)]
    mine = await connect_and_read_frame(match, mover)
    await mine.send_message(type="move", move=f"{hand[0][0]}-{hand[0][1]}", v=match.version)
    assert 'id="notice"' in await mine.next_frame()
    assert (await in_thread(tables.locked_row)(match)).version == match.version


async def test_spectator_cannot_move(match: Match) -> None:
    for user in (None, await in_thread(tables.person)()):
        browser = await connect_and_read_frame(match, user)
        await browser.send_message(**await in_thread(turn)(match))
        assert "You do not have a seat at this table" in await browser.next_frame()
        await browser.send_message(type="ready", v=1)
        assert "You do not have a seat at this table" in await browser.next_frame()


async def test_spectator_is_refused_without_a_query(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand visitors who press what they may not must not make the players wait for the database."""
    browsers = [
        await connect_and_read_frame(match),
        await connect_and_read_frame(match, await in_thread(tables.person)()),
    ]
    monkeypatch.setattr(player, "in_database", fail_on_query)
    monkeypatch.setattr(move_queue, "in_database", fail_on_query)
    monkeypatch.setattr(match_reads, "in_database", fail_on_query)
    for browser in browsers:
        for act in ({"type": "ready"}, {"type": "move", "move": "6-4", "v": match.version}):
            await browser.send_message(**act)
            assert "You do not have a seat at this table" in await browser.next_frame()
    await browsers[0].send_message(type="chat", text="Hello")
    assert "You need a name" in await browsers[0].next_frame()


def fail_on_query(*_args: object, **_kwargs: object) -> None:
    raise AssertionError("the database was asked")


async def test_choice_by_a_spectator_is_rendered_once(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    browsers = [await connect_and_read_frame(match) for _ in range(3)]
    rendered = []
    monkeypatch.setattr(shared_frames, "own_zones", lambda *a, **k: rendered.append(1) or own_zones(*a, **k))
    for browser in browsers:
        await browser.send_message(type="choose", tile="6-4")
        assert 'id="hand"' in await browser.next_frame()
    assert rendered == []  # the page already has one


async def test_an_address_sends_no_more_than_its_share(match: Match, people: list[User], settings: Settings) -> None:
    settings.RATES = {"frames": parse_rate_limits("3+1/h address, 2+1/h account")}
    ann, visitor = (
        await connect_and_read_frame(match, people[0], client=("192.0.2.1", 1)),
        await connect_and_read_frame(match, client=("192.0.2.1", 2)),
    )
    other = await connect_and_read_frame(match, people[0], client=("192.0.2.2", 1))
    answers = []
    for browser in (
        ann,
        ann,
        ann,
        other,
        visitor,
        visitor,
        await connect_and_read_frame(match, client=("192.0.2.2", 2)),
    ):
        await browser.send_message(type="seen")
        answers.append(await browser.next_frame())
    assert ["was too fast" in answer for answer in answers] == [False, False, True, True, False, True, False]


@pytest.mark.stack
async def test_a_finished_match_takes_no_move(match: Match, people: list[User]) -> None:
    await in_thread(play.stop_match)(match_id=match.pk)
    browser = await connect_and_read_frame(match, people[0])
    await browser.send_message(type="move", move="draw", v=match.version)
    assert "This match is over" in await browser.next_frame()
