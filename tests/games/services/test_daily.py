"""Matches by the day: nobody has to be there at the same time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.errors import Refused
from games.lobby import tables as lobby_tables
from games.models import Match, Seat
from games.presence import leases
from games.services import absence, due_events, seating
from games.services.desertion import deserted_matches
from games.terms.terms import Terms
from tests.games import tables
from tests.games.tables import locked_row, person


def daily_table(host: User, **changed: Any) -> Match:
    return lobby_tables.open_table(host=host, terms=replace(Terms("kozel", 2, clock="1-day"), **changed))


def close_all_pages(match: Match, at: datetime) -> None:
    for seat in match.seats.exclude(user=None):
        leases.release_seat_lease(match_id=match.pk, user_id=seat.user_id, renewed_at=at, now=at)


def test_a_table_keeps_its_seats_without_a_page_and_starts_when_the_last_is_taken() -> None:
    ann, now = person("Ann"), timezone.now()
    match = daily_table(ann)
    close_all_pages(match, now)
    for days in (1, 6):
        due_events.fire_due_events(now=now + timedelta(days=days))
        assert match.seats.get(index=0).user == ann
    lobby_tables.sit(match=match, user=person("Ben"))
    due_events.fire_due_events(now=timezone.now() + timedelta(minutes=1))
    due_events.fire_due_events(now=timezone.now() + timedelta(minutes=1))
    assert locked_row(match).status == Match.Status.RUNNING


@pytest.mark.stack
def test_empty_daily_table_closes_after_a_week() -> None:
    match = daily_table(person("Ann"))
    due_events.fire_due_events(now=timezone.now() + timedelta(days=7, minutes=1))
    match.refresh_from_db()
    assert match.status == Match.Status.VOID


def test_nobody_is_held_for_a_closed_page_and_the_match_is_not_deserted() -> None:
    match = tables.running_table([person("Ann"), person("Ben")], clock="1-day")
    now = timezone.now()
    close_all_pages(match, now)
    later = now + timedelta(hours=20)
    leases.mark_away(now=later)
    absence.hold_disconnected_seats(now=later)
    due_events.fire_due_events(now=later)
    assert set(match.seats.values_list("state", flat=True)) == {Seat.State.ACTIVE}
    assert not deserted_matches(later).exists()
    assert locked_row(match).due_at is not None


def test_the_turn_lasts_its_days_and_then_the_clock_moves() -> None:
    match = tables.running_table([person("Ann"), person("Ben")], clock="2-days")
    row = locked_row(match)
    assert row.due_at is not None
    assert row.turn_started_at is not None
    assert row.due_at - row.turn_started_at == timedelta(days=2)
    due_events.fire_due_events(now=row.due_at + timedelta(seconds=1))
    assert match.seats.get(index=row.to_move).state == Seat.State.LATE


def test_matches_by_the_day_have_a_limit_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MAX_DAILY_TABLES_PER_PERSON", 4)
    monkeypatch.setattr(seating, "MAX_OPEN_DAILY_TABLES_PER_HOST", 10)
    ann = person("Ann")
    for _ in range(4):
        daily_table(ann)
    with pytest.raises(Refused) as caught:
        daily_table(ann)
    assert str(caught.value.text) == "You are already in 4 matches. Finish or leave one first."
    for _ in range(seating.MAX_TABLES_PER_PERSON):
        daily_table(ann, clock="normal")
    with pytest.raises(Refused) as caught:
        daily_table(ann, clock="normal")
    assert str(caught.value.text) == "You are already in 3 matches. Finish or leave one first."
