"""``manage.py`` for the sites that tests start: what it draws follows from the seed of the test."""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parent.parent)

import django  # noqa: E402

from tests import seeds  # noqa: E402


def main(arguments: list[str]) -> None:
    """Run a command. ``django.setup`` is wrapped because it reports wrong settings from inside the command."""
    from manage import main

    set_up = django.setup

    def set_up_with_seeds(**options: bool) -> None:
        set_up(**options)
        seeds.seed_site_modules()

    setattr(django, "setup", set_up_with_seeds)  # noqa: B010 - the types know one signature
    random.seed(seeds.current_seed())
    main(arguments)


if __name__ == "__main__":
    main(sys.argv)
