"""``manage.py clear_expired``: delete data whose retention period is over (``games.retention``)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.retention.schedule import RETENTION_SCHEDULE, delete_expired


class Command(BaseCommand):
    help = "Delete data whose retention period is over, as the clock does once a day, and print the counts."

    def handle(self, *args: Any, **options: Any) -> None:
        deleted_counts = Counter[str]()
        for key, count in delete_expired(timezone.now()):
            deleted_counts[key] += count
        for rule in RETENTION_SCHEDULE:
            if rule.expired_rows is not None:
                self.stdout.write(f"{rule.key}: {deleted_counts[rule.key]}")
