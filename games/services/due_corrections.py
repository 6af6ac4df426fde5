"""Corrects due dates too far in the future: the system's clock was set back after they were written.

Otherwise a table whose bot or next round is due would wait until the clock has caught up.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from games.broadcast import announcements
from games.enums import DAILY_CLOCKS, Clock, Due, Status
from games.lobby.tables import CHECK_AFTER
from games.match.time_control import MAX_MOVE_CREDIT_MS, TIME_CONTROLS
from games.models import Match
from games.services.downtime import RECONNECT_GRACE
from games.services.turns import MAX_UNTIMED_TURN

log = structlog.get_logger()
SHORT_DUE_KINDS = (Due.BOT, Due.PASS, Due.ROUND, Due.HOLD, Due.FILL, Due.COMMIT, Due.REVEAL)
MAX_SHORT_WAIT = timedelta(minutes=3)
DEADLINE_MARGIN = RECONNECT_GRACE + timedelta(minutes=1)  # deadlines move by ``RECONNECT_GRACE`` after an outage


def correct_due_dates(*, now: datetime) -> int:
    """Correct due dates that are further away than any rule allows. Return how many.

    Bots and rounds continue at once; people get the longest time that a turn can have.
    """
    number = sum(_correct_due_times(matches, longest, new, now) for matches, longest, new in _limits())
    if number:
        log.warning("clock_set_back", matches=number)
    return number


def _limits() -> Iterator[tuple[Q, timedelta, timedelta]]:
    """Yield groups of matches, each with the longest time to its due date and the time that a correction sets."""
    yield Q(due_kind__in=SHORT_DUE_KINDS), MAX_SHORT_WAIT * max(1, settings.PACE), timedelta()
    yield (
        Q(status=Status.OPEN, due_kind=Due.ABANDON) & ~Q(clock__in=DAILY_CLOCKS),
        CHECK_AFTER + DEADLINE_MARGIN,
        CHECK_AFTER,
    )
    for clock, control in TIME_CONTROLS.items():
        turn = timedelta(milliseconds=control.move_ms + control.bank_ms + MAX_MOVE_CREDIT_MS)
        if clock == Clock.NONE:
            turn = MAX_UNTIMED_TURN
        people = Q(status=Status.RUNNING, clock=clock, due_kind__in=(Due.TIMEOUT, Due.ABANDON))
        yield people, turn + DEADLINE_MARGIN, turn


def _correct_due_times(matches: Q, longest: timedelta, new: timedelta, now: datetime) -> int:
    too_far = Match.objects.filter(matches, due_at__gt=now + longest)
    corrected = 0
    for match_id in list(too_far.values_list("pk", flat=True)):
        with transaction.atomic():
            if too_far.filter(pk=match_id).update(due_at=now + new):
                Match.objects.filter(pk=match_id, turn_started_at__gt=now).update(turn_started_at=now)
                announcements.touch_table(match_id)
                corrected += 1
    return corrected
