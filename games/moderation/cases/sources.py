"""Who is behind the reports of a case, and how likely each is right by what came of earlier reports.

An account and a detector are judged by their own reports. Guests are new people again and again, so they are judged by
all reports of guests for the same reason. Reporters who share an address or a device count as one.
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
# A reporter who is gone was most likely a guest: guests are deleted after a while.
BY_GUESTS = Q(reporter__is_guest=True) | Q(reporter=None, detector="")


def source_of(report: Report) -> Source:
    """Return by whose earlier reports this one is judged."""
    if report.reporter is None:
        return report.detector
    return GUESTS if report.reporter.is_guest else report.reporter.pk


def score_of(case: Case) -> float:
    """Return how urgent a case is. What one group of reporters says of the same reason counts once."""
    reports = list(case.reports.select_related("reporter").defer("words"))
    accurate, group_of = accuracies(reports), _groups(reports)
    weights: dict[tuple[str, int | str], float] = defaultdict(float)
    for report in reports:
        said = report.reason, group_of.get(report.reporter_id or 0, report.detector)
        weights[said] = max(weights[said], accurate[report.pk])
    return urgency.score((reason, weight) for (reason, _group), weight in weights.items())


def accuracies(reports: Iterable[Report]) -> dict[int, float]:
    """Return how likely each report is right, by its key."""
    asked = {report.pk: (source_of(report), report.reason) for report in reports}
    of_guests = _verdicts_of_guests({reason for source, reason in asked.values() if source == GUESTS})
    own = _verdicts_of({source for source, _reason in asked.values() if source != GUESTS})
    return {
        key: urgency.accuracy(of_guests[reason] if source == GUESTS else own[source])
        for key, (source, reason) in asked.items()
    }


def together(reports: Sequence[Report]) -> list[int]:
    """Return how many reporters share an address or a device, for each group of more than one."""
    sizes = [len(group) for group in traces.groups(_reporters(reports)) if len(group) > 1]
    return sorted(sizes, reverse=True)


def _reporters(reports: Iterable[Report]) -> set[int]:
    return {report.reporter_id for report in reports if report.reporter_id}


def _groups(reports: Iterable[Report]) -> dict[int, int]:
    """Return for each reporter one of the group of people that counts once."""
    groups = traces.groups(_reporters(reports))
    return {person: min(group) for group in groups for person in group}


def _verdicts_of(sources: set[Source]) -> Mapping[Source, list[str]]:
    """Return what came of the reports of accounts and detectors; one decision counts once."""
    people = {source for source in sources if isinstance(source, int)}
    by_them = Q(reporter__in=people) | Q(reporter=None, detector__in=sources - people)
    decided = Report.objects.filter(by_them).exclude(case__closed_at=None)
    verdicts: dict[Source, list[str]] = defaultdict(list)
    for person, detector, verdict, _case in decided.values_list(
        "reporter", "detector", "case__verdict", "case"
    ).distinct():
        verdicts[person or detector].append(verdict)
    return verdicts


def _verdicts_of_guests(reasons: set[str]) -> Mapping[str, list[str]]:
    """Return what came of the reports of guests, by their reason; one decision counts once."""
    decided = Report.objects.filter(BY_GUESTS, reason__in=reasons).exclude(case__closed_at=None)
    verdicts: dict[str, list[str]] = defaultdict(list)
    for reason, verdict, _case in decided.values_list("reason", "case__verdict", "case").distinct():
        verdicts[reason].append(verdict)
    return verdicts
