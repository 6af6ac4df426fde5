"""A tournament in the browser: its tables open by themselves, one after the other."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.people import TABLE_PATH, enter_as_guest, submit
from tests.server import Server

pytestmark = pytest.mark.site(alone=True)

NEXT_TABLE_MS = 60_000  # a table begins at most 25 seconds after the last one
ANNOUNCE = """
from datetime import timedelta
from django.utils import timezone
from games.tournaments.announcing import Announcement, announce

now = timezone.now()
terms = dict(format="arena", minutes=30, variant="kozel", seats=2, options={"length": "quick"})
answer = announce(Announcement(starts_at=now + timedelta(seconds=10), **terms), now=now).slug
"""
ENTER_OTHERS = """
from django.utils import timezone
from accounts.models import User
from games.models import Tournament
from games.tournaments import entering

for name in ("Bela", "Cyril", "Dora"):
    user = User.objects.create(username=name, name=name)
    entering.enter(tournament=Tournament.objects.get(), user=user, now=timezone.now())
"""
END_TABLES = """
from django.utils import timezone
from games.models import Match
from games.services import play

for match in Match.objects.filter(status="running"):
    play.end_match_against(match_id=match.pk, seat=match.seats.exclude(name="Anna").first().index)
"""
SEE_OTHERS = """
from django.utils import timezone
from games.models import Entry

Entry.objects.exclude(name="Anna").update(seen_at=timezone.now())
"""


def test_tables_open_by_themselves_and_a_break_leads_to_the_standing(site: Server, new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740)
    enter_as_guest(visitor, "Anna")
    tournament = f"/tournament/{site.run_code(ANNOUNCE)}/"
    visitor.visit(tournament)
    submit(visitor, "Enter")
    site.run_code(ENTER_OTHERS)
    visitor.page.wait_for_url(TABLE_PATH, timeout=NEXT_TABLE_MS)
    first_table = visitor.page.url
    visitor.page.locator("#hand .tiles").wait_for(timeout=NEXT_TABLE_MS)
    site.run_code(END_TABLES)
    visitor.page.reload()
    expect(visitor.page.locator("#hand")).to_contain_text("Next table in 0:0")
    expect(visitor.page.locator("#rematch")).to_have_count(0)
    site.run_code(SEE_OTHERS)
    visitor.page.wait_for_url(lambda url: url != first_table, timeout=NEXT_TABLE_MS)
    assert TABLE_PATH.search(visitor.page.url)
    visitor.page.locator("#hand .tiles").wait_for(timeout=NEXT_TABLE_MS)
    site.run_code(END_TABLES)
    visitor.page.reload()
    submit(visitor, "Take a break")
    assert visitor.page.url.endswith(tournament)
    expect(visitor.page.locator("#tournament-mine")).to_contain_text("You are taking a break.")
