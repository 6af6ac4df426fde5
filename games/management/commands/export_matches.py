"""``manage.py export_matches``: the records of all public matches, to count or to check elsewhere."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.records import exports


class Command(BaseCommand):
    help = "Write all matches that everybody finds in the history, a line of JSON each, for manage.py deal_statistics."

    def handle(self, **options: Any) -> None:
        for match_id in exports.public_match_ids():
            self.stdout.write(exports.to_json_line(exports.read_record(match_id)), ending="")
