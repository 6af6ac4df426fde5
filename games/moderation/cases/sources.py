"""The accuracy of reports, estimated from the decisions about earlier reports from the same source.

An account or a detector is a source of its own. Guests keep coming as new people, so all guests together are the
source of their reports for a reason. Reporters who share an address or a device count as one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q

from accounts import traces
from games.models import Case, Report
from games.moderation.cases import urgency

Source = int | str  # the id of an account, the name of a detector, or GUESTS
GUESTS = ""
# A deleted reporter was most likely a guest: guests are deleted after a while.
REPORTS_BY_GUESTS = Q(reporter__is_guest=True) | Q(reporter=None, detector="")


def source_of(report: Report) -> Source:
    """Return the source by whose earlier reports this one is judged."""
    if report.reporter is None:
        return report.detector
    return GUESTS if report.reporter.is_guest else report.reporter.pk


def case_urgency(case: Case) -> float:
    """Return the urgency of a case. A group of reporters counts once for each reason."""
    reports = list(case.reports.select_related("reporter").defer("words"))
    accuracy_of = accuracy_by_report(reports)
    group_of = {person: min(group) for group in traces.group_people(_reporter_ids(reports)) for person in group}
    weights: dict[tuple[str, int | str], float] = defaultdict(float)
    for report in reports:
        key = report.reason, group_of.get(report.reporter_id or 0, report.detector)
        weights[key] = max(weights[key], accuracy_of[report.pk])
    return urgency.urgency_score((reason, weight) for (reason, _group), weight in weights.items())


def accuracy_by_report(reports: Iterable[Report]) -> dict[int, float]:
    """Return the probability that each report is right, by its key."""
    source_and_reason = {report.pk: (source_of(report), report.reason) for report in reports}
    guest_verdicts = _verdicts_of_guests({reason for source, reason in source_and_reason.values() if source == GUESTS})
    verdicts_by_source = _verdicts_of({source for source, _reason in source_and_reason.values() if source != GUESTS})
    return {
        key: urgency.accuracy(guest_verdicts[reason] if source == GUESTS else verdicts_by_source[source])
        for key, (source, reason) in source_and_reason.items()
    }


def shared_group_sizes(reports: Sequence[Report]) -> list[int]:
    """Return the sizes of groups of several reporters who share an address or a device, largest first."""
    sizes = [len(group) for group in traces.group_people(_reporter_ids(reports)) if len(group) > 1]
    return sorted(sizes, reverse=True)


def _reporter_ids(reports: Iterable[Report]) -> set[int]:
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
