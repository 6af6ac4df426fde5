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
from games.moderation.detectors.partners import HandFit
from games.moderation.detectors.throwing import JudgedChoice
from games.moderation.texts import FINDING_TEXTS, OF_STAFF, OLDER_ACCOUNT
from games.review import steps
from infrastructure.bidi import isolate

SeatedPeople = dict[int, int]  # the ids of the people of a match, by seat


class Finding(NamedTuple):
    """A measure above its threshold. ``step`` is the step of the review that shows it."""

    user_id: int
    detector: str
    reason: str
    words: str
    step: int | None = None


FindingDetector = Callable[[Match, SeatedPeople, datetime], Iterator[Finding]]


def detect_stalling(match: Match, people: SeatedPeople, now: datetime) -> Iterator[Finding]:
    if not match.rated or len(people) < 2:
        return
    turns = [turn for turn in facts.load_turns(record.read_events(match.pk), match.clock) if turn.seat in people]
    for seat, user_id in people.items():
        slowness = stalling.measure_slowness(turns, seat)
        if slowness.measure >= stalling.THRESHOLD:
            numbers = {
                "slow": slowness.slow_turns,
                "turns": slowness.turns,
                "others": round(100 * slowness.opponents_share),
            }
            words = FINDING_TEXTS[Detector.STALLING] % numbers
            yield Finding(user_id, Detector.STALLING, ReportReason.STALLS, words)


def detect_farming(match: Match, people: SeatedPeople, now: datetime) -> Iterator[Finding]:
    rows = [row for row in match.rating_changes.order_by("pk") if row.user_id]
    for winner, loser in permutations(rows, 2):
        if winner.place >= loser.place:
            continue
        meetings, skills = facts.load_meetings(winner, loser)
        if farming.innocence_probability(meetings, skills) <= farming.THRESHOLD:
            numbers = {
                "won": sum(meeting.won for meeting in meetings),
                "met": len(meetings),
                "short": sum(meeting.won and meeting.short for meeting in meetings),
            }
            words = FINDING_TEXTS[Detector.FARMING] % numbers
            yield Finding(winner.user_id or 0, Detector.FARMING, ReportReason.COLLUDES, words)


def detect_floods(match: Match, people: SeatedPeople, now: datetime) -> Iterator[Finding]:
    for user_id, marks in facts.load_floods(match.pk).items():
        count = floods.count_recent_marks(marks, now)
        if count >= floods.THRESHOLD:
            words = FINDING_TEXTS[Detector.FLOODS] % {"count": count}
            yield Finding(user_id, Detector.FLOODS, ReportReason.SPAMS, words)


def detect_imitated_names(match: Match, people: SeatedPeople, now: datetime) -> Iterator[Finding]:
    """Compare the names of the people with each other, the staff and the leaders. The later account is reported."""
    if len(people) < 2:
        return
    names_here, well_known, staff = (
        facts.load_names(people.values()),
        facts.well_known_names(match.variant),
        facts.load_staff_ids(),
    )
    for user_id, name in names_here.items():
        for other_id, other in (well_known | names_here).items():
            is_later = user_id not in staff and (other_id in staff or other_id < user_id)
            if is_later and names.imitates(name, other):
                whose = OF_STAFF if other_id in staff else OLDER_ACCOUNT
                words = FINDING_TEXTS[Detector.NAMES] % {
                    "name": isolate(name),
                    "other": isolate(other),
                    "whose": whose,
                }
                yield Finding(user_id, Detector.NAMES, ReportReason.NAME, words)


def detect_throwing(
    choices: Mapping[int, Sequence[JudgedChoice]], match: Match, people: SeatedPeople, now: datetime
) -> Iterator[Finding]:
    """Report people whose choices are worse than random ones."""
    for seat, seat_choices in choices.items():
        loss = throwing.measure_loss(seat_choices)
        if seat in people and loss.measure >= throwing.THRESHOLD:
            shares = {"given": round(100 * loss.share), "blind": round(100 * loss.random_share)}
            words = FINDING_TEXTS[Detector.THROWING] % {**shares, "decisions": loss.decisions}
            step = _review_step_of(match, loss.worst_seq)
            yield Finding(people[seat], Detector.THROWING, ReportReason.THROWS, words, step)


def human_partners(match: Match, people: SeatedPeople) -> list[tuple[int, int]]:
    """Return the seats of partners who are both people."""
    sides = rules_for(match.variant).sides(match.seat_count, match.options)
    return [pair for pair in combinations(sorted(people), 2) if sides[pair[0]] == sides[pair[1]]]


def detect_knowing_partners(
    fits: Mapping[int, Sequence[HandFit]], match: Match, people: SeatedPeople, now: datetime
) -> Iterator[Finding]:
    """Report both partners if their choices fit each other's hands."""
    for pair in human_partners(match, people):
        knowledge = partners.measure_knowledge([fit for seat in pair for fit in fits.get(seat, ())])
        if knowledge.measure >= partners.THRESHOLD:
            words = FINDING_TEXTS[Detector.PARTNERS] % {"decisions": knowledge.decisions, "measure": knowledge.measure}
            step = _review_step_of(match, knowledge.best_seq)
            for seat in pair:
                yield Finding(people[seat], Detector.PARTNERS, ReportReason.COLLUDES, words, step)


def _review_step_of(match: Match, seq: int) -> int:
    """Return the step of the review that shows an event of the record."""
    return next(step.number for step in steps.load_match_steps(match.pk, match.version).steps if step.version >= seq)


# Without ``detect_throwing`` and ``detect_knowing_partners``, for which the bot has to judge choices first.
FAST_DETECTORS: Sequence[FindingDetector] = (detect_floods, detect_imitated_names, detect_stalling, detect_farming)
