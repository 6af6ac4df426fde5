"""The part of ``benchmarks/lobby.py`` that runs in the process of a site: tables, tournaments and the lobby."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from benchmarks.seed import create_people, start_match
from games.lobby import open_tables, tables
from games.lobby.rendering import lists_zones
from games.models import Tournament
from games.presence.online import count_online
from games.terms.terms import Terms
from games.tournaments import entering
from games.tournaments.announcing import Announcement, announce
from tests.games.tournaments.site import run_pass

COUNTS = 4  # of the queries of each piece of work
RUNNING_TABLES, OPEN_TABLES = 30, 10
ENTRANTS, SEATS = 16, 2  # of a tournament, and of its tables
FORMATS: tuple[tuple[str, dict[str, int], bool], ...] = (  # with the terms, and whether it has started
    ("arena", {"minutes": 30}, True),
    ("swiss", {"rounds": 5}, True),
    ("swiss", {"rounds": 7}, False),
)
READER = "reader"  # a person who plays nowhere
STATIC_FILES = "servestatic.middleware.ServeStaticMiddleware"  # asynchronous: it would take threads for every page


def seed_tables() -> None:
    """Open tables of people, and start others."""
    for _ in range(RUNNING_TABLES):
        start_match("kozel", create_people(4))
    for host in create_people(OPEN_TABLES):
        tables.open_table(host=host, terms=Terms("kozel", 4))
    User.objects.create(username=READER, name="Reader", password="!")


def seed_tournaments(count: int) -> int:
    """Announce tournaments, some of which start. Return the number of their tables that are played."""
    now = timezone.now()
    for number in range(count):
        format_name, terms, is_running = FORMATS[number % len(FORMATS)]
        starts_at = now if is_running else now + timedelta(hours=1)
        options = {"length": "quick"}
        row = announce(Announcement(format_name, "kozel", SEATS, starts_at, options, **terms), now=now)  # type: ignore[arg-type]
        for user in create_people(ENTRANTS):
            entering.enter(tournament=row, user=user, now=now)
    passes = 0
    while (playing := _playing_tables()) < _expected_tables(count):
        passes += 1
        run_pass(now + timedelta(seconds=2 * passes))
    return playing


def _playing_tables() -> int:
    return sum(row.tables.filter(stage="playing").count() for row in Tournament.objects.all())


def _expected_tables(count: int) -> int:
    started = sum(FORMATS[number % len(FORMATS)][2] for number in range(count))
    return started * ENTRANTS // SEATS


def measure(repeats: int) -> dict[str, float]:
    """Return the median CPU milliseconds of each piece of work, which depend little on other load."""
    return {name: median(_milliseconds(work) for _ in range(repeats)) for name, work in _works().items()}


def count_queries() -> dict[str, int]:
    """Return the queries of each piece of work once all caches are filled."""
    return {name: min(_queries(work) for _ in range(COUNTS)) for name, work in _works().items()}


def _queries(work: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        work()
    return len(queries)


def listed_tables() -> int:
    lists = open_tables.load_lists()
    return len(lists.open) + len(lists.running)


def _works() -> dict[str, Callable[[], Any]]:
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if name != STATIC_FILES]
    reader = Client()
    reader.force_login(User.objects.get(username=READER))
    return {"page of a visitor": lambda: _load(Client()), "page of a person": lambda: _load(reader), "lists": _render}


def _load(client: Client) -> None:
    response = client.get("/")
    assert response.status_code == 200


def _render() -> None:
    lists_zones(open_tables.load_lists(), count_online(timezone.now()), "en")


def _milliseconds(work: Callable[[], Any]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)
