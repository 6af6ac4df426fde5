"""Spectators see the hands of matches in which only bots play, and in which nobody can ever take a seat."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.engine.variants import rules_for
from games.errors import Refused
from games.lobby import tables as lobby_tables
from games.match import snapshots
from games.models import Match
from games.services import demo
from tests.games import tables

pytestmark = pytest.mark.django_db
NOTE = "Hands are open: only bots play."


def visible_hands(match: Match) -> list[bool]:
    view = snapshots.current_snapshot(match.pk).view(None)
    assert view is not None
    return [seat.hand is not None for seat in view.seats]


@pytest.fixture
def bot_match() -> Match:
    demo.ensure_bot_match(rules_for("kozel"))
    return demo.exhibitions().get()


def test_hands_of_bots_are_open_and_the_page_says_so(bot_match: Match) -> None:
    assert all(visible_hands(bot_match))
    page = tables.browser_of().get(f"/match/{bot_match.slug}/").content.decode()
    assert page.count(NOTE) == 1
    assert 'class="face-up' in page


def test_nobody_can_take_a_seat_in_a_match_with_open_hands(bot_match: Match, ann: User) -> None:
    with pytest.raises(Refused, match="not_open"):
        lobby_tables.sit(match=bot_match, user=ann)


@pytest.mark.parametrize("bots", [1, 3])
def test_hands_are_closed_if_a_person_plays_or_a_bot_plays_for_one(bots: int, ann: User) -> None:
    match = tables.running_table([ann], bots=bots)
    assert not any(visible_hands(match))
    tables.hold_seat(match, ann)
    assert not any(visible_hands(match))
    assert NOTE not in tables.browser_of().get(f"/match/{match.slug}/").content.decode()
