"""``manage.py deal_statistics``: whether the deals of the public matches look like chance, for the page about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.events import Event
from games.engine.notation import BadRecord, import_match
from games.history import deal_statistics
from games.match import record
from games.models import DealStatistics
from games.records import exports


class Command(BaseCommand):
    help = (
        "Count tiles, doubles and leads in the deals of all public matches that are over, and keep the result for "
        "/fair-dealing/statistics/. With a file of exported matches, a line of JSON each, count these, keep nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="matches.jsonl")

    def handle(self, *, file: Path | None, **options: Any) -> None:
        try:
            found = deal_statistics.counted(exported(file) if file else map(record.events, exports.of_everybody()))
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        if file is None:
            DealStatistics.objects.create(data=found)
        self.stdout.write(json.dumps(found, indent=1))


def exported(file: Path) -> Iterator[tuple[Event, ...]]:
    """Yield the matches of a file. Raises BadRecord, a ValueError, or OSError."""
    with file.open() as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield import_match(json.loads(line))
            except (KeyError, TypeError, ValueError) as error:
                raise BadRecord(f"Line {number}: {error}") from error
