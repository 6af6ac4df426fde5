"""``manage.py sample_cases``: twenty cases in the queue, to train moderators with."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.services import samples


class Command(BaseCommand):
    help = "Put twenty made-up cases into the queue, and print what an experienced moderator would do about each."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--anyway", action="store_true", help="also on a site in production")

    def handle(self, *args: Any, **options: Any) -> None:
        if not (settings.DEBUG or options["anyway"]):
            raise CommandError(
                "Made-up people and matches are for a site to train on. Use --anyway to make them here."
            )
        for sample, case in zip(samples.SAMPLES, samples.make(), strict=True):
            self.stdout.write(f"{case.pk}  {case}: {sample.measure}. {sample.advice}")
