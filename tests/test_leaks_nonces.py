"""No page, frame, announcement, export or log line contains a nonce before the match has started."""

from __future__ import annotations

import logging

import pytest
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from games.broadcast import announcements
from games.engine.deal import nonce_commitment
from games.fair_dealing import nonces
from games.lobby import tables
from games.models import Match, MatchEvent, Message, Seat
from tests.games.lobby.test_tables import table
from tests.games.socket_browser import connect_to_table, in_thread
from tests.games.tables import person
from tests.viewers import admin_addresses, all_viewers, page_addresses, responses

pytestmark = pytest.mark.seed(1)

ABOUT_MATCHES = (Match, Seat, MatchEvent, Message)
NONCE = "the-words-of-ann"


@pytest.fixture(autouse=True)
def a_start_that_waits(settings: Settings) -> None:
    settings.NONCE_SECONDS = 5


def half_opened() -> Match:
    """Return a table at which the host's nonce is open, and the guest's is not."""
    host, guest = person("Host"), person("Guest")
    match = table(host, seats=2)
    tables.sit(match=match, user=guest)
    for user, nonce in ((host, NONCE), (guest, "another")):
        nonces.submit_nonce(match_id=match.pk, user_id=user.pk, commitment=nonce_commitment(nonce))
    tables.start_or_agree(match=match, by=host)
    nonces.submit_nonce(match_id=match.pk, user_id=host.pk, nonce=NONCE)
    match.refresh_from_db()
    assert (match.status, match.due_kind, match.seats.get(index=0).nonce) == ("open", "reveal", NONCE)
    return match


def open_the_other(match: Match) -> None:
    nonces.submit_nonce(match_id=match.pk, user_id=match.seats.get(index=1).user_id, nonce="another")


@pytest.mark.django_db
def test_pages_contain_a_nonce_only_after_the_start() -> None:
    match = half_opened()
    viewers, page = all_viewers(match), reverse("match", args=[match.slug])
    for viewer in viewers:
        addresses = [*page_addresses(match), reverse("data-export")] if viewer.user else page_addresses(match)
        if viewer.name in ("moderator", "administrator"):
            addresses += admin_addresses(match, ABOUT_MATCHES)
        texts = responses(viewer, addresses)
        assert {address for address, text in texts.items() if NONCE.encode() in text} == set(), viewer.name
        assert b'id="fairness"' in texts[page]
    open_the_other(match)
    assert NONCE.encode() in responses(viewers[1], [page])[page]


@pytest.mark.django_db
def test_no_announcement_or_log_line_ever_contains_it(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    announced: list[announcements.Announcement] = []
    monkeypatch.setattr(announcements, "_publish", announced.extend)
    with caplog.at_level(logging.DEBUG, logger="games"), django_capture_on_commit_callbacks(execute=True):
        open_the_other(half_opened())
    assert len(announced) > 4
    assert NONCE not in f"{announced} {caplog.text}"


@pytest.mark.django_db(transaction=True)
async def test_frames_contain_a_nonce_only_after_the_start() -> None:
    match = await in_thread(half_opened)()
    viewers = await in_thread(all_viewers)(match)
    browsers = [await connect_to_table(match, viewer.user) for viewer in viewers]
    for browser in browsers:
        assert NONCE not in await browser.next_frame()
        await browser.send_message(type="seen")
        assert NONCE not in await browser.next_frame()
    await in_thread(open_the_other)(match)
    for browser in browsers:
        assert NONCE in await browser.next_frame()
        await browser.disconnect()
