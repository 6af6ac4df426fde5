"""Whatever anybody does who is shown a match later than it is played: no answer tells that it is over by now.

Everybody tries every form and every word of every socket, before and after the end, while the clock stands still: all
that is answered stays the same, byte for byte. And nothing comes by itself.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest
import time_machine

from accounts.models import User
from games.broadcast.database_threads import in_database
from games.lobby.socket import LobbySocket
from games.models import Match
from games.review import analysis, review
from games.services import play
from games.sockets import table as sockets_table
from games.sockets.presence_exchange import presence_exchange
from games.words import offered_variants
from tests.games import tables
from tests.games.socket_browser import Browser, in_thread
from tests.test_leaks_delay import NOON, delayed_table, go_on, play_into, rolled_back
from tests.viewers import Viewer, content_without_tokens, match_addresses, new_viewer
from tests.worlds import clear_match_caches

pytestmark = [pytest.mark.filterwarnings("ignore:StreamingHttpResponse"), pytest.mark.seed(1)]
POSTED = {
    "move": "6-4",
    "v": "1",
    "text": "Hello",
    "at": "2",
    "as": "public",
    "index": "0",
    "nonce": "0" * 32,
    "commitment": "0" * 64,
}
SAID: list[dict[str, Any]] = [
    *({"type": kind} for kind in ("seen", "ready", "leave", "stop", "hint", "choose", "nonce", "chat", "lead")),
    {"type": "move", "move": "6-4", "v": 1},
    {"type": "move", "move": "6-4", "v": 10**6},
    {"type": "choose", "tile": "6-4"},
    {"type": "hint", "hints": "on"},
    {"type": "chat", "text": ""},
    {"type": "nonce", **{name: POSTED[name] for name in ("nonce", "commitment")}},
]
KINDS = ["visitor", "guest", "account", "player of another match"]
# The number of a chat line, which counts all lines of the site, and the digests of zones, one of which contains it.
LINE = re.compile(rb' id="m\d+"|;line=\d+|\?shown=[\w.]+')


@pytest.fixture(autouse=True)
def nothing_is_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "request_analysis", lambda *_about, **_whose: None)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def outsiders() -> list[Viewer]:
    """Return everybody who has no seat at the table, of each kind one."""
    guest, account, player = tables.person("Gail", is_guest=True), tables.person("Ada"), tables.person("Pia")
    tables.running_table([player, tables.person("Quin")])
    return [new_viewer(name, user) for name, user in zip(KINDS, (None, guest, account, player), strict=True)]


def delayed(clock: time_machine.Traveller) -> Match:
    match, _spectator = delayed_table(offered_variants()["kozel"], Match.Delay.LONG)
    play_into(1, match, Random("acts"), clock)
    clock.shift(118)  # so that something is shown by now
    return match


def end(match: Match) -> None:
    go_on(match, Random("the end"))
    match.refresh_from_db()
    assert match.status not in Match.UNFINISHED
    clear_match_caches()


def form_responses(someone: Viewer, match: Match, addresses: Iterable[str]) -> dict[str, bytes]:
    """Return what is answered to a form at each of these addresses, and the page that follows."""
    responses = {}
    for address in addresses:
        with rolled_back():
            answer = someone.client.post(address, POSTED)
            where = answer.get("Location", "")
            content = b"%d %s " % (answer.status_code, where.encode()) + content_without_tokens(answer)
            if match.slug in where and where.startswith("/match/"):
                content += content_without_tokens(someone.client.get(where))
            responses[address] = LINE.sub(b"", content)
        if someone.user is None:  # but a form has made a guest of the visitor
            someone.client.cookies.clear()
    return responses


def revealing_addresses(someone: Viewer, match: Match, page: str = "") -> set[str]:
    """Return the addresses (of the match, that end so) whose answer is another one when the match has ended."""
    addresses = [address for address in match_addresses(match) if address.endswith(page)]
    before = form_responses(someone, match, addresses)
    with rolled_back():
        end(match)
        after = form_responses(someone, match, addresses)
    match.refresh_from_db()
    return {address for address in before if before[address] != after[address]}


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_names")
def test_no_form_tells_that_the_match_is_over(clock: time_machine.Traveller) -> None:
    match = delayed(clock)
    changed = {someone.name: revealing_addresses(someone, match) for someone in outsiders()}
    assert changed == {kind: set() for kind in KINDS}
    host = new_viewer("host", match.seats.get(index=0).user, 0)
    assert revealing_addresses(host, match, "/ready/")


@pytest.mark.django_db
def test_a_form_that_tells_it_is_found(clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "is_over_for", lambda _user, match: match.finished_at is not None)
    match = delayed(clock)
    assert revealing_addresses(outsiders()[0], match, "/opinion/")


async def socket_responses(user: User | None, match: Match) -> list[str | int]:
    """Return the answers to all that can be said over the sockets of the match and the lobby, and how they close."""
    frames: list[str | int] = []
    for kind, address in (("table", f"match/{match.slug}"), ("review", f"review/{match.slug}"), ("lobby", "lobby")):
        browser = Browser(f"/ws/{address}/", user)
        await browser.connect()
        frames.append(await browser.next_frame())
        if kind == "review":
            frames.append(await browser.close_code())
        elif kind == "table":
            for frame in SAID:
                await browser.send_message(**frame)
                frames.append(await browser.next_frame())
        await browser.disconnect()
    return frames


@pytest.fixture
def patient_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.sockets.base.TokenBucket.take_token", lambda _self, _now: True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("patient_sockets")
async def test_no_socket_tells_that_the_match_is_over(clock: time_machine.Traveller) -> None:
    match, everybody = await in_thread(lambda: (delayed(clock), outsiders()))()
    before = [await socket_responses(someone.user, match) for someone in everybody]
    await in_thread(end)(match)
    for someone, frames in zip(everybody, before, strict=True):
        assert await socket_responses(someone.user, match) == frames, someone.name
    assert "You do not have a seat at this table" in str(before[0])


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("patient_sockets")
async def test_a_socket_that_tells_it_is_found(clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ready(socket: sockets_table.TableSocket, _data: object) -> None:
        await in_database(play.mark_ready, match_id=socket.match_id, user_id=socket.user_id)

    monkeypatch.setattr(sockets_table.TableSocket, "mark_ready", ready)
    match = await in_thread(delayed)(clock)
    before = await socket_responses(None, match)
    await in_thread(end)(match)
    assert await socket_responses(None, match) != before


@pytest.mark.django_db(transaction=True)
async def test_no_update_reveals_an_undisclosed_end(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LobbySocket, "update_interval_seconds", 0)
    match, everybody = await in_thread(lambda: (delayed(clock), outsiders()))()
    seated = await in_thread(lambda: match.seats.get(index=0).user)()
    browsers = [
        Browser(f"/ws/{where}/", user)
        for user in (*(someone.user for someone in everybody), seated)
        for where in ("lobby", f"match/{match.slug}")
    ]
    for browser in browsers:
        await browser.connect()
        await browser.next_frame()
    await presence_exchange().exchange_once()
    # Lobbies show the number of people who came after them: wait until all are quiet at the same time.
    while not all(silences := await asyncio.gather(*(browser.receive_nothing(1) for browser in browsers))):
        for browser, is_silent in zip(browsers, silences, strict=True):
            if not is_silent:
                await browser.next_frame()
    await in_thread(end)(match)
    *outside, _lobby, table = browsers
    assert await table.next_frame()
    await presence_exchange().exchange_once()
    assert all(await asyncio.gather(*(browser.receive_nothing(0.2) for browser in outside)))
