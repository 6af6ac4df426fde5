"""The match as spectators may see it: with a delay, as it was at an earlier time.

All code that shows a match to spectators uses this module. Players always see the newest state. Before the start, and
once the end is public, everybody does. With a delay in seconds, spectators see the match as it was that long ago. With
a delay of one round, they watch the previous round at its original pace, and after the match the last one. That round
is over, so its hands may be shown open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from games import caches
from games.caches import ProcessCache
from games.enums import Occupant, SeatState
from games.match import disclosure, record, selectors, snapshots
from games.match.disclosure import DELAY_SECONDS
from games.match.moments import EPOCH, MILLISECOND
from games.match.snapshots import Snapshot
from games.match.table import Person, Table
from games.models import Match, Seat


class Cutoff(NamedTuple):
    """The end of the visible part of a record."""

    at: datetime  # spectators see the events up to here
    last: datetime  # the latest event that they may see until something new happens at the table
    delay: timedelta  # from an event until spectators see it


@dataclass(frozen=True, slots=True)
class DelayedView:
    """A match with a delay as spectators see it."""

    snapshot: Snapshot
    table_revision: int  # the newest revision of the table that it takes into account
    due: datetime | None  # when spectators will see more; None if not until something new happens


_views: ProcessCache[DelayedView] = caches.delayed_views


def sees_delayed(table: Table, user_id: int | None, now: datetime) -> bool:
    """Return True if this viewer sees the match with a delay."""
    return not disclosure.are_all_events_public(table, now) and table.seat_of(user_id) is None


def snapshot_for(match_id: int, user_id: int | None) -> Snapshot:
    """Return the match as this viewer may see it now. Raises Match.DoesNotExist."""
    newest_snapshot = snapshots.current_snapshot(match_id)
    now = timezone.now()
    return (
        delayed_view(newest_snapshot.table, now).snapshot
        if sees_delayed(newest_snapshot.table, user_id, now)
        else newest_snapshot
    )


def chat_cutoff(match_id: int, user_id: int | None) -> datetime | None:
    """Return the time up to which this viewer may read the chat, None for all of it. Raises Match.DoesNotExist."""
    table, now = snapshots.current_snapshot(match_id).table, timezone.now()
    return cutoff_for_spectators(table, now).at if sees_delayed(table, user_id, now) else None


def cached_view(table: Table, now: datetime) -> DelayedView | None:
    """Return the spectators' view if this process has it cached and it is still valid."""
    entry = _views().get_entry(table.match_id)
    if entry is None or entry[1].table_revision < table.revision or (entry[1].due and entry[1].due <= now):
        return None
    return entry[1]


def delayed_view(table: Table, now: datetime) -> DelayedView:
    """Return the spectators' view; ``table`` is the current table."""
    if (view := cached_view(table, now)) is not None:
        return view
    cutoff = cutoff_for_spectators(table, now)
    version = record.version_at(table.match_id, cutoff.at)
    revision = version + selectors.count_chat_changes(table.match_id, cutoff.at)
    entry = _views().get_entry(table.match_id)
    if entry is not None and entry[0] == revision:
        snapshot = entry[1].snapshot
    else:
        snapshot = snapshot_at(table, version, revision, cutoff.at)
    view = DelayedView(snapshot, table.revision, next_change_at(table, now, cutoff))
    _views().put(table.match_id, revision, view)
    return view


def snapshot_at(table: Table, version: int, revision: int, moment: datetime) -> Snapshot:
    """Return the match at a version, with the chat up to a moment."""
    state = record.load_state(table.match_id, version) if version else None
    table = hide_progress(table)
    table_at_version = replace(
        table,
        timer=table.timer if version else replace(table.timer, deadline_ms=_visible_start_ms(table)),
        version=version,
        revision=revision,
        round=state.round.number if state else 0,
        messages=selectors.chat_lines(table.match_id, moment, earlier=table.earlier),
    )
    return Snapshot(table_at_version, state, delayed=True, open_hands=table.agreed.delay == Match.Delay.OPEN)


