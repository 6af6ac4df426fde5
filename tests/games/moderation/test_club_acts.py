"""Acts of moderators on clubs: allowed to some, logged with a reason, never in their own case."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from accounts import notices
from accounts.models import ModerationAct, User
from games.clubs import joining
from games.errors import Refused
from games.models import Club
from games.moderation import club_acts
from tests.games.clubs.site import founded, members
from tests.games.tables import person

NOW = timezone.now()
Act = Callable[[User, Club, str], None]
ACTS: dict[str, Act] = {
    "name": lambda moderator, club, reason: club_acts.hide_club_name(moderator=moderator, club=club, reason=reason),
    "text": lambda moderator, club, reason: club_acts.hide_club_text(moderator=moderator, club=club, reason=reason),
    "close": lambda moderator, club, reason: club_acts.close_club(
        moderator=moderator, club=club, reason=reason, now=NOW
    ),
}


@pytest.fixture
def club() -> Club:
    row = founded("A rude name", text="A rude text")
    members(row, "Anna")
    return row


@pytest.mark.parametrize("act", ACTS)
def test_each_act_needs_a_permission_and_a_reason_and_is_logged(act: str, club: Club, moderator: User) -> None:
    with pytest.raises(PermissionDenied):
        ACTS[act](person("Trainee", is_staff=True), club, "Rude.")
    with pytest.raises(ValidationError, match="reason"):
        ACTS[act](moderator, club, " ")
    ACTS[act](moderator, club, "Rude.")
    logged = ModerationAct.objects.get()
    expected = "close_club" if act == "close" else "hide_club_text"
    assert (logged.act, logged.target, logged.reason) == (expected, f"club:{club.slug}", "Rude.")
    with pytest.raises((ValidationError, Refused)):
        ACTS[act](moderator, club, "Rude.")


@pytest.mark.parametrize("act", ACTS)
def test_nobody_acts_in_their_own_club(act: str, club: Club, moderator: User) -> None:
    joining.join(club=club, user=moderator, now=NOW)
    with pytest.raises(ValidationError, match="concerns you"):
        ACTS[act](moderator, club, "Rude.")


def test_leaders_read_what_was_done_and_why(club: Club, moderator: User) -> None:
    leader = club.members.get(status="leader").user
    ACTS["name"](moderator, club, "Rude.")
    leader.refresh_from_db()
    (notice,) = notices.pending_notices(leader)
    assert notice.text == (f"A moderator has hidden the name or the text of your club Club {club.pk}. Reason: Rude.")
    ACTS["close"](moderator, club, "Rude again.")
    leader.refresh_from_db()
    (notice,) = notices.pending_notices(leader)
    assert notice.text == "A moderator has closed a club that you led. Reason: Rude again."


def test_a_closed_club_has_no_people_and_no_texts(club: Club, moderator: User) -> None:
    ACTS["close"](moderator, club, "Rude.")
    club.refresh_from_db()
    assert (club.closed_at, club.name, club.text, club.members_count) == (NOW, f"Club {club.pk}", "", 0)
    assert not club.members.exists()
