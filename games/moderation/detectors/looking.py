"""Looking at a match that is over: each detector once, and a report of what it finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from games import bots
from games.engine.events import Event
from games.match import disclosure, record
from games.models import Match, Report
from games.moderation.cases.reporting import ReportedPlace, report_measured
from games.moderation.detectors import findings
from games.moderation.detectors.finding import Finding
from games.moderation.detectors.findings import Find, People, throwing_in
from games.moderation.detectors.partners import Fit
from games.moderation.detectors.throwing import Choice

LATEST = timedelta(days=1)
"""Matches that ended earlier are left alone."""


def waiting(now: datetime, limit: int) -> list[int]:
    """Return finished matches that nobody has looked at, the oldest first. Those with a delay wait for its end."""
    over = Match.objects.filter(disclosure.public(), status=Match.Status.FINISHED, looked_at=None)
    rows = over.filter(finished_at__gt=now - LATEST).order_by("finished_at", "pk")
    return list(rows.values_list("pk", flat=True)[:limit])


def take(match_id: int, now: datetime) -> bool:
    """Return whether this process is the first to look at a match."""
    return bool(Match.objects.filter(pk=match_id, looked_at=None).update(looked_at=now))


def look(match_id: int, find: Find, now: datetime) -> list[Report]:
    """Ask one detector about a match, and return the reports that it made."""
    match, people = _match(match_id)
    return _report(match, find(match, people, now), now)


class Question(NamedTuple):
    """What a worker process needs to look at choices: the record, and the seats whose choices they are."""

    events: list[Event]
    seats: list[int]


def question(match_id: int) -> Question | None:
    """Return what to ask about the choices of whoever came last, None for a match of which nothing is asked."""
    match, people = _match(match_id)
    places = {seat: place or 1 for seat, place in match.seats.filter(index__in=people).values_list("index", "place")}
    last = max(places.values(), default=1)
    if not match.rated or len(people) < 2 or last == 1 or not bots.plays(match.variant):
        return None
    return Question(record.events(match_id), [seat for seat, place in places.items() if place == last])


def judge(match_id: int, choices: Mapping[int, Sequence[Choice]], now: datetime) -> list[Report]:
    """Report who chose worse than blindly."""
    match, people = _match(match_id)
    return _report(match, throwing_in(match, people, choices), now)


def pairs(match_id: int) -> Question | None:
    """Return what to ask about the people of a match who play as partners, None where there are none."""
    match, people = _match(match_id)
    seats = [seat for pair in findings.partners_among(match, people) for seat in pair]
    if not match.rated or not seats or not bots.plays(match.variant):
        return None
    return Question(record.events(match_id), seats)


def judge_pairs(match_id: int, fits: Mapping[int, Sequence[Fit]], now: datetime) -> list[Report]:
    """Report partners who chose as if they knew each other's hands."""
    match, people = _match(match_id)
    return _report(match, findings.partners_in(match, people, fits), now)


def _match(match_id: int) -> tuple[Match, People]:
    match = Match.objects.defer("secret").get(pk=match_id)
    return match, {seat: user for seat, user in match.seats.values_list("index", "user") if user}


def _report(match: Match, found: Iterable[Finding], now: datetime) -> list[Report]:
    """Report what was found. Return what was news."""
    reports = [
        report_measured(
            suspect_id=each.user_id,
            detector=each.detector,
            reason=each.reason,
            place=ReportedPlace(match, each.step),
            words=each.words,
            now=now,
        )
        for each in found
    ]
    return [told for told in reports if told]
