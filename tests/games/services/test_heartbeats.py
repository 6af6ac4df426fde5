"""A heartbeat finds whatever has changed by which a page was let in or its lines are chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.http import Http404
from pytest_django import DjangoAssertNumQueries

from accounts import blocks
from accounts.models import Block, User
from games.errors import Refused
from games.match.table import Muted
from games.models import Match, MutedTable, Seat
from games.services import heartbeats
from games.services.heartbeats import PageHeartbeat
from tests.games import tables

pytestmark = pytest.mark.stack
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def ann(db: None) -> User:
    return tables.person("Ann")


@pytest.fixture
def match(ann: User) -> Match:
    return tables.running_table([ann, tables.person("Bob")], bots=1)


def page_of(user: User, match: Match, *, seated: bool = True) -> PageHeartbeat:
    """Return a page that has sent a heartbeat before."""
    page = PageHeartbeat(user, match.slug, match.pk, {}, is_seated=seated, admission_inputs=(), lag_ms=None)
    return replace(page, admission_inputs=heartbeats.handle_heartbeat(page, now=NOW).admission_inputs)


def test_heartbeat_without_changes_admits_nobody_again(
    match: Match, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page = page_of(ann, match)
    later = NOW + timedelta(seconds=20)
    with django_assert_num_queries(2):
        finding = heartbeats.handle_heartbeat(replace(page, lag_ms=300), now=later)
    assert (finding.admission, finding.revision) == (None, tables.locked_row(match).revision)
    seat = Seat.objects.get(match=match, user=ann)
    assert (seat.last_seen, seat.lag_ms) == (later, 300)


def test_unmeasured_lag_keeps_its_value(match: Match, ann: User) -> None:
    page = page_of(ann, match)
    heartbeats.handle_heartbeat(replace(page, lag_ms=300), now=NOW)
    heartbeats.handle_heartbeat(page, now=NOW)
    assert Seat.objects.get(match=match, user=ann).lag_ms == 300


@pytest.mark.parametrize("columns", [{"is_active": False}, {"password": "another"}])
def test_heartbeat_reports_lost_access(match: Match, ann: User, columns: dict[str, str | bool]) -> None:
    page = page_of(ann, match)
    User.objects.filter(pk=ann.pk).update(**columns)
    with pytest.raises(Refused, match="ended"):
        heartbeats.handle_heartbeat(page, now=NOW)


def test_heartbeat_reports_a_deleted_or_void_match(match: Match) -> None:
    page = page_of(tables.person("Cat"), match, seated=False)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    with pytest.raises(Http404):
        heartbeats.handle_heartbeat(page, now=NOW)
    match.delete()
    with pytest.raises(Http404):
        heartbeats.handle_heartbeat(page, now=NOW)


def test_blocked_spectator_is_kept_out(match: Match, ann: User) -> None:
    cat, dan = tables.person("Cat"), tables.person("Dan")
    page = page_of(cat, match, seated=False)
    Block.objects.create(blocker=dan, blocked=cat)
    assert heartbeats.handle_heartbeat(page, now=NOW).admission is not None
    page = page_of(cat, match, seated=False)
    Seat.objects.filter(match=match, user=ann).update(user=dan)
    with pytest.raises(Http404):
        heartbeats.handle_heartbeat(page, now=NOW)


def blocks_another_instead(ann: User, match: Match) -> Muted:
    """Nobody is told, and as many are blocked as before."""
    eve = tables.person("Eve")
    Block.objects.filter(blocker=ann).delete()
    Block.objects.create(blocker=ann, blocked=eve)
    return Muted(frozenset([eve.pk]))


def mutes_the_table(ann: User, match: Match) -> Muted:
    MutedTable.objects.create(user=ann, match=match)
    return Muted(blocks.blocked_ids(ann.pk), table=True)


def reads_phrases_only(ann: User, match: Match) -> Muted:
    ann.reads_typed = False
    ann.save()
    return Muted(blocks.blocked_ids(ann.pk), hides_typed_lines=True)


@pytest.mark.parametrize("change", [blocks_another_instead, mutes_the_table, reads_phrases_only])
def test_heartbeat_finds_changes_of_mutes_and_blocks(
    match: Match, ann: User, change: Callable[[User, Match], Muted]
) -> None:
    blocks.block(blocker=ann, blocked=tables.person("Cat"))
    page = page_of(ann, match)
    expected = change(ann, match)
    admitted = heartbeats.handle_heartbeat(page, now=NOW).admission
    assert admitted is not None
    assert admitted[1] == expected
