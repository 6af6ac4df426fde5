"""Players' nonces over the socket."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import User
from games.engine.deal import nonce_commitment
from games.fair_dealing import nonces
from games.lobby import tables as lobby_tables
from games.models import Match
from games.sockets.player import NOTHING_NEW
from tests.games import tables
from tests.games.socket_browser import connect_and_read_frame, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


class TestNonces:
    """The page's part of the shuffle goes over the socket; what it has to know stands in its frames."""

    @pytest.fixture
    def table(self, people: list[User], settings: Settings) -> Match:
        settings.NONCE_SECONDS = 5
        match = tables.open_table(people)
        match.seats.update(nonce="", nonce_commitment="")
        return match

    @pytest.mark.stack
    async def test_a_start_is_two_frames_for_each_page(self, table: Match, people: list[User]) -> None:
        browsers = [await connect_and_read_frame(table, user) for user in people]
        for number, browser in enumerate(browsers):
            await browser.send_message(type="nonce", commitment=nonce_commitment(f"secret {number}"), nonce="")
            for other in browsers:
                assert nonce_commitment(f"secret {number}") in await other.next_frame()
        await in_thread(lobby_tables.start_or_agree)(match=table, by=people[0])
        for browser in browsers:
            assert 'data-stage="reveal"' in await browser.next_frame()
        await browsers[0].send_message(type="nonce", commitment="", nonce="secret 0")
        for browser in browsers:
            assert "secret 0" not in await browser.next_frame()
        await browsers[1].send_message(type="nonce", commitment="", nonce="secret 1")
        for browser in browsers:
            frame = await browser.next_frame()
            assert 'class="tiles' in frame
            assert "secret 0" in frame
            assert "secret 1" in frame

    async def test_late_nonce_is_ignored(self, match: Match, people: list[User]) -> None:
        browser = await connect_and_read_frame(match, people[0])
        await browser.send_message(type="nonce", nonce="late")
        await browser.send_message(type="seen")
        assert await browser.next_frame() == NOTHING_NEW

    @pytest.mark.parametrize("values", [{"commitment": "short"}, {"nonce": 7}, {"commitment": []}, {}])
    async def test_invalid_nonces_are_refused(self, table: Match, people: list[User], values: dict[str, Any]) -> None:
        browser = await connect_and_read_frame(table, people[0])
        await browser.send_message(type="nonce", **values)
        assert "The site did not understand that." in await browser.next_frame()

    async def test_a_visitor_is_refused_without_the_database(
        self, table: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        browser = await connect_and_read_frame(table)
        monkeypatch.setattr(nonces, "submit_nonce", None)
        await browser.send_message(type="nonce", nonce="mine")
        assert "You do not have a seat at this table." in await browser.next_frame()
