"""The reporters of a case in words: their age, matches, seat and shared traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import traces
from accounts.models import User
from games.models import Report, Seat
from games.moderation.cases import sources

DAY_FORMAT = "%Y-%m-%d"


@dataclass(frozen=True, slots=True)
class ReporterFacts:
    """What the weight of a reporter depends on. ``was_seated`` is None for a report without a match."""

    matches: int
    was_seated: bool | None
    sharers: int  # other reporters of the case with the same address or device

    def describe(self, reporter: User) -> str:
        """Return the facts: ``guest of today, 0 finished matches, not at this table``."""
        parts = [
            joined_text(reporter),
            ngettext("%(count)d finished match", "%(count)d finished matches", self.matches) % {"count": self.matches},
        ]
        if self.was_seated is not None:
            parts.append(_("at this table") if self.was_seated else _("not at this table"))
        if self.sharers:
            text = ngettext(
                "same address or device as %(count)d other reporter",
                "same address or device as %(count)d other reporters",
                self.sharers,
            )
            parts.append(text % {"count": self.sharers})
        return ", ".join(parts)


def joined_text(person: User) -> str:
    """Return since when the site knows a guest or an account: ``guest of today``."""
    joined = timezone.localdate(person.date_joined)
    if joined == timezone.localdate():
        return _("guest of today") if person.is_guest else _("account of today")
    text = _("guest since %(day)s") if person.is_guest else _("account since %(day)s")
    return text % {"day": joined.strftime(DAY_FORMAT)}


def describe_reporters(reports: Sequence[Report]) -> Mapping[int, str]:
    """Return the facts about the reporter of each report, by the key of the report. Findings have none."""
    matches = sources.finished_matches(reports)
    reporters = sources.reporter_ids(reports)
    seats = Seat.objects.filter(user__in=reporters, match__in={report.match_id for report in reports})
    seated = set(seats.values_list("user", "match"))
    sharers = {person: len(group) - 1 for group in traces.group_people(reporters) for person in group}
    texts = {}
    for report in reports:
        if report.reporter is not None:
            was_seated = (report.reporter_id, report.match_id) in seated if report.match_id else None
            facts = ReporterFacts(matches[report.reporter.pk], was_seated, sharers[report.reporter.pk])
            texts[report.pk] = facts.describe(report.reporter)
    return texts
