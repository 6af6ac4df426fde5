"""``manage.py export_matches``: write the records of all public matches, for statistics or checks elsewhere."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.records import exports


class Command(BaseCommand):
    help = "Write all matches of the public history, one line of JSON each, for example for manage.py deal_statistics."

    def handle(self, **options: Any) -> None:
        for match_id in exports.public_match_ids():
            self.stdout.write(exports.to_json_line(exports.read_record(match_id)), ending="")
