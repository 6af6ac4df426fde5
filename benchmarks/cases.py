"""How long the queue of cases and the page of one take at 100,000 matches and 1,000 open cases.

``python scripts/with_services.py python benchmarks/cases.py [--matches 100000] [--cases 1000] [--requests 50]``

Fills PostgreSQL as ``benchmarks/history.py`` does and adds cases of people with several reports each about matches
with a long record, and prints the milliseconds that the whole site needs for the queue and for the page of a case.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.stacks import without_limits

without_limits()  # before the settings are read: one machine asks for all pages

from benchmarks.history import fill, late, measure  # noqa: E402  (sets Django up)

# isort: split
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from games.cases.sources import score_of  # noqa: E402
from games.cases.urgency import KINDS  # noqa: E402
from games.engine.notation import import_match  # noqa: E402
from games.match import record  # noqa: E402
from games.models import Case, Match, MatchEvent, Message, Report  # noqa: E402
from infrastructure.garbage import search_seldom  # noqa: E402

PEOPLE = 20_000
REPORTS = 3
RECORD = Path(__file__).parent.parent / "tests" / "records" / "kozel" / "four-all-goats.json"
"""A match of many rounds."""
LINES = 12


def open_cases(number: int) -> None:
    """Open cases of as many people, each reported three times for a line of chat in a match of RECORD."""
    chance, reasons, events = Random("cases"), list(KINDS), import_match(json.loads(RECORD.read_text()))
    people = list(User.objects.order_by("pk")[: number + PEOPLE // 10])
    matches = list(Match.objects.filter(seat_count=4).order_by("-pk")[:number])
    for suspect, match in zip(people, matches, strict=False):
        reason = chance.choice(reasons)
        MatchEvent.objects.filter(match=match).delete()
        version = record.append(match.pk, 0, events, match.finished_at or timezone.now())
        Match.objects.filter(pk=match.pk).update(variant="kozel", version=version)
        case = Case.objects.create(suspect=suspect, area=KINDS[reason].area)
        said = Message.objects.bulk_create(
            Message(match=match, user=suspect, name=suspect.name, text=f"Line {line}") for line in range(LINES)
        )
        Report.objects.bulk_create(
            Report(case=case, reporter=chance.choice(people), reason=reason, match=match, message=said[6], step=2)
            for _ in range(REPORTS)
        )
        case.score = score_of(case)
        case.save()


def say(what: str, clock: list[float], own: list[float]) -> None:
    """Print the milliseconds by the clock, database and all, and those of the processor in this process."""
    print(
        f"{what:16} p50 {median(clock):6.1f} ms, p95 {late(clock):6.1f} ms; own p50 {median(own):6.1f} ms", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--requests", type=int, default=50)
    given = parser.parse_args()
    if connection.vendor != "postgresql":
        sys.exit("This needs PostgreSQL: python scripts/with_services.py python benchmarks/cases.py")
    call_command("migrate", verbosity=0)
    if not Case.objects.exists():
        fill(given.matches, PEOPLE, 8)
        open_cases(given.cases)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE)")
    search_seldom()  # as the server does
    settings.SERVESTATIC_AUTOREFRESH = False
    settings.STAFF_SECOND_FACTOR = False  # the log-in is not what is measured
    client = Client(HTTP_HOST="localhost")
    User.objects.filter(pk=PEOPLE).update(is_staff=True, is_superuser=True)
    client.force_login(User.objects.get(pk=PEOPLE))
    queue = reverse("admin:games_case_changelist")
    say("the queue", *measure(client, lambda: queue, given.requests))
    keys = cycle(Case.objects.values_list("pk", flat=True))
    say("a case", *measure(client, lambda: reverse("admin:games_case_change", args=[next(keys)]), given.requests))


if __name__ == "__main__":
    main()
