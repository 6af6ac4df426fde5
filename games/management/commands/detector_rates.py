"""``manage.py detector_rates``: how often the detectors report innocent play, and how often guilty play."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.detectors.trials import farming, floods, names, partners, stalling, throwing
from games.detectors.trials.rate import Rate, Trial
from games.enums import Detector

TRIALS: dict[str, Callable[[int, Random], Trial]] = {
    Detector.STALLING: stalling.trial,
    Detector.FARMING: farming.trial,
    Detector.NAMES: names.trial,
    Detector.FLOODS: floods.trial,
    Detector.THROWING: throwing.trial,
    Detector.PARTNERS: partners.trial,
}


class Command(BaseCommand):
    help = "Try the detectors on generated innocent play, and on the same with somebody guilty. Nothing is stored."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("detector", nargs="*", help=f"of {', '.join(TRIALS)}; all without one")
        parser.add_argument("--count", type=int, default=500, help="trials of each detector, innocent and guilty")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *, detector: list[str], count: int, seed: int, **options: Any) -> None:
        if count < 1 or not TRIALS.keys() >= set(detector):
            raise CommandError("Name detectors that there are, and a count of 1 or more.")
        for name in detector or TRIALS:
            tried = TRIALS[name](count, Random(seed))  # noqa: S311 (repeatable on purpose)
            self.stdout.write(f"{name:10} innocent {said(tried.innocent)}   guilty {said(tried.guilty)}")


def said(rate: Rate) -> str:
    """Return a rate with its interval.

    >>> said(Rate(0, 100))
    '0 of 100 = 0.00 % (0.00 to 3.70 %)'
    """
    low, high = rate.interval
    part = rate.alarms / rate.looked if rate.looked else 0.0
    return f"{rate.alarms} of {rate.looked} = {100 * part:.2f} % ({100 * low:.2f} to {100 * high:.2f} %)"
