"""What a moderator reads to decide a case: the reports, and what is known of the person."""

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

EARLIER = 10
NOBODY = 0  # no person has this id


@dataclass(frozen=True, slots=True)
class Told:
    """A report, how often its reporter was right (0 to 1), and the line that is reported if it may be read.

    Of a guest it is how often guests were right about the same reason.
    """

    report: Report
    accuracy: float
    line: Message | None

    @property
    def percent(self) -> int:
        return round(100 * self.accuracy)


@dataclass(frozen=True, slots=True)
class File:
    """All that belongs to a case, apart from its matches; of those in ``closed`` the moderator plays now.

    ``answers`` are the reports of the suspect about those who reported. ``together`` are the numbers of reporters who
    share an address or a device.
    """

    case: Case
    told: Sequence[Told]
    answers: Sequence[Report]
    cases: Iterable[Case]
    sanctions: Iterable[Sanction]
    conduct: Standing
    marks: Sequence[ledger.Line]
    closed: Collection[int]
    together: Sequence[int]

    @property
    def alike(self) -> list[list[Told]]:
        """Return the reports, those together that tell the same of the same place, whatever their words."""
        groups: dict[object, list[Told]] = {}
        for told in self.told:
            report = told.report
            said = (report.reason, report.detector, report.match_id, report.step, report.message_id)
            groups.setdefault(said, []).append(told)
        return list(groups.values())

    @property
    def reports(self) -> list[Report]:
        return [told.report for told in self.told]


def file_of(case: Case, moderator_id: int | None, now: datetime) -> File:
    """Read the file of a case: the newest report first, and of the person what was decided before."""
    told = case.reports.select_related("reporter", "match", "message").defer("match__secret").order_by("-pk")
    reports = list(told)
    accurate = sources.accuracies(reports)
    closed, suspect = _tables_of(moderator_id, reports), case.suspect_id or NOBODY
    standing, marks = ledger.ledger_of(suspect, now)
    earlier = Case.objects.filter(visible_to(moderator_id), suspect=suspect).exclude(pk=case.pk)
    return File(
        case=case,
        told=[Told(report, accurate[report.pk], _readable(report, closed)) for report in reports],
        answers=_answers(case, moderator_id, reports),
        cases=earlier.order_by("-pk")[:EARLIER],
        sanctions=Sanction.objects.filter(user=suspect).select_related("moderator").order_by("-pk")[:EARLIER],
        conduct=standing,
        marks=marks[:EARLIER],
        closed=closed,
        together=sources.together(reports),
    )


def _answers(case: Case, moderator_id: int | None, reports: Sequence[Report]) -> Sequence[Report]:
    """Return what the suspect reported of the reporters, the newest first: both sides are heard."""
    others = {report.reporter_id for report in reports if report.reporter_id}
    cases = Case.objects.filter(visible_to(moderator_id), suspect__in=others)
    answers = Report.objects.filter(reporter=case.suspect_id or NOBODY, case__in=cases)
    return list(answers.select_related("case__suspect").order_by("-pk")[:EARLIER])


def _tables_of(moderator_id: int | None, reports: Sequence[Report]) -> frozenset[int]:
    """Return the matches of reports that the moderator plays in now."""
    seats = Seat.objects.filter(user=moderator_id, match__in={report.match_id for report in reports})
    return frozenset(seats.filter(match__status__in=Match.UNFINISHED).values_list("match", flat=True))


def _readable(report: Report, closed: Collection[int]) -> Message | None:
    """Return the reported line. Who plays does not read the spectators' chat before the match is over."""
    line = report.message
    return None if line and line.room == Message.Room.SPECTATORS and line.match_id in closed else line
