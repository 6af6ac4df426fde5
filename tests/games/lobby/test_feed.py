"""The sockets of the lobby: each hears of the games that its page shows."""

from __future__ import annotations

import pytest

from games.lobby import tables as lobby_tables
from games.terms.presets import presets_of
from games.words import offered_variants, words_of
from tests.games import tables
from tests.games.socket_browser import Browser, in_thread

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]
GAMES = list(offered_variants())


def open_each() -> None:
    """Open a table of each game."""
    for rules in offered_variants().values():
        lobby_tables.open_table(host=tables.person(), terms=presets_of(rules)[0].terms)


async def first_frame(address: str) -> str:
    browser = Browser(address)
    await browser.connect()
    frame = await browser.next_frame()
    await browser.disconnect()
    return frame


def linked_games(frame: str) -> list[str]:
    """Return the games whose name is the link of a table."""
    return [game for game in GAMES if f">{words_of(game).name}</a>" in frame]


async def test_lists_are_filtered_by_game() -> None:
    await in_thread(open_each)()
    assert linked_games(await first_frame("/ws/lobby/")) == GAMES
    assert linked_games(await first_frame("/ws/lobby/?game=chess")) == GAMES
    for game in GAMES:
        assert linked_games(await first_frame(f"/ws/lobby/?game={game}")) == [game]
