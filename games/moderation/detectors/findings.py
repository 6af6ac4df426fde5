"""The findings of the detectors in a finished match, in words for the moderators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations, permutations
from typing import NamedTuple

from games.engine.variants import rules_for
from games.enums import Detector, ReportReason
from games.match import record
from games.models import Match
from games.moderation.detectors import facts, farming, floods, names, partners, stalling, throwing
from games.moderation.detectors.partners import Fit
from games.moderation.detectors.throwing import Choice
from games.moderation.texts import FINDINGS, OF_STAFF, OLDER_ACCOUNT
from games.review import steps
from infrastructure.bidi import isolate

People = dict[int, int]  # the ids of the people of a match, by seat


class Finding(NamedTuple):
    """A measure above its threshold. ``step`` is the step of the review that shows it."""

    user_id: int
    detector: str
    reason: str
    words: str
    step: int | None = None


Detect = Callable[[Match, People, datetime], Iterator[Finding]]


def stalling_in(match: Match, people: People, now: datetime) -> Iterator[Finding]:
    if not match.rated or len(people) < 2:
        return
    turns = [turn for turn in facts.turns_of(record.read(match.pk), match.clock) if turn.seat in people]
    for seat, user_id in people.items():
        slowness = stalling.slowness(turns, seat)
        if slowness.measure >= stalling.THRESHOLD:
            numbers = {"slow": slowness.slow, "turns": slowness.turns, "others": round(100 * slowness.opponents)}
            words = FINDINGS[Detector.STALLING] % numbers
            yield Finding(user_id, Detector.STALLING, ReportReason.STALLS, words)


def farming_in(match: Match, people: People, now: datetime) -> Iterator[Finding]:
    rows = [row for row in match.rating_changes.order_by("pk") if row.user_id]
    for winner, loser in permutations(rows, 2):
        if winner.place >= loser.place:
            continue
        meetings, skills = facts.meetings_of(winner, loser)
        if farming.chance(meetings, skills) <= farming.THRESHOLD:
            numbers = {
                "won": sum(meeting.won for meeting in meetings),
                "met": len(meetings),
                "short": sum(meeting.won and meeting.short for meeting in meetings),
            }
            words = FINDINGS[Detector.FARMING] % numbers
            yield Finding(winner.user_id or 0, Detector.FARMING, ReportReason.COLLUDES, words)


def floods_in(match: Match, people: People, now: datetime) -> Iterator[Finding]:
    for user_id, marks in facts.floods_in(match.pk).items():
        count = floods.count(marks, now)
        if count >= floods.THRESHOLD:
            words = FINDINGS[Detector.FLOODS] % {"count": count}
            yield Finding(user_id, Detector.FLOODS, ReportReason.SPAMS, words)


def names_in(match: Match, people: People, now: datetime) -> Iterator[Finding]:
    """Compare the names of the people with each other, the staff and the leaders. The later account is reported."""
    if len(people) < 2:
        return
    own, well_known, staff = facts.names_of(people.values()), facts.well_known(match.variant), facts.staff_ids()
    for user_id, name in own.items():
        for other_id, other in (well_known | own).items():
            later = user_id not in staff and (other_id in staff or other_id < user_id)
            if later and names.imitates(name, other):
                whose = OF_STAFF if other_id in staff else OLDER_ACCOUNT
                words = FINDINGS[Detector.NAMES] % {"name": isolate(name), "other": isolate(other), "whose": whose}
                yield Finding(user_id, Detector.NAMES, ReportReason.NAME, words)


def throwing_in(
    choices: Mapping[int, Sequence[Choice]], match: Match, people: People, now: datetime
) -> Iterator[Finding]:
    """Report people whose choices are worse than random ones."""
    for seat, of_seat in choices.items():
        loss = throwing.loss(of_seat)
        if seat in people and loss.measure >= throwing.THRESHOLD:
            shares = {"given": round(100 * loss.share), "blind": round(100 * loss.blind)}
            words = FINDINGS[Detector.THROWING] % {**shares, "decisions": loss.decisions}
            step = _step_of(match, loss.worst)
            yield Finding(people[seat], Detector.THROWING, ReportReason.THROWS, words, step)


def partners_among(match: Match, people: People) -> list[tuple[int, int]]:
    """Return the seats of partners who are both people."""
    sides = rules_for(match.variant).sides(match.seat_count, match.options)
    return [pair for pair in combinations(sorted(people), 2) if sides[pair[0]] == sides[pair[1]]]


def partners_in(fits: Mapping[int, Sequence[Fit]], match: Match, people: People, now: datetime) -> Iterator[Finding]:
    """Report both partners if their choices fit each other's hands."""
    for pair in partners_among(match, people):
        knowledge = partners.knowledge([fit for seat in pair for fit in fits.get(seat, ())])
        if knowledge.measure >= partners.THRESHOLD:
            words = FINDINGS[Detector.PARTNERS] % {"decisions": knowledge.decisions, "measure": knowledge.measure}
            step = _step_of(match, knowledge.best)
            for seat in pair:
                yield Finding(people[seat], Detector.PARTNERS, ReportReason.COLLUDES, words, step)


def _step_of(match: Match, seq: int) -> int:
    """Return the step of the review that shows an event of the record."""
    return next(step.number for step in steps.load_match_steps(match.pk, match.version).steps if step.version >= seq)


# ``throwing_in`` and ``partners_in`` are not among them: the bot has to judge choices first.
ALL: Sequence[Detect] = (floods_in, names_in, stalling_in, farming_in)
