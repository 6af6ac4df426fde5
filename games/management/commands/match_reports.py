"""``manage.py match_reports``: make the match reports that are missing or outdated."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.engine.notation import BadRecord
from games.match import record
from games.match_reports import computation, reports
from games.models import Match


class Command(BaseCommand):
    help = (
        "Make the reports of matches that are over and have no report, an outdated one or one that failed, newest "
        "first, and print their processor time. The clock makes the reports of matches that have just ended."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--most", type=int, help="make at most this many")

    def handle(self, *, most: int | None = None, **options: Any) -> None:
        costs: dict[str, list[float]] = defaultdict(list)
        for match_id in reports.unreported_match_ids()[:most]:
            match = Match.objects.filter(pk=match_id).only("slug", "variant").first()
            if match is None:
                continue
            try:
                data, seconds = computation.make_report_timed(record.events(match_id))
            except (BadRecord, LookupError, ValueError) as error:
                self.stderr.write(f"{match.slug}: {error!r}")
                continue
            reports.store_report(match_id, data, seconds)
            costs[match.variant].append(seconds)
        for variant, seconds_each in sorted(costs.items()):
            mean, maximum = fmean(seconds_each), max(seconds_each)
            count = len(seconds_each)
            self.stdout.write(f"{variant}: {count} reports, {mean:.2f} s on average, {maximum:.2f} s at most.")
        if not costs:
            self.stdout.write("No report was missing.")
