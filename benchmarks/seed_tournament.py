"""Announces a tournament in the database of the environment: ``python -m benchmarks.seed_tournament --people 100``.

It starts ``--starts-in`` seconds from now: a negative number stands for a tournament that should have started already,
which shortens an arena. Creates people for it: the first ones enter, the next ones enter and take a break. Prints a
JSON object with its slug and the sessions of the people.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import timedelta
from functools import reduce
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))  # last: the site is that of the environment

from benchmarks.seed import create_people, log_in

# isort: split
# benchmarks.seed has set up Django.
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.match.moments import milliseconds
from games.models import Entry, Tournament
from games.tournaments import commits
from games.tournaments.announcing import Announcement, announce
from games.tournaments.core import commands
from games.tournaments.core.decide import decide
from games.tournaments.core.events import Event
from games.tournaments.core.evolve import evolve

OPTIONS: dict[str, dict[str, str]] = {"rytmino": {}}  # a match of one round; the other games are quick
QUICK = {"length": "quick"}


def announce_tournament(options: argparse.Namespace) -> Tournament:
    now = timezone.now()
    announcement = Announcement(
        options.format,
        options.variant,
        options.seats,
        now + timedelta(seconds=options.starts_in),
        OPTIONS.get(options.variant, QUICK),
        minutes=options.minutes,
        rounds=options.rounds,
    )
    return announce(announcement, now=now)


def enter(row: Tournament, people: Sequence[User], pausing: int) -> None:
    """Let people enter, in one transaction. The last ones take a break."""
    now, at = timezone.now(), milliseconds(timezone.now())
    with transaction.atomic():
        locked = commits.lock(row.pk)
        entries = [
            Entry(tournament=row, user=user, name=user.name, key=key, party=key, seen_at=now)
            for key, user in ((str(number), user) for number, user in enumerate(people, 1))
        ]
        Entry.objects.bulk_create(entries)
        entered = [commands.Enter(entry.party, (entry.key,)) for entry in entries]
        on_break = [commands.SitOut(entry.party) for entry in entries[len(entries) - pausing :]]
        state, events = locked.state, list[Event]()
        everything: list[commands.Command] = [*entered, *on_break]
        for command in everything:
            new_events = decide(state, command, at)
            state, events = reduce(evolve, new_events, state), [*events, *new_events]
        locked.store(events, now)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--format", choices=["arena", "swiss"], required=True)
    parser.add_argument("--variant", default="kozel")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--minutes", type=int, default=0)
    parser.add_argument("--starts-in", type=float, default=0)
    parser.add_argument("--people", type=int, default=0)
    parser.add_argument("--enter", type=int, default=0)
    parser.add_argument("--pause", type=int, default=0)
    options = parser.parse_args()
    people = create_people(options.people)
    with transaction.atomic():  # a clock may start it as soon as it is announced
        row = announce_tournament(options)
        if entrants := people[: options.enter + options.pause]:
            enter(row, entrants, options.pause)
    print(json.dumps({"slug": row.slug, "sessions": [log_in(user) for user in people]}))


if __name__ == "__main__":
    main()
