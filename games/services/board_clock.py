"""The clock of daily boards: it announces days, opens them at midnight (UTC) and closes them.

Any number of processes may run it. A day is due when it opens and when it closes. The process that works on it moves
its due time, which is a lease: after that another one goes on. Every step is short.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

import structlog
from django.conf import settings

from games.bots.boards import BOTS_VERSION
from games.models import BoardDay
from games.services import board_days
from games.services.board_days import ONE_DAY, LevelsTask, open_day
from games.site_switches import current_switches
from games.words import offered_variants
from infrastructure.outages import is_outage

log = structlog.get_logger()
LEASE = timedelta(seconds=30)  # for a step; a worker needs about 0.1 s for a board


class DueStep(NamedTuple):
    """A step that is done, or has a task for a worker first."""

    task: LevelsTask | None = None


def announce_days(*, now: datetime) -> None:
    """Commit to the secrets of the next day, and of this one on a new site.

    While operators let no match start, nothing is announced.
    """
    if not settings.SCHEDULED_TOURNAMENTS or current_switches().matches_paused:
        return
    dates = (now.date(), now.date() + ONE_DAY)
    announced = set(BoardDay.objects.filter(date__in=dates).values_list("variant", "date"))
    for date in dates:
        for variant in offered_variants():
            if (variant, date) not in announced:
                board_days.announce_day(variant, date)


def close_days_of_older_bots(*, now: datetime) -> None:
    """Close open days whose boards were played against other bots than those of this version."""
    days = BoardDay.objects.filter(opened_at__isnull=False, closed_at=None, bots_version__lt=BOTS_VERSION)
    days.filter(due_at__gt=now + LEASE).update(due_at=now)


def do_due_step(*, now: datetime) -> DueStep | None:
    """Do one step of a day that is due, None if there is none or operators have stopped the clocks.

    A day whose step fails is tried again after its lease, and stops no other.
    """
    switches = current_switches()
    if switches.matches_paused or switches.clocks_stopped:
        return None
    day = _lease_due_day(now)
    if day is None:
        return None
    try:
        return _do_step(day, now)
    except Exception as error:
        if is_outage(error):
            raise
        log.exception("board_day_failed", variant=day.variant, date=str(day.date))
        return DueStep()


def _do_step(day: BoardDay, now: datetime) -> DueStep:
    if day.opened_at is None:
        _open_day(day, now)
        return DueStep()
    task = board_days.next_levels_task(day)
    if task is None:
        board_days.close_next_boards(day, now)
    return DueStep(task)


def _lease_due_day(now: datetime) -> BoardDay | None:
    """Return a due day that no other process works on."""
    for day in BoardDay.objects.filter(due_at__lte=now, bots_version__lte=BOTS_VERSION).order_by("due_at", "pk"):
        if BoardDay.objects.filter(pk=day.pk, due_at=day.due_at).update(due_at=now + LEASE):
            return BoardDay.objects.get(pk=day.pk)  # another process may have done steps since it was read
    return None


def _open_day(day: BoardDay, now: datetime) -> None:
    """Open a day. The next one is announced first, because the entrants of this one give nonces for its deals.

    A day that passed while the site was down stays closed.
    """
    if day.date < now.date():
        BoardDay.objects.filter(pk=day.pk).update(due_at=None)
        return
    announce_days(now=now)
    open_day(day.variant, now)
