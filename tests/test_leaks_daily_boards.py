"""Pages of daily boards before the close: nothing for others, and for the player no results.

As in test_leaks_boards, the board goes on while the pages of others must stay the same.
"""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games.daily_boards import selectors
from games.models import BoardDay, Match
from games.services.board_days import ONE_DAY, announce_day, open_day, play_next_board
from tests.games import tables
from tests.test_leaks_boards import finish, outsiders, play_on
from tests.test_leaks_delay import NOON
from tests.viewers import Viewer, api_addresses, api_responses, new_viewer, responses

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]
DAY = "/daily/kozel/2026-01-01/"
DAILY_PAGES = ("/daily/", "/daily/kozel/", DAY, f"{DAY}proof.json", f"{DAY}check/", "/", "/?game=kozel")


def daily_board(user: User) -> Match:
    """Return the first daily board of a person, on a day that is open."""
    now = timezone.now()
    announce_day("kozel", now.date() + ONE_DAY)
    open_day("kozel", now)
    return play_next_board(user=user, variant="kozel", now=now)


def texts_for(viewer: Viewer, match: Match) -> dict[str, bytes]:
    """Return the pages of daily boards, and the responses of all endpoints that read."""
    return responses(viewer, DAILY_PAGES) | api_responses(viewer, api_addresses(match))


def test_pages_of_daily_boards_say_nothing_to_others_until_the_close() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match = daily_board(tables.person("Player"))
        viewers = outsiders(match)
        for moment in (datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2026, 1, 2, 0, 10, tzinfo=UTC)):
            clock.move_to(moment)
            before = [texts_for(viewer, match) for viewer in viewers]
            play_on(match, Random("daily"), 3 if match.version < 4 else 500)
            after = [texts_for(viewer, match) for viewer in viewers]
            for viewer, texts, later in zip(viewers, before, after, strict=True):
                assert {address for address in texts if texts[address] != later[address]} == set(), viewer.name
        assert match.status == Match.Status.FINISHED
        assert not any(match.slug.encode() in text for texts in after for text in texts.values())


def test_player_of_a_daily_board_sees_no_result_or_secret_until_the_close() -> None:
    with time_machine.travel(NOON, tick=False):
        player = tables.person("Player")
        match = daily_board(player)
        finish(match, Random("own"))
        texts = responses(new_viewer("player", player), DAILY_PAGES)
        day = BoardDay.objects.get(variant="kozel", date=timezone.now().date())
        assert match.slug.encode() in texts["/daily/kozel/"]
        assert not any(secret.encode() in text for text in texts.values() for secret in (day.secret, day.entropy))
        assert not any(b"Average of all" in text or b"Your result" in text for text in texts.values())
        with pytest.raises(ValueError, match="secret"):
            selectors.load_results(day, player, timezone.now())


def test_planted_leak_of_somebody_elses_boards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        selectors, "_own_matches", lambda _days, _viewer: {"kozel": {row.board: row for row in Match.objects.all()}}
    )
    with time_machine.travel(NOON, tick=False):
        match = daily_board(tables.person("Player"))
        viewer = next(viewer for viewer in outsiders(match) if viewer.name == "spectator")
        before = responses(viewer, DAILY_PAGES)
        finish(match, Random("planted"))
        assert responses(viewer, DAILY_PAGES) != before
