"""``manage.py clear_expired``: forget what has been kept long enough (``games.retention``)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.retention.table import TABLE, forget_expired


class Command(BaseCommand):
    help = "Forget what has been kept long enough, as the clock does once a day, and say how much that was."

    def handle(self, *args: Any, **options: Any) -> None:
        forgotten = Counter[str]()
        for key, count in forget_expired(timezone.now()):
            forgotten[key] += count
        for kept in TABLE:
            if kept.rows is not None:
                self.stdout.write(f"{kept.key}: {forgotten[kept.key]}")
