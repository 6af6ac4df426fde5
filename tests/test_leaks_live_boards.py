"""While a board is open, its tournament's open pages and the streams of the API bring nothing of it to the others.

As in test_leaks_boards, the board is played meanwhile. As in test_leaks, its hidden tiles change places. Both find
planted leaks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from games import access
from games.api import streams
from games.api.match_json import events_data
from games.models import Match, Tournament
from games.spectators import delayed
from games.tournaments import reading, socket
from games.tournaments.content import Content
from games.words import offered_variants
from tests.games.api.stream_reader import StreamReader, read_stream, secret_of
from tests.games.socket_browser import WAIT_SECONDS, Browser, in_thread, zone_names
from tests.games.tables import person, state_of
from tests.games.tournaments.site import SECOND, START, begin_round, duplicate, entrants, run_clock, running_matches
from tests.test_leaks_api import in_a_rule
from tests.test_leaks_boards import board_of, finish, outsiders, play_on
from tests.test_leaks_planted import plant
from tests.viewers import Viewer, new_viewer
from tests.worlds import clear_match_caches, hidden_tiles_swapped

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.seed(1)]
EVENTS = "/api/stream/events"
UPDATE_SECONDS = 0.5  # until an open page has its update
Key = tuple[str, str]  # the name of a viewer, and the address of a page's socket or of a stream
End = Browser | StreamReader


@dataclass
class OpenBoard:
    """An open board, and those who do not play it, each with addresses to read and a token."""

    match: Match
    viewers: Mapping[str, Viewer]
    addresses: Mapping[str, list[str]]
    tokens: Mapping[str, str]
    go_on: Callable[[], object]  # play it to its end

    @property
    def stream(self) -> str:
        return stream_of(self.match)


def stream_of(match: Match) -> str:
    return f"/api/stream/match/{match.slug}"


def open_board(match: Match, extra_viewers: list[Viewer], page: list[str], go_on: Callable[[], object]) -> OpenBoard:
    """Play the first moves of a board. Visitors have pages, but no streams."""
    play_on(match, Random("first"), 3)
    viewers = {viewer.name: viewer for viewer in [*outsiders(match), *extra_viewers]}
    people = {name: viewer.user for name, viewer in viewers.items() if viewer.user is not None}
    addresses = {name: [*page, *([EVENTS, stream_of(match)] if name in people else [])] for name in viewers}
    tokens = {name: secret_of(user) for name, user in people.items()}
    return OpenBoard(match, viewers, addresses, tokens, go_on)


def board_of_a_day() -> OpenBoard:
    match = board_of(offered_variants()["kozel"])
    return open_board(match, [], [], lambda: finish(match, Random("day")))


def board_of_a_tournament() -> OpenBoard:
    """Return a board of three tables, of which the third is still played when the first two are over."""
    tournament, host = duplicate(), person("Host")
    Tournament.objects.filter(pk=tournament.pk).update(host=host)
    begin_round(START, entrants(tournament, *"ABCDEF"))
    match, other, last = running_matches()

    def go_on() -> None:
        finish(match, Random("one"))
        finish(other, Random("other"))
        run_clock(START + 10 * SECOND, passes=2)
        assert tournament.tables.filter(stage="over").count() == 2
        clear_match_caches()

    entrant = new_viewer("entrant", last.seats.earliest("index").user)
    board = open_board(match, [new_viewer("host", host), entrant], [f"/ws/tournament/{tournament.slug}/"], go_on)
    board.addresses["entrant"].append(stream_of(last))  # of the same deal
    return board


async def connect(board: OpenBoard) -> dict[Key, End]:
    """Open all pages and streams of the viewers."""
    ends: dict[Key, End] = {}
    for name, addresses in board.addresses.items():
        for address in addresses:
            if name in board.tokens and address.startswith("/api/"):
                ends[name, address] = await read_stream(address, board.tokens[name])
            else:
                ends[name, address] = browser = Browser(address, board.viewers[name].user)
                await browser.connect()
    return ends


async def next_texts(ends: Mapping[Key, End]) -> dict[Key, str]:
    return {key: await next_text(end) for key, end in ends.items()}


async def next_text(end: End) -> str:
    return await end.next_frame() if isinstance(end, Browser) else (await end.next_bytes()).decode()


def statuses_of(ends: Mapping[Key, End], stream: str) -> set[int]:
    return {end.status for key, end in ends.items() if key[1] == stream and isinstance(end, StreamReader)}


async def close(ends: Mapping[Key, End]) -> None:
    for end in ends.values():
        await (end.disconnect() if isinstance(end, Browser) else end.leave())


async def changed(board: OpenBoard, before: Mapping[Key, str]) -> set[Key]:
    """Return where a new page or stream begins with another text than before."""
    ends = await connect(board)
    texts = await next_texts(ends)
    await close(ends)
    return {key for key, text in texts.items() if text != before[key]}


async def changed_by_tiles(board: OpenBoard, before: Mapping[Key, str]) -> set[Key]:
    """Return where the text is another one when hidden tiles change places."""
    world = hidden_tiles_swapped(board.match, None, Random("world"))
    await in_thread(world.__enter__)()
    keys = await changed(board, before)
    await in_thread(world.__exit__)(None, None, None)
    return keys


async def updated(ends: Mapping[Key, End], seconds: float) -> set[Key]:
    """Return which open pages and streams receive something within this time."""
    silent = await asyncio.gather(*(end.receive_nothing(seconds) for end in ends.values()))
    return {key for key, is_silent in zip(ends, silent, strict=True) if not is_silent}


@pytest.fixture(autouse=True)
def quick_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "MIN_INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 1000.0)


def let_everybody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "can_see", lambda _user, _match: True)


async def require_silence(board: OpenBoard, live: Mapping[Key, End], before: Mapping[Key, str]) -> None:
    assert await changed_by_tiles(board, before) == set()
    await in_thread(board.go_on)()
    assert await changed(board, before) == set()
    assert await updated(live, UPDATE_SECONDS) == set()


async def test_no_page_or_stream_changes_while_tables_of_a_tournament_are_played_and_end() -> None:
    board = await in_thread(board_of_a_tournament)()
    live = await connect(board)
    before = await next_texts(live)
    assert statuses_of(live, board.stream) == {404}
    assert '"view":{' in before["entrant", board.addresses["entrant"][-1]]
    pages = [text for key, text in before.items() if isinstance(live[key], Browser)]
    assert ["tournament-tables" in zone_names(page) for page in pages] == [True] * len(board.viewers)
    await require_silence(board, live, before)
    await close(live)


@pytest.mark.parametrize("is_admitted", [False, True])
async def test_no_stream_changes_with_a_board_of_a_day(is_admitted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the first lock fails: a stream that others may open shows them nothing."""
    if is_admitted:
        let_everybody_in(monkeypatch)
    board = await in_thread(board_of_a_day)()
    live = await connect(board)
    before = await next_texts(live)
    assert statuses_of(live, board.stream) == {200 if is_admitted else 404}
    await require_silence(board, live, before)
    await close(live)


