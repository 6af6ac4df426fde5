"""How long the pages of the history take at a million matches.

``python scripts/with_services.py python benchmarks/history.py [--matches 1000000] [--people 20000] [--requests 100]``

Fills the PostgreSQL of ``DATABASE_URL`` (empty, or filled by an earlier run, which is used again) with matches of
every game, whose ends are taken from real ones, and prints for each kind of page the milliseconds that the whole
site needs for it: middleware, queries, templates. Some people play far more than others, one has thousands of
matches; names are shared by many. Each request asks for another player, day or page.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.backends.utils import CursorWrapper  # noqa: E402
from django.db.models import Model  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from games.engine.events import MatchEnded, MatchStarted, RoundDealt, RoundEnded  # noqa: E402
from games.engine.notation import event_to_json  # noqa: E402
from games.engine.playout import playout  # noqa: E402
from games.engine.rules import Rules  # noqa: E402
from games.history.queries import Cursor  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.words import offered  # noqa: E402
from infrastructure.garbage import search_seldom  # noqa: E402

HEADS = "p50", "p95", "max", "own p50", "own p95"
YEARS = timedelta(days=3 * 365)
ENDINGS = 4
"""So many real matches of each game and number of seats lend their ends to all."""

PEOPLE = """
INSERT INTO accounts_user (id, username, name, colour, password, first_name, last_name, email, is_superuser, is_staff,
    is_active, date_joined, is_guest, language, theme, sound, two_taps)
SELECT n, 'person-' || n, name, 'teal', '!', '', '', '', false, false, true, now(), true, '', 'system', false, false
FROM (SELECT n, (ARRAY['Badger', 'Fox', 'Otter', 'Anna', 'Ольга', 'János'])[1 + n %% 6] || ' ' || n %% 97 AS name
      FROM generate_series(1, %(people)s) AS n) AS named
"""
# Random numbers first, once a row; the newest match has the highest number.
MATCHES = """
INSERT INTO games_match (id, slug, variant, options, seat_count, clock, visibility, rated, status, created_at,
    started_at, finished_at, secret, commitment, version, revision, deal_version, round, banks, due_kind, standing)
SELECT n, 'b' || lpad(n::text, 11, '0'), variant, options, seats, 'normal',
    CASE WHEN a < 0.1 THEN 'link' ELSE 'public' END, b < 0.3,
    CASE WHEN c < 0.02 THEN 'void' WHEN c < 0.05 THEN 'stopped' ELSE 'finished' END,
    at - interval '30 minutes', at - interval '25 minutes', at, repeat('0', 64), repeat('0', 64),
    101 + %(moves)s, 101 + %(moves)s, 100, rounds, '[]', '',
    jsonb_build_object('standing', ended::jsonb->'standing')::text
FROM (SELECT n, random() AS a, random() AS b, random() AS c, 1 + floor(random() * %(ends)s)::int AS e,
        now() - (%(matches)s - n) * (%(years)s / %(matches)s) AS at
      FROM generate_series(1, %(matches)s) AS n) AS drawn JOIN benchmark_end ON benchmark_end.id = drawn.e
"""
SEATS = """
INSERT INTO games_seat (match_id, "index", user_id, bot, name, colour, nonce_commitment, nonce, ready, away, place,
    rating_gain, outcome, finished_at, variant, listed, name_key)
SELECT m.id, i, CASE WHEN human THEN who END, CASE WHEN human THEN '' ELSE 'steady' END,
    CASE WHEN human THEN u.name ELSE 'Ada' END, 'teal', '', '', true, false,
    CASE WHEN m.status = 'finished' THEN (e.places->i)::int END,
    CASE WHEN m.rated AND m.status = 'finished' THEN 5 END,
    CASE m.status WHEN 'void' THEN '' WHEN 'stopped' THEN 'stopped' ELSE CASE WHEN random() < 0.03 THEN 'left'
         WHEN (e.places->i)::int = 1 THEN 'won' ELSE 'lost' END END,
    m.finished_at, m.variant, m.visibility = 'public' AND m.status <> 'void',
    CASE WHEN human THEN translate(lower(u.name), 'á', 'a') ELSE '' END
FROM (SELECT m.*, floor(%(people)s * first * first)::int AS first_person,
        1 + floor(step * %(people)s / 5)::int AS step_to
      FROM (SELECT m.*, random() AS first, random() AS step FROM games_match m) AS m) AS m
