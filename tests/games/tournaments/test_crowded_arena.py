"""An arena with many people: everybody is led to a table within seconds, and nobody has to press anything."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from datetime import datetime

import pytest
from django.utils import timezone

from accounts.models import User
from games.match.moments import milliseconds
from games.models import Entry, Tournament
from games.services import play
from games.tournaments import record
from games.tournaments.core.state import State
from tests.games.socket_browser import Browser, in_thread
from tests.games.tournaments.site import SECOND, arena, entrants, run_pass, running_matches

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]

PEOPLE, SEATS = 64, 4
MAX_WAIT_MS = 20_000  # of nine people in ten
PASSES, PASS_TIME = 16, 2 * SECOND
ENDS_IN_PASS = {5: 6, 7: 6, 9: 4}  # the number of tables that end in a pass
FOLLOW_PATTERN = re.compile(r'data-follow="/match/([\w-]+)/"')


async def test_people_wait_for_seconds_and_their_pages_lead_them_to_their_tables() -> None:
    begin = timezone.now()
    tournament, people = await in_thread(announce_and_enter)(begin)
    pages = await open_pages(tournament, people)
    state = await in_thread(run_arena)(tournament, begin)
    waits = sorted(waits_ms(state, milliseconds(begin)))
    assert len(state.tables) == (PEOPLE + SEATS * sum(ENDS_IN_PASS.values())) // SEATS
    assert len(waits) == SEATS * len(state.tables), "no bot took a seat"
    assert waits[len(waits) * 9 // 10] <= MAX_WAIT_MS
    matches_by_person = [await matches_shown(page) for page in pages]
    seats_by_match = Counter(slug for slugs in matches_by_person for slug in slugs)
    assert seats_by_match == {table.match: SEATS for table in state.tables}
    await asyncio.gather(*(page.disconnect() for page in pages))


def announce_and_enter(begin: datetime) -> tuple[Tournament, list[User]]:
    tournament = arena(seats=SEATS, starts_at=begin)
    return tournament, entrants(tournament, *(f"Guest {number}" for number in range(PEOPLE)))


async def open_pages(tournament: Tournament, people: list[User]) -> list[Browser]:
    pages = [Browser(f"/ws/tournament/{tournament.slug}/", user=user) for user in people]
    for page in pages:
        await page.connect(timeout=30)
        await page.next_frame()
    return pages


def run_arena(tournament: Tournament, begin: datetime) -> State:
    """Run the clock, end matches from time to time, and return the arena."""
    for number in range(PASSES):
        now = begin + number * PASS_TIME
        Entry.objects.update(seen_at=now)
        for match in running_matches()[: ENDS_IN_PASS.get(number, 0)]:
            play.end_match_against(match_id=match.pk, seat=0)
        Tournament.objects.filter(due_at__isnull=False).update(due_at=now)
        run_pass(now)
    row = Tournament.objects.get(pk=tournament.pk)
    return record.state_of(row.pk, row.version)


def waits_ms(state: State, started_at: int) -> list[int]:
    """Return how long each person was free before each table."""
    free_since = dict.fromkeys(state.entries, started_at)
    waits = []
    for table in state.tables:
        waits += [table.begun_at - free_since[party] for party in table.people]
        free_since |= dict.fromkeys(table.people, table.over_at)
    return waits


async def matches_shown(page: Browser) -> set[str]:
    """Return the matches that the page has led to."""
    slugs: set[str] = set()
    while not await page.receive_nothing(0.05):
        slugs |= set(FOLLOW_PATTERN.findall(await page.next_frame()))
    return slugs