def hands_of_boards() -> list[Any]:
    return [state_of(match).hands for match in Match.objects.exclude(source="").order_by("pk")]


@pytest.fixture
def leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant the tiles of boards in pages and events, and let everybody watch boards, with a tile in the view."""
    load_content = reading.load_content

    def leaky_content(row: Tournament) -> Content:
        content, sides = load_content(row), ((str(hands_of_boards()),),)
        return replace(content, tables=tuple(replace(table, sides=sides) for table in content.tables))

    monkeypatch.setattr(reading, "load_content", leaky_content)
    monkeypatch.setattr(streams, "events_data", lambda user: events_data(user) | {"boards": hands_of_boards()})
    let_everybody_in(monkeypatch)
    monkeypatch.setattr(delayed, "sees_delayed", lambda _table, _user, _now: False)
    plant(monkeypatch, in_a_rule)


@pytest.mark.usefixtures("leaks")
async def test_planted_leaks_are_found_in_pages_and_streams() -> None:
    board = await in_thread(board_of_a_tournament)()
    live = await connect(board)
    before = await next_texts(live)
    leaky = {key for key in before if key[1] in (EVENTS, board.stream) or key[1].startswith("/ws/")}
    assert await changed_by_tiles(board, before) == leaky
    await in_thread(board.go_on)()
    assert await changed(board, before) == leaky
    announced = {key: live[key] for key in leaky if key[1] != EVENTS}
    assert await updated(announced, WAIT_SECONDS) == announced.keys()
    await close(live)
