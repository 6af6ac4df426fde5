"""The evidence for a case: its reports, and the history of the person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import Sanction
from games.conduct import ledger
from games.conduct.balance import Standing
from games.models import Case, Match, Message, Report, Seat
from games.moderation.cases import sources
from games.moderation.cases.queue import visible_to

MAX_EARLIER = 10  # earlier cases, sanctions, answers and ledger lines on a case page
NOBODY = 0  # no person has this id


@dataclass(frozen=True, slots=True)
class WeighedReport:
    """A report, the accuracy of its reporter from 0 to 1, and the reported line if the moderator may read it.

    The accuracy of a guest is that of all guests for the same reason.
    """

    report: Report
    accuracy: float
    line: Message | None

    @property
    def percent(self) -> int:
        return round(100 * self.accuracy)


@dataclass(frozen=True, slots=True)
class CaseFile:
    """Everything that belongs to a case, apart from its matches.

    ``answers`` are the suspect's reports about the reporters. ``playing`` are the matches in which the moderator plays
    now. ``shared_sizes`` are the sizes of groups of reporters who share an address or a device.
    """

    case: Case
    weighed: Sequence[WeighedReport]
    answers: Sequence[Report]
    cases: Iterable[Case]
    sanctions: Iterable[Sanction]
    conduct: Standing
    marks: Sequence[ledger.Line]
    playing: Collection[int]
    shared_sizes: Sequence[int]

    @property
    def groups(self) -> list[list[WeighedReport]]:
        """Return the reports, grouped by their reason and place."""
        groups: dict[object, list[WeighedReport]] = {}
        for weighed in self.weighed:
            report = weighed.report
            key = (report.reason, report.detector, report.match_id, report.step, report.message_id)
            groups.setdefault(key, []).append(weighed)
        return list(groups.values())

    @property
    def reports(self) -> list[Report]:
        return [weighed.report for weighed in self.weighed]


def file_of(case: Case, moderator_id: int | None, now: datetime) -> CaseFile:
    """Return the file of a case, with the newest rows first."""
    rows = case.reports.select_related("reporter", "match", "message").defer("match__secret").order_by("-pk")
    reports = list(rows)
    accuracies = sources.accuracies(reports)
    playing, suspect = _matches_played_by(moderator_id, reports), case.suspect_id or NOBODY
    standing, marks = ledger.ledger_of(suspect, now)
    earlier = Case.objects.filter(visible_to(moderator_id), suspect=suspect).exclude(pk=case.pk)
    return CaseFile(
        case=case,
        weighed=[WeighedReport(report, accuracies[report.pk], _readable(report, playing)) for report in reports],
        answers=_answers(case, moderator_id, reports),
        cases=earlier.order_by("-pk")[:MAX_EARLIER],
        sanctions=Sanction.objects.filter(user=suspect).select_related("moderator").order_by("-pk")[:MAX_EARLIER],
        conduct=standing,
        marks=marks[:MAX_EARLIER],
        playing=playing,
        shared_sizes=sources.shared_sizes(reports),
    )


def _answers(case: Case, moderator_id: int | None, reports: Sequence[Report]) -> Sequence[Report]:
    """Return the suspect's reports about the reporters, newest first: both sides are heard."""
    reporters = {report.reporter_id for report in reports if report.reporter_id}
    cases = Case.objects.filter(visible_to(moderator_id), suspect__in=reporters)
    answers = Report.objects.filter(reporter=case.suspect_id or NOBODY, case__in=cases)
    return list(answers.select_related("case__suspect").order_by("-pk")[:MAX_EARLIER])


def _matches_played_by(moderator_id: int | None, reports: Sequence[Report]) -> frozenset[int]:
    """Return the reported matches in which the moderator plays now."""
    seats = Seat.objects.filter(user=moderator_id, match__in={report.match_id for report in reports})
    return frozenset(seats.filter(match__status__in=Match.UNFINISHED).values_list("match", flat=True))


def _readable(report: Report, playing: Collection[int]) -> Message | None:
    """Return the reported line. Players cannot read the spectator chat before their match is over."""
    line = report.message
    return None if line and line.room == Message.Room.SPECTATORS and line.match_id in playing else line
