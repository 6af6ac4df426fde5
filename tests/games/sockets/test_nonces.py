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
from tests.games.socket_browser import in_thread, watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("nothing_logged_as_our_error")]


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
        browsers = [await watch(table, user) for user in people]
        for number, browser in enumerate(browsers):
            await browser.say(type="nonce", commitment=nonce_commitment(f"secret {number}"), nonce="")
            for other in browsers:
                assert nonce_commitment(f"secret {number}") in await other.frame()
        await in_thread(lobby_tables.start)(match=table, by=people[0])
        for browser in browsers:
            assert 'data-stage="reveal"' in await browser.frame()
        await browsers[0].say(type="nonce", commitment="", nonce="secret 0")
        for browser in browsers:
            assert "secret 0" not in await browser.frame()
        await browsers[1].say(type="nonce", commitment="", nonce="secret 1")
        for browser in browsers:
            frame = await browser.frame()
            assert 'class="tiles' in frame
            assert "secret 0" in frame
            assert "secret 1" in frame

    async def test_one_that_comes_too_late_is_nothing_to_tell(self, match: Match, people: list[User]) -> None:
        browser = await watch(match, people[0])
        await browser.say(type="nonce", nonce="late")
        await browser.say(type="seen")
        assert await browser.frame() == NOTHING_NEW

    @pytest.mark.parametrize("values", [{"commitment": "short"}, {"nonce": 7}, {"commitment": []}, {}])
    async def test_nonsense_is_refused(self, table: Match, people: list[User], values: dict[str, Any]) -> None:
        browser = await watch(table, people[0])
        await browser.say(type="nonce", **values)
        assert "The site did not understand that." in await browser.frame()

    async def test_a_visitor_is_refused_without_the_database(
        self, table: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        browser = await watch(table)
        monkeypatch.setattr(nonces, "submit_nonce", None)
        await browser.say(type="nonce", nonce="mine")
        assert "You do not have a seat at this table." in await browser.frame()
