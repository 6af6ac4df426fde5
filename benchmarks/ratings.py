"""Whether ratings that are worked out anew are those that were stored: ``python -m benchmarks.ratings``.

Accounts play ``--matches`` rated matches of all games, one an hour: a round, then somebody leaves, or in the first
moments already. One in twenty is declared void later on. Prints what ``manage.py recompute_ratings`` says, and whether
it has left every row as it was.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from datetime import timedelta
from pathlib import Path
from random import Random

import django
import time_machine

FOLDER = tempfile.TemporaryDirectory(prefix="ratings-")
os.environ |= {"DJANGO_SETTINGS_MODULE": "domino_site.settings", "VAR_DIR": FOLDER.name, "NONCE_SECONDS": "0"}
django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import Rating, User  # noqa: E402
from games.models import Match, RatingChange, Seat  # noqa: E402
from games.services import moderation, play  # noqa: E402
from games.words import offered  # noqa: E402
from tests.games import tables  # noqa: E402
from tests.games.services.test_points import rated  # noqa: E402

HOUR = timedelta(hours=1)
PEOPLE, VOID, LEFT_AT_ONCE = 60, 20, 10
"""How many play, and one in how many matches is declared void or left before anything was played."""


def play_one(people: list[User], variant: str, chance: Random) -> Match:
    """Play a rated match of these people until one of them leaves."""
    match = play.start_match(match=rated(people, variant=variant, absence="forfeit"))
    if chance.randrange(LEFT_AT_ONCE):
        tables.play_until(match, lambda state: bool(state.rounds))
    if Match.objects.filter(pk=match.pk, status=Match.Status.RUNNING).exists():
        play.leave(match_id=match.pk, user_id=chance.choice(people).pk, charged=False)
    return match


def stored() -> list[list[tuple[object, ...]]]:
    return [list(rows.order_by("pk").values_list()) for rows in (RatingChange.objects, Rating.objects, Seat.objects)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=2000)
    given = parser.parse_args()
    call_command("migrate", verbosity=0)
    chance, now, voids = Random(1), timezone.now(), 0
    people = [tables.person(f"Person {number}") for number in range(PEOPLE)]
    moderator = tables.person("Mo", is_staff=True, is_superuser=True)
    played: list[Match] = []
    for number in range(given.matches):
        variant = sorted(offered())[number % len(offered())]
        with time_machine.travel(now + number * HOUR):
            played.append(play_one(chance.sample(people, chance.choice((2, 3, 4))), variant, chance))
            if number % VOID == VOID - 1:
                match = played.pop(chance.randrange(len(played)))
                moderation.void_match(moderator=moderator, match=Match.objects.get(pk=match.pk), reason="a trial")
                voids += 1
    before = stored()
    print(f"{given.matches} matches, {voids} void, in {Path(FOLDER.name).name}")
    call_command("recompute_ratings")
    print("every row is as it was" if stored() == before else "ROWS HAVE CHANGED")


if __name__ == "__main__":
    main()
