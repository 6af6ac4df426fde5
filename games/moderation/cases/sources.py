"""The weight of reports, from the decisions about earlier reports from the same source.

An account or a detector is a source of its own. Guests keep coming as new people, so all guests together are the
source of their reports for a reason. Reporters who share an address or a device are one voice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Count, Q

from accounts import traces
from games.models import Case, Match, Report, Seat
from games.moderation.cases import urgency
from games.moderation.cases.urgency import TrackRecord

Source = int | str  # the id of an account, the name of a detector, or GUESTS
GUESTS = ""
NEW_GUEST_WEIGHT = 1 / 4  # of a guest without a finished match, compared to other guests
# A deleted reporter was most likely a guest: guests are deleted after a while.
REPORTS_BY_GUESTS = Q(reporter__is_guest=True) | Q(reporter=None, detector="")


def source_of(report: Report) -> Source:
    """Return the source by whose earlier reports this one is judged."""
    if report.reporter is None:
        return report.detector
    return GUESTS if report.reporter.is_guest else report.reporter.pk


def case_urgency(case: Case) -> float:
    """Return the urgency of a case. A group of reporters counts once, with its weightiest report."""
    reports = list(case.reports.select_related("reporter").defer("words"))
    records, matches = records_by_report(reports), finished_matches(reports)
    group_of = {person: min(group) for group in traces.group_people(reporter_ids(reports)) for person in group}
    voices: dict[int | str, float] = defaultdict(float)
    for report in reports:
        group = group_of.get(report.reporter_id or 0, report.detector)
        weight = records[report.pk].accuracy * _experience(report, matches)
        voices[group] = max(voices[group], urgency.gravity(report.reason, report.detector) * weight)
    return urgency.urgency_score(voices.values())


def records_by_report(reports: Iterable[Report]) -> dict[int, TrackRecord]:
    """Return the track record of the source of each report, by the key of the report."""
    source_and_reason = {report.pk: (source_of(report), report.reason) for report in reports}
    guest_verdicts = _verdicts_of_guests({reason for source, reason in source_and_reason.values() if source == GUESTS})
    verdicts_by_source = _verdicts_of({source for source, _reason in source_and_reason.values() if source != GUESTS})
    return {
        key: urgency.track_record(guest_verdicts[reason] if source == GUESTS else verdicts_by_source[source])
        for key, (source, reason) in source_and_reason.items()
    }


def finished_matches(reports: Iterable[Report]) -> Mapping[int, int]:
    """Return the number of finished matches of the reporters, by id."""
    seats = Seat.objects.filter(user__in=reporter_ids(reports), match__status=Match.Status.FINISHED)
    counts = seats.order_by().values_list("user").annotate(number=Count("pk"))
    return defaultdict(int, counts)


def _experience(report: Report, matches: Mapping[int, int]) -> float:
    """Return the factor for guests who never finished a match: nothing is easier to become."""
    reporter = report.reporter
    return NEW_GUEST_WEIGHT if reporter and reporter.is_guest and not matches[reporter.pk] else 1.0


def shared_group_sizes(reports: Sequence[Report]) -> list[int]:
    """Return the sizes of groups of several reporters who share an address or a device, largest first."""
    sizes = [len(group) for group in traces.group_people(reporter_ids(reports)) if len(group) > 1]
    return sorted(sizes, reverse=True)


def reporter_ids(reports: Iterable[Report]) -> set[int]:
    return {report.reporter_id for report in reports if report.reporter_id}


def _verdicts_of(sources: set[Source]) -> Mapping[Source, list[str]]:
    """Return the verdicts on reports by accounts and detectors, once for each case."""
    people = {source for source in sources if isinstance(source, int)}
    from_sources = Q(reporter__in=people) | Q(reporter=None, detector__in=sources - people)
    decided = Report.objects.filter(from_sources).exclude(case__closed_at=None)
    verdicts: dict[Source, list[str]] = defaultdict(list)
    for person, detector, verdict, _case in decided.values_list(
        "reporter", "detector", "case__verdict", "case"
    ).distinct():
        verdicts[person or detector].append(verdict)
    return verdicts


def _verdicts_of_guests(reasons: set[str]) -> Mapping[str, list[str]]:
    """Return the verdicts on reports by guests, by their reason, once for each case."""
    decided = Report.objects.filter(REPORTS_BY_GUESTS, reason__in=reasons).exclude(case__closed_at=None)
    verdicts: dict[str, list[str]] = defaultdict(list)
    for reason, verdict, _case in decided.values_list("reason", "case__verdict", "case").distinct():
        verdicts[reason].append(verdict)
    return verdicts
