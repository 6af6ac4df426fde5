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
from infrastructure.limit_settings import rates
from tests.games import tables
from tests.games.socket_browser import in_thread, watch
from tests.games.sockets.test_table import turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("nothing_logged_as_our_error")]


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
async def test_what_cannot_be_read_gets_an_answer_and_changes_nothing(
    match: Match, people: list[User], frame: str, says: str
) -> None:
    browser = await watch(match, people[0])
    await browser.send_to(text_data=frame)
    answer = await browser.frame()
    if 'id="notice"' not in answer:  # a stale page is brought up to date first
        answer = await browser.frame()
    assert says in answer
    assert (await in_thread(tables.row_of)(match)).version == match.version
    await browser.say(type="seen")
    assert await browser.frame() == NOTHING_NEW


async def test_bytes_get_an_answer(match: Match, people: list[User]) -> None:
    browser = await watch(match, people[0])
    await browser.send_to(bytes_data=b"\x00\xff")
    assert "did not understand" in await browser.frame()


@pytest.mark.parametrize(
    ("move", "says"), [("<b>6-4</b>", "did not understand that move"), ("9-9", "did not understand that move")]
)
async def test_an_unreadable_move_is_answered_without_an_echo(match: Match, move: str, says: str) -> None:
    browser = await watch(match, await in_thread(tables.to_move)(match))
    await browser.say(type="move", move=move, v=match.version)
    answer = await browser.frame()
    assert says in answer
    assert move not in answer


async def test_somebody_elses_tile_and_turn_are_refused_in_words(match: Match, people: list[User]) -> None:
    mover = await in_thread(tables.to_move)(match)
    other = people[1 - people.index(mover)]
    browser = await watch(match, other)
    await browser.say(**await in_thread(turn)(match))
    assert "It is not your turn" in await browser.frame()
    hand = (await in_thread(tables.state_of)(match)).hands[people.index(other)]
    mine = await watch(match, mover)
    await mine.say(type="move", move=f"{hand[0][0]}-{hand[0][1]}", v=match.version)
    assert 'id="notice"' in await mine.frame()
    assert (await in_thread(tables.row_of)(match)).version == match.version


async def test_who_does_not_sit_there_is_told_so(match: Match) -> None:
    for user in (None, await in_thread(tables.person)()):
        browser = await watch(match, user)
        await browser.say(**await in_thread(turn)(match))
        assert "You do not have a seat at this table" in await browser.frame()
        await browser.say(type="ready", v=1)
        assert "You do not have a seat at this table" in await browser.frame()


async def test_who_does_not_sit_there_is_refused_from_memory(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand visitors who press what they may not must not make the players wait for the database."""
    browsers = [await watch(match), await watch(match, await in_thread(tables.person)())]
    monkeypatch.setattr(player, "in_database", asked_in_vain)
    monkeypatch.setattr(move_queue, "in_database", asked_in_vain)
    monkeypatch.setattr(match_reads, "in_database", asked_in_vain)
    for browser in browsers:
        for act in ({"type": "ready"}, {"type": "move", "move": "6-4", "v": match.version}):
            await browser.say(**act)
            assert "You do not have a seat at this table" in await browser.frame()
    await browsers[0].say(type="chat", text="Hello")
    assert "You need a name" in await browsers[0].frame()


def asked_in_vain(*_args: object, **_kwargs: object) -> None:
    raise AssertionError("the database was asked")


async def test_a_choice_of_who_watches_is_drawn_once(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    browsers = [await watch(match) for _ in range(3)]
    rendered = []
    monkeypatch.setattr(shared_frames, "own_zones", lambda *a, **k: rendered.append(1) or own_zones(*a, **k))
    for browser in browsers:
        await browser.say(type="choose", tile="6-4")
        assert 'id="hand"' in await browser.frame()
    assert rendered == []  # the page already has one


async def test_an_address_sends_no_more_than_its_share(match: Match, people: list[User], settings: Settings) -> None:
    settings.RATES = {"frames": rates("3+1/h address, 2+1/h account")}
    ann, visitor = await watch(match, people[0], client=("192.0.2.1", 1)), await watch(match, client=("192.0.2.1", 2))
    other = await watch(match, people[0], client=("192.0.2.2", 1))
    answers = []
    for browser in (ann, ann, ann, other, visitor, visitor, await watch(match, client=("192.0.2.2", 2))):
        await browser.say(type="seen")
        answers.append(await browser.frame())
    assert ["was too fast" in answer for answer in answers] == [False, False, True, True, False, True, False]


@pytest.mark.stack
async def test_a_finished_match_takes_no_move(match: Match, people: list[User]) -> None:
    await in_thread(play.stop_match)(match_id=match.pk)
    browser = await watch(match, people[0])
    await browser.say(type="move", move="draw", v=match.version)
    assert "This match is over" in await browser.frame()
