"""``manage.py replay_matches``: every stored match once more, so that old records go on meaning what they meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import record
from games.engine.evolve import fold
from games.engine.notation import BadRecord
from games.engine.replay import BROKEN, differences, started
from games.engine.variants import rules_for
from games.models import Match


class Command(BaseCommand):
    help = (
        "Replay every stored match. With --strict every deal and move is decided again, in matches made under today's "
        "version of the rules; a match under older rules only has to replay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", help="the matches; all of them if none is named")
        parser.add_argument("--strict", action="store_true", help="decide every deal and move again")

    def handle(self, *, slugs: list[str], strict: bool, **options: Any) -> None:
        matches = Match.objects.filter(version__gt=0).order_by("pk")
        if slugs:
            matches = matches.filter(slug__in=slugs)
        count = wrong = 0
        for pk, slug in matches.values_list("pk", "slug").iterator():
            count += 1
            for fault in faults(pk, strict=strict):
                wrong += 1
                self.stdout.write(f"{slug}: {fault}")
        self.stdout.write(f"{count} matches replayed, {wrong} differences.")
        if wrong:
            raise CommandError("Some records do not replay.")


def faults(match_id: int, *, strict: bool) -> Iterator[str]:
    """Yield in words what is wrong with a record."""
    try:
        events = record.events(match_id)
        start = started(events)
        fold(events)
        if strict and start.rules_version == rules_for(start.variant).rules_version:
            yield from differences(events)
    except (BadRecord, *BROKEN) as error:
        yield str(error)
