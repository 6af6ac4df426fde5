"""Who is away: a lease, shown at the table, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from games.models import Match, Seat
from games.services import presence
from tests.games import tables

pytestmark = [pytest.mark.django_db, pytest.mark.stack]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def ann(db: None) -> User:
    return tables.person("Ann")


@pytest.fixture
def match(ann: User) -> Match:
    match = tables.running_table([ann, tables.person("Bob")], bots=1)
    presence.seen(match_id=match.pk, user_id=ann.pk, now=NOW)
    return match


def is_away(match: Match, user: User | None) -> bool:
    return Seat.objects.get(match=match, user=user).away


def test_a_lease_lasts_45_seconds(match: Match, ann: User) -> None:
    assert presence.sweep(now=NOW + timedelta(seconds=45)) == 0
    assert not is_away(match, ann)
    assert presence.sweep(now=NOW + timedelta(seconds=46)) == 1
    assert is_away(match, ann)


def test_each_change_is_shown_once(match: Match, ann: User) -> None:
    revision = tables.row_of(match).revision
    later = NOW + timedelta(minutes=1)
    presence.sweep(now=later)
    presence.sweep(now=later)
    assert tables.row_of(match).revision == revision + 1
    presence.seen(match_id=match.pk, user_id=ann.pk, now=later)
    presence.seen(match_id=match.pk, user_id=ann.pk, now=later)
    assert tables.row_of(match).revision == revision + 2
    assert not is_away(match, ann)


def test_the_turn_and_its_deadline_do_not_care(match: Match, ann: User) -> None:
    before = tables.row_of(match)
    presence.sweep(now=NOW + timedelta(hours=1))
    after = tables.row_of(match)
    assert (after.due_at, after.due_kind, after.version) == (before.due_at, before.due_kind, before.version)


def test_a_closed_page_is_away_after_25_seconds_unless_another_one_is_open_and_beats_every_20(
    match: Match, ann: User
) -> None:
    presence.gone(match_id=match.pk, user_id=ann.pk, now=NOW)
    assert presence.sweep(now=NOW + timedelta(seconds=25)) == 0
    presence.seen(match_id=match.pk, user_id=ann.pk, now=NOW + timedelta(seconds=20))
    assert presence.sweep(now=NOW + timedelta(seconds=26)) == 0
    presence.gone(match_id=match.pk, user_id=ann.pk, now=NOW + timedelta(seconds=30))
    assert presence.sweep(now=NOW + timedelta(seconds=56)) == 1


def test_a_closing_page_never_lengthens_the_lease(match: Match, ann: User) -> None:
    presence.gone(match_id=match.pk, user_id=ann.pk, now=NOW + timedelta(seconds=44))
    assert Seat.objects.get(match=match, user=ann).last_seen == NOW


def test_bots_are_never_away(match: Match) -> None:
    presence.sweep(now=NOW + timedelta(hours=1))
    assert not Seat.objects.get(match=match, index=2).away


def test_a_spectator_has_no_lease(match: Match) -> None:
    revision = tables.row_of(match).revision
    presence.seen(match_id=match.pk, user_id=tables.person().pk, now=NOW)
    assert tables.row_of(match).revision == revision
