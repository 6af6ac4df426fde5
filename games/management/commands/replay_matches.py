"""``manage.py replay_matches``: replay every stored match, to check that old records keep their meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.daily_boards import proofs
from games.engine.evolve import fold
from games.engine.notation import BadRecord
from games.engine.proof import find_errors
from games.engine.replay import IMPOSSIBLE_EVENT_ERRORS, start_event
from games.engine.variants import rules_for
from games.match import record
from games.models import BoardDay, Match
from games.tournaments.core.day_proof import verify_day


class Command(BaseCommand):
    help = (
        "Replay every stored match. With --strict, every deal and move of matches under the current version of the "
        "rules is decided again, and the proofs of daily boards are checked; matches under older rules only have to "
        "replay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", help="the matches; all of them if none is named")
        parser.add_argument("--strict", action="store_true", help="decide every deal and move again")

    def handle(self, *, slugs: list[str], strict: bool, **options: Any) -> None:
        matches = Match.objects.filter(version__gt=0).order_by("pk")
        if slugs:
            matches = matches.filter(slug__in=slugs)
        count = wrong = 0
        for pk, slug, version in matches.values_list("pk", "slug", "version").iterator():
            count += 1
            for fault in record_errors(pk, version, strict=strict):
                wrong += 1
                self.stdout.write(f"{slug}: {fault}")
        if strict and not slugs:
            for fault in errors_of_days():
                wrong += 1
                self.stdout.write(fault)
        self.stdout.write(f"Matches replayed: {count}, differences: {wrong}.")
        if wrong:
            raise CommandError("Some records do not replay.")


def errors_of_days() -> Iterator[str]:
    """Yield a sentence for each error in the proofs of closed days of boards."""
    for day in BoardDay.objects.exclude(closed_at=None).order_by("pk").iterator():
        for number in range(1, day.sets + 1):
            proof = proofs.proof_of_day(day, number)
            yield from (f"{proof['set']}: {error}" for error in verify_day(proof))


def record_errors(match_id: int, version: int, *, strict: bool) -> Iterator[str]:
    """Yield a sentence for each error in a record. It must have one event for each number up to its version."""
    try:
        rows = record.read_events(match_id)
        if [seq for seq, _event, _at in rows] != list(range(1, version + 1)):
            yield f"The record has {len(rows)} of {version} events."
        events = [event for _seq, event, _at in rows]
        start = start_event(events)
        fold(events)
        if strict and rules_for(start.variant).knows(start.rules_version):
            yield from find_errors(events)
    except (BadRecord, *IMPOSSIBLE_EVENT_ERRORS) as error:
        yield str(error)
