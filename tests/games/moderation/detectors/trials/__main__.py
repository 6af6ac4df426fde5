"""``python -m tests.games.moderation.detectors.trials [DETECTOR ...] [--count 500] [--seed 1]`` prints detector rates.

The rates of reports about innocent and guilty play come with their 95 % intervals. Nothing is stored.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
django.setup()

from games.enums import Detector  # noqa: E402
from tests.games.moderation.detectors.trials import farming, floods, names, partners, stalling, throwing  # noqa: E402
from tests.games.moderation.detectors.trials.rate import Rate, Trial  # noqa: E402

TRIALS: dict[str, Callable[[int, Random], Trial]] = {
    Detector.STALLING: stalling.trial,
    Detector.FARMING: farming.trial,
    Detector.NAMES: names.trial,
    Detector.FLOODS: floods.trial,
    Detector.THROWING: throwing.trial,
    Detector.PARTNERS: partners.trial,
}


def text_of(rate: Rate) -> str:
    low, high = rate.interval
    share = rate.alarms / rate.trials if rate.trials else 0.0
    return f"{rate.alarms} of {rate.trials} = {100 * share:.2f} % ({100 * low:.2f} to {100 * high:.2f} %)"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("detector", nargs="*", choices=[*TRIALS, []])
    parser.add_argument("--count", type=int, default=500, help="trials of each detector, innocent and guilty")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for name in arguments.detector or TRIALS:
        trial = TRIALS[name](arguments.count, Random(arguments.seed))
        print(f"{name:10} innocent {text_of(trial.innocent)}   guilty {text_of(trial.guilty)}", flush=True)


if __name__ == "__main__":
    main()
