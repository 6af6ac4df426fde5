"""``manage.py deal_statistics``: count the deals of public matches, to show that they look random."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.history import deal_statistics
from games.match import record
from games.models import DealStatistics
from games.records import exports
from games.records.record_files import read_matches


class Command(BaseCommand):
    help = (
        "Count tiles, doubles and leads in the deals of all public matches that are over, and store the result for "
        "/fair-dealing/statistics/. With a file of exported matches (JSON lines or texts), count only these, and "
        "store nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="matches.jsonl")

    def handle(self, *, file: Path | None, **options: Any) -> None:
        try:
            matches = read_matches(file) if file else map(record.events, exports.public_match_ids())
            statistics = deal_statistics.count_deals(matches)
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        if file is None:
            DealStatistics.objects.create(data=statistics)
        self.stdout.write(json.dumps(statistics, indent=1))
