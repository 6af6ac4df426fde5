"""Scan a finished match: each detector runs once, and its findings are reported."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from games import bots
from games.engine.events import Event
from games.match import disclosure, record
from games.models import Match, Report
from games.moderation.cases.reporting import ReportedPlace, report_finding
from games.moderation.detectors.findings import FindingDetector, SeatedPeople, human_partners

MAX_AGE = timedelta(days=1)  # matches that ended earlier are not scanned


def unscanned_matches(now: datetime, limit: int) -> list[int]:
    """Return finished matches that were not scanned, oldest first. Those with a delay wait until it is over."""
    over = Match.objects.filter(disclosure.disclosed_matches(), status=Match.Status.FINISHED, looked_at=None)
    rows = over.filter(finished_at__gt=now - MAX_AGE).order_by("finished_at", "pk")
    return list(rows.values_list("pk", flat=True)[:limit])


def claim_match(match_id: int, now: datetime) -> bool:
    """Mark a match as scanned. Return False if another process was first."""
    return bool(Match.objects.filter(pk=match_id, looked_at=None).update(looked_at=now))


def report_findings(match_id: int, detect: FindingDetector, now: datetime) -> list[Report]:
    """Run one detector on a match. Return the reports that it made."""
    match, people = _load_match(match_id)
    reports = [
        report_finding(
            suspect_id=finding.user_id,
            detector=finding.detector,
            reason=finding.reason,
            place=ReportedPlace(match, finding.step),
            words=finding.words,
            now=now,
        )
        for finding in detect(match, people, now)
    ]
    return [report for report in reports if report]


class ChoicesToJudge(NamedTuple):
    """The input of a worker process that judges choices: the record, and the seats that made them."""

    events: list[Event]
    seats: list[int]


def load_losers_choices(match_id: int) -> ChoicesToJudge | None:
    """Return the choices to judge of the people in last place, None if the match has none to judge."""
    match, people = _load_match(match_id)
    places = {seat: place or 1 for seat, place in match.seats.filter(index__in=people).values_list("index", "place")}
    last = max(places.values(), default=1)
    if not match.rated or len(people) < 2 or last == 1 or not bots.has_bot_for_variant(match.variant):
        return None
    return ChoicesToJudge(record.events(match_id), [seat for seat, place in places.items() if place == last])


def load_partners_choices(match_id: int) -> ChoicesToJudge | None:
    """Return the choices to judge of partners who are both people, None if the match has none to judge."""
    match, people = _load_match(match_id)
    seats = [seat for pair in human_partners(match, people) for seat in pair]
    if not match.rated or not seats or not bots.has_bot_for_variant(match.variant):
        return None
    return ChoicesToJudge(record.events(match_id), seats)


def _load_match(match_id: int) -> tuple[Match, SeatedPeople]:
    match = Match.objects.defer("secret").get(pk=match_id)
    return match, {seat: user for seat, user in match.seats.values_list("index", "user") if user}
