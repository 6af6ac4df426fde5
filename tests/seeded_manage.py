"""``manage.py`` for the sites that tests start: what it draws follows from the seed of the test.

It serves the files of the folder in ``TEST_BUNDLES`` instead of those of the same name in ``static/``.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parent.parent)

import django  # noqa: E402
from django.conf import settings  # noqa: E402

from tests import seeds  # noqa: E402

BUNDLES_VARIABLE = "TEST_BUNDLES"


def main(arguments: list[str]) -> None:
    """Run a command. ``django.setup`` is wrapped because it reports wrong settings from inside the command."""
    from manage import main

    set_up = django.setup

    def set_up_with_seeds(**options: bool) -> None:
        if bundles := os.environ.get(BUNDLES_VARIABLE):
            settings.STATICFILES_DIRS = [bundles, *settings.STATICFILES_DIRS]
        set_up(**options)
        seeds.seed_site_modules()

    setattr(django, "setup", set_up_with_seeds)  # noqa: B010 - the types know one signature
    random.seed(seeds.current_seed())
    main(arguments)


if __name__ == "__main__":
    main(sys.argv)
