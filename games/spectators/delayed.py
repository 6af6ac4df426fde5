"""What spectators may know by now: with a delay, the match as it stood at an earlier moment.

Every way to a spectator asks here. Seats see the newest; so does everybody before the start, and once it was shown how
the match ended. A delay of so many seconds shows the world of so long ago. A delay of one round shows the round
before, from its deal on, at the pace at which it was played; the end of the match is followed by its last round. Such
a round is over, so its hands may be shown open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from games.enums import Occupant
from games.match import disclosure, record, selectors, snapshots
from games.match.disclosure import SECONDS
from games.match.snapshots import Snapshot
from games.match.table import Person, Table
from games.match.versioned_cache import Newest
from games.models import Match, Seat
from infrastructure.runtime import PerProcess

INSTANT = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Showing:
    """What spectators see, when they will see more (None: not before something is done), and what it was found by.

    ``head`` is the revision that the table itself had, ``due`` the moment at which this is no longer true.
    """

    snapshot: Snapshot
    head: int
    due: datetime | None


_showings: PerProcess[Newest[Showing]] = PerProcess(partial(Newest, limit=500))


def sees_late(table: Table, user_id: int | None, now: datetime) -> bool:
    """Return whether this viewer is shown the match later than it is played."""
    return not disclosure.is_public(table, now) and table.seat_of(user_id) is None


def current(match_id: int, user_id: int | None) -> Snapshot:
    """Return the match as this viewer may see it now. Raises Match.DoesNotExist."""
    found = snapshots.current(match_id)
    now = timezone.now()
    return showing(found.table, now).snapshot if sees_late(found.table, user_id, now) else found


def known(table: Table, now: datetime) -> Showing | None:
    """Return what spectators see if this process has it, without the database."""
    entry = _showings().get(table.match_id)
    if entry is None or entry[1].head < table.revision or (entry[1].due and entry[1].due <= now):
        return None
    return entry[1]


def showing(table: Table, now: datetime) -> Showing:
    """Return what spectators see of a match that is shown late; ``table`` is its newest."""
    if (found := known(table, now)) is not None:
        return found
    moment, horizon = moments(table, now)
    version = record.version_at(table.match_id, moment)
    revision = version + selectors.changes_of_chat(table.match_id, moment)
    entry = _showings().get(table.match_id)
    if entry is not None and entry[0] == revision:
        snapshot = entry[1].snapshot
    else:
        snapshot = snapshot_at(table, version, revision, moment)
    found = Showing(snapshot, table.revision, due_after(table, now, moment, horizon))
    _showings().put(table.match_id, revision, found)
    return found


def snapshot_at(table: Table, version: int, revision: int, moment: datetime) -> Snapshot:
    """Return the match at a version, with what had been said until that moment."""
    state = record.load(table.match_id, version) if version else None
    as_of = replace(
        veiled(table),
        version=version,
        revision=revision,
        round=state.round.number if state else 0,
        messages=selectors.messages(table.match_id, moment),
    )
    return Snapshot(as_of, state, late=True, open_hands=table.delay == Match.Delay.OPEN)


def moments(table: Table, now: datetime) -> tuple[datetime, datetime]:
    """Return the moment whose world is shown now, and the last one that time alone brings nearer."""
    if table.delay in SECONDS:
        return now - timedelta(seconds=SECONDS[table.delay]), now
    deals = record.last_deals(table.match_id, 2)
    if table.public_at is None:
        began, opened = deals[-1], deals[0]
    else:  # the last round, which will have been shown as long after the end as it had been dealt before it
        began = deals[0]
        opened = began + (table.public_at - began) / 2
    horizon = opened - INSTANT
    return min(began + (now - opened), horizon), horizon


def due_after(table: Table, now: datetime, moment: datetime, horizon: datetime) -> datetime | None:
    """Return when spectators will see more than the world of this moment."""
    nexts = (record.next_after(table.match_id, moment), selectors.next_said(table.match_id, moment))
    dues = [now + (each - moment) for each in nexts if each is not None and each <= horizon]
    if table.public_at is not None:
        dues.append(table.public_at)
    return min(dues, default=None)


def next_due(now: datetime) -> datetime | None:
    """Return when spectators will next see more of any match, as far as this process has looked."""
    dues = [showing.due for _revision, showing in list(_showings().values.values()) if showing.due is not None]
    return min((due for due in dues if due > now), default=None)


def veiled(table: Table) -> Table:
    """Return the table without what tells how far the match is: clocks, who is there and ready, how it ended."""
    return replace(
        table,
        status=Match.Status.RUNNING,
        people=tuple(map(_at_the_start, table.people)),
        turn_started_ms=None,
        deadline_ms=None,
        due_kind="",
        rematch="",
        no_points="",
    )


def _at_the_start(person: Person) -> Person:
    kind = Occupant.HUMAN if person.user_id else person.kind
    return replace(person, kind=kind, away=False, ready=False, bank_ms=0, gains=True)


def gains_not_shown(user_id: int) -> dict[str, tuple[int, int]]:
    """Return the rating points, and from how many matches, whose end is not shown to all yet, by variant."""
    sums = gained_early(user_id).values_list("match__variant").annotate(Sum("rating_gain"), Count("pk"))
    return {variant: (points, matches) for variant, points, matches in sums}


def gained_early(user_id: int) -> QuerySet[Seat]:
    """Return the seats of a person whose rating points come of an end that is not shown to all yet."""
    return Seat.objects.filter(user=user_id, match__in=disclosure.withheld_keys(), rating_gain__isnull=False)
