"""Looking at a match that is over: each detector once, and a report of what it finds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from games.cases.reporting import Place, report_measured
from games.detectors import facts, stalling
from games.detectors.finding import Finding
from games.enums import Detector, ReportReason
from games.match import disclosure, record
from games.models import Match, Report

LATEST = timedelta(days=1)
"""Matches that ended earlier are left alone: nobody looked for a day, or there were no detectors yet."""
People = dict[int, int]
"""The people of a match: their ids, by their seats."""


def waiting(now: datetime, limit: int) -> list[int]:
    """Return finished matches that nobody has looked at, the oldest first. Those with a delay wait for its end."""
    over = Match.objects.filter(disclosure.public(), status=Match.Status.FINISHED, looked_at=None)
    rows = over.filter(finished_at__gt=now - LATEST).order_by("finished_at", "pk")
    return list(rows.values_list("pk", flat=True)[:limit])


def look(match_id: int, now: datetime) -> list[Report]:
    """Look at a match once, whichever process asks first, and return the reports that were made."""
    if not Match.objects.filter(pk=match_id, looked_at=None).update(looked_at=now):
        return []
    match = Match.objects.defer("secret").get(pk=match_id)
    people = {seat: user for seat, user in match.seats.values_list("index", "user") if user}
    found = [*_about_play(match, people)] if match.rated and len(people) > 1 else []
    return tell(match, found, now)


def tell(match: Match, found: list[Finding], now: datetime) -> list[Report]:
    """Report what was found. Return what was news."""
    reports = [
        report_measured(
            suspect_id=each.user_id,
            detector=each.detector,
            reason=each.reason,
            place=Place(match, each.step),
            words=each.words,
            now=now,
        )
        for each in found
    ]
    return [told for told in reports if told]


def _about_play(match: Match, people: People) -> Iterator[Finding]:
    turns = [turn for turn in facts.turns_of(record.read(match.pk), match.clock) if turn.seat in people]
    for seat, user_id in people.items():
        found = stalling.slowness(turns, seat)
        if found.measure >= stalling.THRESHOLD:
            told = {"slow": found.slow, "turns": found.turns, "others": round(100 * found.others)}
            words = _(
                "%(slow)d of %(turns)d turns took nearly all of their free time or more; %(others)d %% of the others’."
            )
            yield Finding(user_id, Detector.STALLING, ReportReason.STALLS, words % told)