JOIN benchmark_end e ON e.variant = m.variant AND e.seats = m.seat_count
CROSS JOIN LATERAL generate_series(0, m.seat_count - 1) AS i
CROSS JOIN LATERAL (
    SELECT 1 + (m.first_person + i * m.step_to) %% %(people)s AS who, i = 0 OR random() < 0.8 AS human
) AS w
JOIN accounts_user u ON u.id = who
"""
RATINGS = """
INSERT INTO accounts_rating (user_id, variant, points, matches)
SELECT user_id, variant, sum(rating_gain), count(*) FROM games_seat
WHERE user_id IS NOT NULL AND rating_gain IS NOT NULL GROUP BY user_id, variant
"""
EVENTS = """
INSERT INTO games_matchevent (match_id, seq, kind, data, at)
SELECT m.id, v.seq, v.kind, v.data, m.finished_at
FROM games_match m
JOIN benchmark_end e ON e.variant = m.variant AND e.seats = m.seat_count
CROSS JOIN LATERAL (
    VALUES (100, 'round_dealt', e.dealt), (100 + %(moves)s, 'round_ended', e.ended),
        (101 + %(moves)s, 'match_ended', e.over)
    UNION ALL SELECT 100 + s, 'played', '{"seat":0,"tile":"6-4","place":"left","to_move":1,"points":0}'
    FROM generate_series(1, %(moves)s - 1) AS s
) AS v (seq, kind, data)
ORDER BY m.id, v.seq
"""


@transaction.atomic
def fill(matches: int, people: int, moves: int) -> None:
    """Write everything with one statement a table."""
    given: dict[str, Any] = {"matches": matches, "people": people, "moves": moves, "years": YEARS}
    with connection.cursor() as cursor:
        # Millions of rows that are known to fit need no foreign key checked.
        cursor.execute("SET session_replication_role = replica")
        given["ends"] = lay_endings(cursor)
        set_defaults(cursor, User, Match, Seat)
        for statement in (PEOPLE, MATCHES, SEATS, RATINGS, EVENTS):
            begun = time.perf_counter()
            cursor.execute(statement, given)
            print(f"{statement.split()[2]}: {cursor.rowcount} rows, {time.perf_counter() - begun:.0f} s", flush=True)
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("DROP TABLE benchmark_end")


def set_defaults(cursor: CursorWrapper, *models: type[Model]) -> None:
    """Let the database fill the columns that the statements do not name, as Django would."""
    for model in models:
        for field in model._meta.local_concrete_fields:
            fixed = not callable(field.default) or field.default in (dict, list)
            if field.has_default() and not field.null and fixed:
                table, column = model._meta.db_table, field.column
                default = field.get_db_prep_save(field.get_default(), connection)
                cursor.execute(f'ALTER TABLE {table} ALTER "{column}" SET DEFAULT %s', [default])


def lay_endings(cursor: CursorWrapper) -> int:
    """Keep the ends of real matches in a table, and return how many there are."""
    rows = [row for rules in offered().values() for seats in rules.seat_counts for row in endings(rules, seats)]
    cursor.execute(
        "CREATE TABLE benchmark_end (id serial, variant text, seats int, options jsonb, rounds int, places jsonb,"
        " dealt text, ended text, over text)"
    )
    cursor.executemany(
        "INSERT INTO benchmark_end (variant, seats, options, rounds, places, dealt, ended, over)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        rows,
    )
    return len(rows)


def endings(rules: Rules, seats: int) -> Iterator[tuple[Any, ...]]:
    """Play a match at random and yield what its row and the tail of its record say."""
    events = playout(rules, seats, {}, "history", greedy=True)
    started = events[0]
    dealt = [event for event in events if isinstance(event, RoundDealt)][-1]
    ended = [event for event in events if isinstance(event, RoundEnded)][-1]
    (over,) = [event for event in events if isinstance(event, MatchEnded)]
    assert isinstance(started, MatchStarted)
    texts = [event_to_json(event)[1] for event in (dealt, ended, over)]
    yield rules.key, seats, json.dumps(dict(started.options)), dealt.round, json.dumps(over.places), *texts


class Pages:
    """Addresses of each kind of page, another one for each request."""

    def __init__(self, matches: int, people: int) -> None:
        self.matches, self.people, self.chance = matches, people, Random(1)

    def kinds(self) -> dict[str, Callable[[], str]]:
        return {
            "newest": lambda: "/matches/",
            "a page somewhere": lambda: f"/matches/?after={self.cursor()}",
            "a game": lambda: f"/matches/?game={self.game()}",
            "a game, somewhere": lambda: f"/matches/?game={self.game()}&after={self.cursor()}",
            "a month": lambda: "/matches/?from={:%Y-%m-%d}&to={:%Y-%m-%d}".format(*self.month()),
            "somebody left": lambda: f"/matches/?result=left&after={self.cursor()}",
            "somebody left, a game, a day": lambda: f"/matches/?result=left&game={self.game()}&{self.day()}",
            "stopped, of a game": lambda: f"/matches/?result=stopped&game={self.game()}",
            "a name": lambda: f"/matches/?player={self.name()}",
            "a name, a game, won": lambda: f"/matches/?player={self.name()}&game={self.game()}&result=won",
            "a name, left, a game, somewhere": lambda: (
                f"/matches/?player={self.name()}&result=left&game={self.game()}&after={self.cursor()}"
            ),
            "nobody's name": lambda: f"/matches/?player=nobody{self.chance.random()}",
            "a person": lambda: f"/people/{self.person()}/",
            "a person, somewhere": lambda: f"/people/{self.person()}/?after={self.cursor()}",
            "a person, a game, lost": lambda: f"/people/{self.person()}/?game={self.game()}&result=lost",
            "a person, a game, a day": lambda: f"/people/{self.person()}/?game={self.game()}&{self.day()}",
            "who plays most": lambda: "/people/1/",
            "who plays most, a game, left": lambda: f"/people/1/?game={self.game()}&result=left&after={self.cursor()}",
        }

    def game(self) -> str:
        return self.chance.choice(list(offered()))

    def person(self) -> int:
        return 1 + int(self.people * self.chance.random() ** 2)

    def name(self) -> str:
        return User.objects.values_list("name", flat=True).get(pk=self.person())

    def month(self) -> tuple[datetime, datetime]:
        first = timezone.now() - self.chance.random() * YEARS
        return first, first + timedelta(days=30)

    def day(self) -> str:
        return "from={0:%Y-%m-%d}&to={0:%Y-%m-%d}".format(self.month()[0])

    def cursor(self) -> str:
        number = self.chance.randint(1, self.matches)
        finished_at = Match.objects.values_list("finished_at", flat=True).get(pk=number)
        assert finished_at
        return str(Cursor(finished_at, number))


def measure(client: Client, address: Callable[[], str], requests: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each request by the clock, and those of this process alone."""
    clock, own = [], []
    for number in range(requests + 3):
        path = address()
        begun, worked = time.perf_counter(), time.process_time()
        response = client.get(path)
        taken = (time.perf_counter() - begun) * 1000, (time.process_time() - worked) * 1000
        assert response.status_code == 200, (path, response.status_code)
        if number >= 3:  # the first ones compile templates
            clock.append(taken[0])
            own.append(taken[1])
    return clock, own


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--people", type=int, default=20_000)
    parser.add_argument("--moves", type=int, default=8, help="events between the last deal and its end")
    parser.add_argument("--requests", type=int, default=100)
    given = parser.parse_args()
    if connection.vendor != "postgresql":
        sys.exit("This needs PostgreSQL: python scripts/with_services.py python benchmarks/history.py")
    call_command("migrate", verbosity=0)
    if not Match.objects.exists():
        fill(given.matches, given.people, given.moves)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE)")  # now, lest the database does it while pages are measured
    search_seldom()  # as the server does
    settings.SERVESTATIC_AUTOREFRESH = False  # as in production: no request looks for a file of its address
    pages = Pages(given.matches, given.people)
    for viewer in (None, User.objects.get(pk=1)):
        client = Client(HTTP_HOST="localhost")
        if viewer:
            client.force_login(viewer)
        seen = f"page, seen by {viewer.name if viewer else 'a visitor'}"
        print(f"\n{seen:42}", *(f"{each:>7}" for each in HEADS), "ms")
        for kind, address in pages.kinds().items():
            clock, own = measure(client, address, given.requests)
            found = median(clock), late(clock), max(clock), median(own), late(own)
            print(f"{kind:42}", *(f"{each:7.1f}" for each in found), flush=True)


def late(times: list[float]) -> float:
    """Return what 95 of 100 times are less than."""
    return quantiles(times, n=20)[-1]


if __name__ == "__main__":
    main()
