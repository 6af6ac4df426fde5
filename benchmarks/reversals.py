"""How long a moderator's reversal of one rated match takes: ``python -m benchmarks.reversals``.

``--people`` accounts have played ``--matches`` rated matches of two to four, one every ten minutes. Takes one back
and counts it again: near the end, a week earlier, in the middle, and the first one.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from datetime import UTC, datetime, timedelta
from random import Random

import django

FOLDER = tempfile.TemporaryDirectory(prefix="reversals-")
os.environ |= {"DJANGO_SETTINGS_MODULE": "domino_site.settings", "VAR_DIR": FOLDER.name}
django.setup()

from django.core.management import call_command  # noqa: E402

from accounts.models import User  # noqa: E402
from games.models import Match, RatingChange  # noqa: E402
from games.ratings import changes  # noqa: E402

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
APART = timedelta(minutes=10)
VARIANT = "triominoes"


def fill(matches: int, people: int) -> list[int]:
    """Fill the database with rated matches and return their ids."""
    chance = Random(1)
    users = User.objects.bulk_create(User(username=f"p{number}", name=f"P{number}") for number in range(people))
    stored = Match.objects.bulk_create(
        Match(slug=f"m{number}", variant=VARIANT, rated=True) for number in range(matches)
    )
    RatingChange.objects.bulk_create(
        RatingChange(
            match=match, user=user, variant=VARIANT, at=BEGAN + number * APART, seat=seat, side=seat, place=place
        )
        for number, match in enumerate(stored)
        for seat, (user, place) in enumerate(
            (user, place) for place, user in enumerate(chance.sample(users, chance.choice((2, 3, 4))), 1)
        )
    )
    return [match.pk for match in stored]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--people", type=int, default=2000)
    given = parser.parse_args()
    call_command("migrate", verbosity=0)
    match_ids = fill(given.matches, given.people)
    began = time.process_time()
    changes.recompute(VARIANT)
    print(f"all of {given.matches} matches: {time.process_time() - began:.2f} s of processor")
    week = timedelta(days=7) // APART
    for name, number in (
        ("near the end", -20),
        ("a week before", -week),
        ("in the middle", len(match_ids) // 2),
        ("first", 0),
    ):
        began = time.process_time()
        changes.take_back(match_ids[number])
        taken = time.process_time()
        changes.give_back(match_ids[number])
        given_back = time.process_time()
        print(f"{name}: taken back in {taken - began:.3f} s, counted again in {given_back - taken:.3f} s")
    print(f"{changes.recompute(VARIANT)} rows differ from all ratings worked out again")


if __name__ == "__main__":
    main()
