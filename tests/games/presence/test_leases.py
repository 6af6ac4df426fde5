"""Leases decide who is away, and the table shows it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from games.models import Match, Seat
from games.presence import leases
from tests.games import tables

pytestmark = pytest.mark.stack
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def ann(db: None) -> User:
    return tables.person("Ann")


@pytest.fixture
def match(ann: User) -> Match:
    match = tables.running_table([ann, tables.person("Bob")], bots=1)
    leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=NOW)
    return match


def is_away(match: Match, user: User | None) -> bool:
    return Seat.objects.get(match=match, user=user).away


def test_a_lease_lasts_45_seconds(match: Match, ann: User) -> None:
    assert leases.mark_away(now=NOW + timedelta(seconds=45)) == 0
    assert not is_away(match, ann)
    assert leases.mark_away(now=NOW + timedelta(seconds=46)) == 1
    assert is_away(match, ann)


def test_each_change_is_shown_once(match: Match, ann: User) -> None:
    revision = tables.locked_row(match).revision
    later = NOW + timedelta(minutes=1)
    leases.mark_away(now=later)
    leases.mark_away(now=later)
    assert tables.locked_row(match).revision == revision + 1
    leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=later)
    leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=later)
    assert tables.locked_row(match).revision == revision + 2
    assert not is_away(match, ann)


def test_leases_do_not_change_the_deadline(match: Match, ann: User) -> None:
    before = tables.locked_row(match)
    leases.mark_away(now=NOW + timedelta(hours=1))
    after = tables.locked_row(match)
    assert (after.due_at, after.due_kind, after.version) == (before.due_at, before.due_kind, before.version)


def close(match: Match, user: User, *, renewed_at: datetime, after: int) -> None:
    """Close the last page that this process knows of, so many seconds after noon."""
    now = NOW + timedelta(seconds=after)
    leases.release_seat_lease(match_id=match.pk, user_id=user.pk, renewed_at=renewed_at, now=now)


def away_at(match: Match, user: User, seconds: int) -> bool:
    leases.mark_away(now=NOW + timedelta(seconds=seconds))
    return is_away(match, user)


def test_closed_page_makes_its_person_away_after_four_seconds(match: Match, ann: User) -> None:
    close(match, ann, renewed_at=NOW, after=10)
    assert not away_at(match, ann, 14)
    assert away_at(match, ann, 15)


def test_closed_page_after_the_match_counts_at_once(match: Match, ann: User) -> None:
    Match.objects.filter(pk=match.pk).update(status="finished")
    close(match, ann, renewed_at=NOW, after=10)
    seat = Seat.objects.get(match=match, user=ann)
    assert leases.is_connected(seat, NOW + timedelta(seconds=14))
    assert not leases.is_connected(seat, NOW + timedelta(seconds=15))


def test_reloading_the_page_never_makes_its_person_away(match: Match, ann: User) -> None:
    close(match, ann, renewed_at=NOW, after=10)
    leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=NOW + timedelta(seconds=12))
    assert not away_at(match, ann, 57)
    assert away_at(match, ann, 58)


def test_closing_an_older_page_makes_nobody_away(match: Match, ann: User) -> None:
    leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=NOW + timedelta(seconds=9))
    close(match, ann, renewed_at=NOW, after=10)
    assert not away_at(match, ann, 54)


def test_a_connection_that_comes_and_goes_changes_nothing_at_the_table(match: Match, ann: User) -> None:
    revision = tables.locked_row(match).revision
    for second in range(0, 12, 2):
        close(match, ann, renewed_at=NOW + timedelta(seconds=second), after=second + 1)
        leases.mark_away(now=NOW + timedelta(seconds=second + 1))
        leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=NOW + timedelta(seconds=second + 2))
    assert tables.locked_row(match).revision == revision


def test_bots_are_never_away(match: Match) -> None:
    leases.mark_away(now=NOW + timedelta(hours=1))
    assert not Seat.objects.get(match=match, index=2).away


def test_a_spectator_has_no_lease(match: Match) -> None:
    revision = tables.locked_row(match).revision
    leases.renew_lease(match_id=match.pk, user_id=tables.person().pk, now=NOW)
    assert tables.locked_row(match).revision == revision
