"""What the detectors find in a match that is over, in words for the moderators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations, permutations

from games.engine.variants import rules_for
from games.enums import Detector, ReportReason
from games.match import record
from games.models import Match
from games.moderation.detectors import facts, farming, floods, names, partners, stalling, throwing
from games.moderation.detectors.finding import Finding
from games.moderation.detectors.partners import Fit
from games.moderation.detectors.throwing import Choice
from games.moderation.texts import FINDINGS, OF_STAFF, OLDER_ACCOUNT
from games.review import steps
from infrastructure.bidi import isolate

People = dict[int, int]
"""The people of a match: their ids, by their seats."""
Find = Callable[[Match, People, datetime], Iterator[Finding]]


def stalling_in(match: Match, people: People, now: datetime) -> Iterator[Finding]:
    if not _is_rated_among(people, match):
        return
    turns = [turn for turn in facts.turns_of(record.read(match.pk), match.clock) if turn.seat in people]
    for seat, user_id in people.items():
        found = stalling.slowness(turns, seat)
        if found.measure >= stalling.THRESHOLD:
            told = {"slow": found.slow, "turns": found.turns, "others": round(100 * found.others)}
            words = FINDINGS[Detector.STALLING]
            yield Finding(user_id, Detector.STALLING, ReportReason.STALLS, words % told)


def farming_in(match: Match, people: People, now: datetime) -> Iterator[Finding]:
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
            words = FINDINGS[Detector.FARMING]
            yield Finding(winner.user_id or 0, Detector.FARMING, ReportReason.COLLUDES, words % told)


def floods_in(match: Match, people: People, now: datetime) -> Iterator[Finding]:
    for user_id, marks in facts.floods_in(match.pk).items():
        count = floods.count(marks, now)
        if count >= floods.THRESHOLD:
            words = FINDINGS[Detector.FLOODS] % {"count": count}
            yield Finding(user_id, Detector.FLOODS, ReportReason.SPAMS, words)


def names_in(match: Match, people: People, now: datetime) -> Iterator[Finding]:
    """Compare the people with each other, the staff and the leaders. Of two accounts the later one imitates."""
    if len(people) < 2:
        return
    own, known, staff = facts.names_of(people.values()), facts.well_known(match.variant), facts.staff_ids()
    for user_id, name in own.items():
        for other_id, other in (known | own).items():
            later = user_id not in staff and (other_id in staff or other_id < user_id)
            if later and names.imitates(name, other):
                whose = OF_STAFF if other_id in staff else OLDER_ACCOUNT
                words = FINDINGS[Detector.NAMES] % {"name": isolate(name), "other": isolate(other), "whose": whose}
                yield Finding(user_id, Detector.NAMES, ReportReason.NAME, words)


def _is_rated_among(people: People, match: Match) -> bool:
    return match.rated and len(people) > 1


def throwing_in(match: Match, people: People, choices: Mapping[int, Sequence[Choice]]) -> Iterator[Finding]:
    """Return who chose worse than blindly."""
    for seat, made in choices.items():
        lost = throwing.loss(made)
        if seat in people and lost.measure >= throwing.THRESHOLD:
            words = FINDINGS[Detector.THROWING]
            told = {"given": round(100 * lost.given), "blind": round(100 * lost.blind), "decisions": lost.decisions}
            step = _step_of(match, lost.worst)
            yield Finding(people[seat], Detector.THROWING, ReportReason.THROWS, words % told, step)


def partners_among(match: Match, people: People) -> list[tuple[int, int]]:
    """Return the seats of partners who are both people."""
    sides = rules_for(match.variant).sides(match.seat_count, match.options)
    return [pair for pair in combinations(sorted(people), 2) if sides[pair[0]] == sides[pair[1]]]


def partners_in(match: Match, people: People, fits: Mapping[int, Sequence[Fit]]) -> Iterator[Finding]:
    """Return both of the partners whose choices fit each other's hands."""
    for pair in partners_among(match, people):
        known = partners.knowledge([fit for seat in pair for fit in fits.get(seat, ())])
        if known.measure >= partners.THRESHOLD:
            words = FINDINGS[Detector.PARTNERS]
            told = {"decisions": known.decisions, "measure": known.measure}
            step = _step_of(match, known.best)
            for seat in pair:
                yield Finding(people[seat], Detector.PARTNERS, ReportReason.COLLUDES, words % told, step)


def _step_of(match: Match, seq: int) -> int:
    """Return the step of the review in which an event of the record is."""
    return next(step.number for step in steps.past(match.pk, match.version).steps if step.version >= seq)


ALL: Sequence[Find] = (floods_in, names_in, stalling_in, farming_in)
"""What is found at once. For ``throwing_in`` and ``partners_in`` the bot is asked first."""
