"""Looking at a match that is over: each detector once, and a report of what it finds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import permutations

from django.utils.translation import gettext as _

from games.cases.reporting import Place, report_measured
from games.detectors import facts, farming, floods, names, stalling
from games.detectors.finding import Finding
from games.enums import Detector, ReportReason
from games.match import disclosure, record
from games.models import Match, Report

LATEST = timedelta(days=1)
"""Matches that ended earlier are left alone: nobody looked for a day, or there were no detectors yet."""
People = dict[int, int]
"""The people of a match: their ids, by their seats."""


def waiting(now: datetime, limit: int) -> list[int]:
    """Return finished matches that nobody has looked at, the oldest first. Those with a delay wait for its end."""
    over = Match.objects.filter(disclosure.public(), status=Match.Status.FINISHED, looked_at=None)
    rows = over.filter(finished_at__gt=now - LATEST).order_by("finished_at", "pk")
    return list(rows.values_list("pk", flat=True)[:limit])


def look(match_id: int, now: datetime) -> list[Report]:
    """Look at a match once, whichever process asks first, and return the reports that were made."""
    if not Match.objects.filter(pk=match_id, looked_at=None).update(looked_at=now):
        return []
    match = Match.objects.defer("secret").get(pk=match_id)
    people = {seat: user for seat, user in match.seats.values_list("index", "user") if user}
    found = [*_floods(match, now)]
    if len(people) > 1:
        found += [*_names(match, people), *(_about_play(match, people) if match.rated else ())]
    return tell(match, found, now)


def tell(match: Match, found: list[Finding], now: datetime) -> list[Report]:
    """Report what was found. Return what was news."""
    reports = [
        report_measured(
            suspect_id=each.user_id,
            detector=each.detector,
            reason=each.reason,
            place=Place(match, each.step),
            words=each.words,
            now=now,
        )
        for each in found
    ]
    return [told for told in reports if told]


def _about_play(match: Match, people: People) -> Iterator[Finding]:
    yield from _stalling(match, people)
    yield from _farming(match)


def _stalling(match: Match, people: People) -> Iterator[Finding]:
    turns = [turn for turn in facts.turns_of(record.read(match.pk), match.clock) if turn.seat in people]
    for seat, user_id in people.items():
        found = stalling.slowness(turns, seat)
        if found.measure >= stalling.THRESHOLD:
            told = {"slow": found.slow, "turns": found.turns, "others": round(100 * found.others)}
            words = _(
                "%(slow)d of %(turns)d turns took nearly all of their free time or more; %(others)d %% of the others’."
            )
            yield Finding(user_id, Detector.STALLING, ReportReason.STALLS, words % told)


def _farming(match: Match) -> Iterator[Finding]:
    rows = [row for row in match.rating_changes.order_by("pk") if row.user_id]
    for winner, loser in permutations(rows, 2):
        if winner.place >= loser.place:
            continue
        met, skills = facts.meetings_of(winner, loser)
        if farming.chance(met, skills) <= farming.THRESHOLD:
            told = {
                "won": sum(meeting.won for meeting in met),
                "met": len(met),
                "short": sum(meeting.won and meeting.short for meeting in met),
            }
            words = _(
                "Won %(won)d of %(met)d rated matches of a week against one person of this match; %(short)d of them "
                "were left by the other or over within a minute."
            )
            yield Finding(winner.user_id or 0, Detector.FARMING, ReportReason.COLLUDES, words % told)


def _floods(match: Match, now: datetime) -> Iterator[Finding]:
    for user_id, marks in facts.floods_in(match.pk).items():
        count = floods.count(marks, now)
        if count >= floods.THRESHOLD:
            words = _("Wrote too fast %(count)d times in a week, in different minutes.") % {"count": count}
            yield Finding(user_id, Detector.FLOODS, ReportReason.SPAMS, words)


def _names(match: Match, people: People) -> Iterator[Finding]:
    """Compare the people with each other, the staff and the leaders. Of two accounts the later one imitates."""
    own, known, staff = facts.names_of(people.values()), facts.well_known(match.variant), facts.staff_ids()
    for user_id, name in own.items():
        for other_id, other in (known | own).items():
            later = user_id not in staff and (other_id in staff or other_id < user_id)
            if later and names.imitates(name, other):
                whose = _("of the staff") if other_id in staff else _("an older account")
                words = _("“%(name)s” is easily read as “%(other)s” (%(whose)s).")
                words %= {"name": name, "other": other, "whose": whose}
                yield Finding(user_id, Detector.NAMES, ReportReason.NAME, words)
