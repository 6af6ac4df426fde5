"""What a moderator reads to decide a case: each report with what surrounds it, and what is known of the person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import ModerationAct, Sanction
from games.cases.reporting import accuracy_of
from games.conduct import ledger
from games.conduct.balance import Standing
from games.models import Case, Message, Report

AROUND = 5
"""Lines of chat before a line and after it."""
EARLIER = 10


@dataclass(frozen=True, slots=True)
class Told:
    """A report, how often its reporter was right (0 to 1), and the lines around the one that is reported."""

    report: Report
    accuracy: float
    lines: Sequence[Message]

    @property
    def percent(self) -> int:
        return round(100 * self.accuracy)


@dataclass(frozen=True, slots=True)
class File:
    """All that belongs to a case."""

    case: Case
    told: Sequence[Told]
    cases: Iterable[Case]
    sanctions: Iterable[Sanction]
    acts: Iterable[ModerationAct]
    conduct: Standing
    marks: Sequence[ledger.Line]


def file_of(case: Case, now: datetime) -> File:
    """Read the file of a case: the newest report first, and of the person what was decided before."""
    reports = case.reports.select_related("reporter", "match", "message").defer("match__secret").order_by("-pk")
    suspect = case.suspect
    return File(
        case=case,
        told=[Told(report, accuracy_of(report), _around(report.message)) for report in reports],
        cases=suspect.cases.exclude(pk=case.pk).order_by("-pk")[:EARLIER],
        sanctions=suspect.sanctions.select_related("moderator").order_by("-pk")[:EARLIER],
        acts=suspect.moderation_acts.select_related("moderator").order_by("-pk")[:EARLIER],
        conduct=ledger.standing_of(suspect.pk, now),
        marks=ledger.lines_of(suspect.pk)[:EARLIER],
    )


def _around(line: Message | None) -> list[Message]:
    """Return a line with those before and after it in its room, oldest first."""
    if line is None:
        return []
    room = Message.objects.filter(match=line.match_id, room=line.room).select_related("user")
    before = room.filter(pk__lt=line.pk).order_by("-pk")[:AROUND]
    after = room.filter(pk__gt=line.pk).order_by("pk")[:AROUND]
    return [*reversed(before), line, *after]
