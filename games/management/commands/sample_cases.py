"""``manage.py sample_cases``: add twenty invented cases to the queue, to train moderators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.conduct import ledger
from games.engine.events import Drew, Passed, Played
from games.engine.variants import rules_for
from games.enums import ConductKind
from games.lobby import tables
from games.match import record
from games.match.match_rows import lock_rows
from games.models import Case, Match, Message
from games.moderation.cases.reporting import ReportedPlace, report_person
from games.moderation.samples import USERNAME_PREFIX, SampleCase, read_sample_cases
from games.review import steps
from games.services import play
from games.services.moves import MoveRequest, make_moves
from games.terms.presets import presets_of
from games.terms.terms import Terms

TURNS_PER_TABLE = 6  # played at each table
STARTED_AGO = timedelta(minutes=30)
QUICK_TURN = timedelta(seconds=8)
SLOW_TURN = timedelta(seconds=51)
LINE_DELAY = timedelta(seconds=3)  # a line of chat after the move before it


class Command(BaseCommand):
    help = "Add twenty invented cases to the queue, and print what an experienced moderator would decide about each."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--anyway", action="store_true", help="also on a site in production")

    def handle(self, *args: Any, **options: Any) -> None:
        if not (settings.DEBUG or options["anyway"]):
            raise CommandError(
                "Invented people and matches belong on a training site. Use --anyway to create them here."
            )
        samples = read_sample_cases()
        for sample, case in zip(samples, make_cases(samples), strict=True):
            self.stdout.write(f"{case.pk}  {case}: {sample.measure}. {sample.advice}")


@transaction.atomic
def make_cases(samples: Sequence[SampleCase]) -> list[Case]:
    """Create the cases and everything they need, in the order of the samples."""
    numbers = count(User.objects.order_by("-pk").values_list("pk", flat=True).first() or 0)
    return [make_case(sample, numbers) for sample in samples]


def make_case(sample: SampleCase, numbers: count[int]) -> Case:
    suspect = make_person(sample.suspect, numbers)
    reporters = [make_person(f"Reporter {number + 1}", numbers) for number in range(sample.reports)]
    match = play_match(sample.variant, suspect, reporters[0])
    writers = {"suspect": suspect, "reporter": reporters[0]}
    lines = [
        Message.objects.create(match=match, user=writers[writer], name=writers[writer].name, text=text)
        for writer, text in sample.lines
    ]
    for number, kind in enumerate(reversed(sample.marks)):
        ledger.charge_points(suspect.pk, kind, timezone.now() - timedelta(hours=2 * len(sample.marks) - number))
    backdate_match(match, lines, slow=suspect.pk if ConductKind.LATE in sample.marks else None)
    step = sample.step and nearest_step_of(match, suspect, sample.step)
    place = ReportedPlace(
        match, step, None if sample.reported_line_index is None else lines[sample.reported_line_index]
    )
    reports = [
        report_person(reporter=reporter, suspect=suspect, reason=sample.reason, place=place, words=sample.words)
        for reporter in reporters
    ]
    return reports[0].case


def make_person(name: str, numbers: count[int]) -> User:
    user = User(username=f"{USERNAME_PREFIX}{next(numbers) + 1}", name=name)
    user.set_unusable_password()
    user.save()
    return user


def play_match(variant: str, host: User, *opponents: User) -> Match:
    """Return a match of these people and bots after a few turns, stopped by agreement."""
    usual = presets_of(rules_for(variant))[0].terms
    match = tables.open_table(host=host, terms=Terms(variant, usual.seats, usual.options))
    for other in opponents:
        tables.sit(match=match, user=other)
    tables.fill_with_bots(match=match, by=host)
    for _ in range(TURNS_PER_TABLE):
        play_turn(match.pk)
    play.stop_match(match_id=match.pk, reason="agreed")
    match.refresh_from_db()
    return match


def play_turn(match_id: int) -> None:
    """Make first legal moves for the seat to move until the turn ends."""
    seat = lock_rows([match_id])[match_id].to_move
    while seat is not None and (row := lock_rows([match_id])[match_id]).to_move == seat:
        holder, rules = row.holders[seat], rules_for(row.variant)
        move = rules.move_text(rules.legal_moves(record.state_of(match_id, row.version))[0])
        make_moves([MoveRequest(match_id, row.version, move, *((None, seat) if holder.bot else (holder.user_id,)))])


def nearest_step_of(match: Match, person: User, near: int) -> int:
    """Return the person's step that is nearest to a number, or that number if they made no move."""
    seat = match.seats.get(user=person).index
    match_steps = steps.load_match_steps(match.pk, match.version)
    own = [step for step in match_steps.steps if getattr(step.events[0], "seat", None) == seat]
    return min((step.number for step in own), key=lambda number: abs(number - near), default=near)


def backdate_match(match: Match, lines: Sequence[Message], *, slow: int | None) -> None:
    """Give the moves realistic times, long ones of the ``slow`` person, and spread the lines among them."""
    seats = dict(match.seats.values_list("index", "user"))
    events = record.events(match.pk)
    durations = [
        SLOW_TURN if slow and seats.get(getattr(event, "seat", -1)) == slow else QUICK_TURN for event in events
    ]
    times = [timezone.now() - STARTED_AGO + sum(durations[: number + 1], timedelta()) for number in range(len(events))]
    moves = [number for number, event in enumerate(events) if isinstance(event, Played | Drew | Passed)]
    record.backdate_events(match.pk, times)
    Match.objects.filter(pk=match.pk).update(started_at=times[0], finished_at=times[-1])
    for number, line in enumerate(lines, 1):
        line.at = times[moves[number * len(moves) // len(lines) - 1]] + LINE_DELAY
        line.save(update_fields=["at"])
