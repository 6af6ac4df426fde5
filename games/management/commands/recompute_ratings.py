"""``manage.py recompute_ratings``: work out all ratings anew from the results of matches."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.models import RatingChange
from games.ratings import changes
from games.words import offered


class Command(BaseCommand):
    help = "Work out all ratings anew from the results of matches, and say how many stored ones were different."

    def handle(self, *args: Any, **options: Any) -> None:
        for variant in offered():
            count = RatingChange.objects.filter(variant=variant).count()
            different = changes.recompute(variant)
            self.stdout.write(f"{variant}: {count} changes of ratings, {different} were different.")
