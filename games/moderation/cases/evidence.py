"""The evidence for a case: its reports, and the history of the person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress

from accounts.models import Sanction, User
from games.conduct import ledger
from games.conduct.balance import ConductStanding
from games.models import Case, Match, Message, Report, Seat
from games.moderation.cases import sources
from games.moderation.cases.queue import cases_visible_to
from games.moderation.cases.reporters import describe_reporters, joined_text
from games.moderation.cases.urgency import TrackRecord

MAX_EARLIER_ROWS = 10  # earlier cases, sanctions, answers and ledger lines on a case page
NO_USER_ID = 0  # no person has this id


@dataclass(frozen=True, slots=True)
class WeightedReport:
    """A report, the track record of its source, its reporter in words, and the reported line if it may be read.

    The track record of a guest is that of all guests for the same reason.
    """

    report: Report
    record: TrackRecord
    reporter: str
    line: Message | None

    @property
    def percent(self) -> int:
        """The share of decided cases in which the source was right."""
        return round(100 * self.record.upheld / self.record.decided) if self.record.decided else 0


@dataclass(frozen=True, slots=True)
class SuspectFacts:
    """The age of an account, or of a guest, its finished matches, and whether it has a confirmed email address."""

    joined: str
    matches: int
    has_confirmed_address: bool


@dataclass(frozen=True, slots=True)
class CaseFile:
    """Everything that belongs to a case, apart from its matches.

    ``counter_reports`` are the suspect's reports about the reporters. ``moderators_match_ids`` are the matches in
    which the moderator plays now. ``shared_group_sizes`` are the sizes of groups of reporters who share an address or
    a device.
    """

    case: Case
    weighted_reports: Sequence[WeightedReport]
    counter_reports: Sequence[Report]
    earlier_cases: Iterable[Case]
    sanctions: Iterable[Sanction]
    conduct_standing: ConductStanding
    conduct_lines: Sequence[ledger.LedgerLine]
    moderators_match_ids: Collection[int]
    shared_group_sizes: Sequence[int]
    suspect_facts: SuspectFacts | None

    @property
    def report_groups(self) -> list[list[WeightedReport]]:
        """Return the reports, grouped by their reason and place; those of a raid are one group."""
        report_groups: dict[object, list[WeightedReport]] = {}
        for weighted in self.weighted_reports:
            report = weighted.report
            line = None if report.detector == Report.Detector.RAID else report.message_id
            key = (report.reason, report.detector, report.match_id, report.step, line)
            report_groups.setdefault(key, []).append(weighted)
        return list(report_groups.values())

    @property
    def reports(self) -> list[Report]:
        return [weighted.report for weighted in self.weighted_reports]


def load_case_file(case: Case, moderator_id: int | None, now: datetime) -> CaseFile:
    """Return the file of a case, with the newest rows first."""
    rows = case.reports.select_related("reporter", "match", "message").defer("match__secret").order_by("-pk")
    reports = list(rows)
    records, reporters = sources.records_by_report(reports), describe_reporters(reports)
    moderators_match_ids, suspect = _matches_played_by(moderator_id, reports), case.suspect_id or NO_USER_ID
    standing, lines = ledger.load_ledger(suspect, now)
    earlier = Case.objects.filter(cases_visible_to(moderator_id), suspect=suspect).exclude(pk=case.pk)
    return CaseFile(
        case=case,
        weighted_reports=[
            WeightedReport(
                report,
                records[report.pk],
                reporters.get(report.pk, ""),
                _readable_line(report, moderators_match_ids),
            )
            for report in reports
        ],
        counter_reports=_counter_reports(case, moderator_id, reports),
        earlier_cases=earlier.order_by("-pk")[:MAX_EARLIER_ROWS],
        sanctions=Sanction.objects.filter(user=suspect).select_related("moderator").order_by("-pk")[:MAX_EARLIER_ROWS],
        conduct_standing=standing,
        conduct_lines=lines[:MAX_EARLIER_ROWS],
        moderators_match_ids=moderators_match_ids,
        shared_group_sizes=sources.shared_group_sizes(reports),
        suspect_facts=_suspect_facts(case.suspect) if case.suspect else None,
    )


def _suspect_facts(suspect: User) -> SuspectFacts:
    matches = Seat.objects.filter(user=suspect, match__status=Match.Status.FINISHED).count()
    confirmed = EmailAddress.objects.filter(user=suspect, verified=True).exists()
    return SuspectFacts(joined_text(suspect), matches, confirmed)


def _counter_reports(case: Case, moderator_id: int | None, reports: Sequence[Report]) -> Sequence[Report]:
    """Return the suspect's reports about the reporters, newest first: both sides are heard."""
    reporters = {report.reporter_id for report in reports if report.reporter_id}
    cases = Case.objects.filter(cases_visible_to(moderator_id), suspect__in=reporters)
    answers = Report.objects.filter(reporter=case.suspect_id or NO_USER_ID, case__in=cases)
    return list(answers.select_related("case__suspect").order_by("-pk")[:MAX_EARLIER_ROWS])


def _matches_played_by(moderator_id: int | None, reports: Sequence[Report]) -> frozenset[int]:
    """Return the reported matches in which the moderator plays now."""
    seats = Seat.objects.filter(user=moderator_id, match__in={report.match_id for report in reports})
    return frozenset(seats.filter(match__status__in=Match.UNFINISHED).values_list("match", flat=True))


def _readable_line(report: Report, moderators_match_ids: Collection[int]) -> Message | None:
    """Return the reported line. Players cannot read the spectator chat before their match is over."""
    line = report.message
    return None if line and line.room == Message.Room.SPECTATORS and line.match_id in moderators_match_ids else line