def _visible_start_ms(table: Table) -> int | None:
    """Return when the match begins for spectators, None if that depends on the end of its first round."""
    first = record.first_event_time_after(table.match_id, EPOCH)
    if first is None or table.agreed.delay not in DELAY_SECONDS:
        return None
    return selectors.epoch_ms(first + timedelta(seconds=DELAY_SECONDS[table.agreed.delay]))


def cutoff_for_spectators(table: Table, now: datetime) -> Cutoff:
    """Return the cutoff for spectators at this time. A board has none: they see nothing before its close."""
    if table.agreed.delay == Match.Delay.BOARD:
        return Cutoff(EPOCH, EPOCH, timedelta())
    if table.agreed.delay in DELAY_SECONDS:
        delay = timedelta(seconds=DELAY_SECONDS[table.agreed.delay])
        return Cutoff(now - delay, now, delay)
    dealt_at, shown_since = _shown_round_times(table)
    last, delay = shown_since - MILLISECOND, shown_since - dealt_at
    return Cutoff(min(now - delay, last), last, delay)


def last_event_at(table: Table, now: datetime) -> datetime | None:
    """Return when spectators saw the last event that they have seen by now, None before the first."""
    cutoff = cutoff_for_spectators(table, now)
    written_at = record.last_event_time_until(table.match_id, cutoff.at)
    return None if written_at is None else written_at + cutoff.delay


def _shown_round_times(table: Table) -> tuple[datetime, datetime]:
    """Return when the round that spectators see was dealt, and when it was first shown to them."""
    deals = record.last_deals(table.match_id, 2)
    if table.public_at is None:  # the round before the current one
        return deals[-1], deals[0]
    # The last round is shown after the match, for as long as it took to play: from its end until ``public_at``.
    return deals[0], deals[0] + (table.public_at - deals[0]) / 2


def next_change_at(table: Table, now: datetime, cutoff: Cutoff) -> datetime | None:
    """Return when spectators will see something after this cutoff."""
    change_times = (
        record.first_event_time_after(table.match_id, cutoff.at),
        selectors.next_line_at(table.match_id, cutoff.at),
    )
    due_times = [
        now + (changed_at - cutoff.at)
        for changed_at in change_times
        if changed_at is not None and changed_at <= cutoff.last
    ]
    if table.public_at is not None:
        due_times.append(table.public_at)
    return min(due_times, default=None)


def next_cached_due(now: datetime) -> datetime | None:
    """Return when spectators will next see more of a match that this process has cached."""
    due_times = [view.due for _revision, view in list(_views().values.values()) if view.due is not None]
    return min((due for due in due_times if due > now), default=None)


def hide_progress(table: Table) -> Table:
    """Return the table without data that reveal the progress of the match: clocks, presence, readiness, the result."""
    return replace(
        table,
        status=Match.Status.RUNNING,
        people=tuple(map(_person_at_start, table.people)),
        timer=table.timer.stopped(),
        rematch="",
        no_points="",
    )


def _person_at_start(person: Person) -> Person:
    kind, bot = (Occupant.HUMAN, "") if person.user_id or person.removed else (person.kind, person.bot)
    person_at_start = replace(person, kind=kind, bot=bot, state=SeatState.ACTIVE, away=False, ready=False, vote="")
    return replace(person_at_start, bank_ms=0, gains=True, rematch="", removed=False)


def undisclosed_gains(user_id: int) -> dict[str, tuple[int, int]]:
    """Return, by variant, the rating points from matches whose end is undisclosed, and the number of them."""
    sums = seats_with_undisclosed_gain(user_id).values_list("match__variant").annotate(Sum("points_gain"), Count("pk"))
    return {variant: (points, matches) for variant, points, matches in sums}


def seats_with_undisclosed_gain(user_id: int) -> QuerySet[Seat]:
    """Return the person's seats that gained rating points in matches whose end is undisclosed."""
    return Seat.objects.filter(user=user_id, match__in=disclosure.undisclosed_match_ids(), points_gain__isnull=False)
