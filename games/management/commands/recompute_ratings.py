"""``manage.py recompute_ratings``: recompute all ratings from the records of matches."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.ratings import recomputing
from games.words import offered_variants

RECOMPUTATIONS = {
    "changes of ratings": recomputing.recompute_ratings,
    "gains of rating points": recomputing.recompute_gains,
    "sums of them": recomputing.recompute_sums,
}


class Command(BaseCommand):
    help = "Recompute all ratings from the records of matches, and print how many stored ones were different."

    def handle(self, *args: Any, **options: Any) -> None:
        for variant in offered_variants():
            for name, recompute in RECOMPUTATIONS.items():
                compared = recompute(variant)
                self.stdout.write(f"{variant}: {compared.rows} {name}, {compared.corrected_count} were different.")
