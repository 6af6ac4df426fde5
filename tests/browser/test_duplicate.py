"""A browser's part in the deals of a duplicate tournament: sealed with the entry, opened at the start, then found."""

from __future__ import annotations

from hashlib import sha256

from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.people import enter_as_guest
from tests.browser.test_nonces import stored_nonces
from tests.server import Server

ANNOUNCE = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import User
from games.tournaments import entering
from games.tournaments.announcing import Announcement, announce

now = timezone.now()
row = announce(Announcement("duplicate", "kozel", 2, now + timedelta(seconds=25), rounds=4), now=now)
for number in range(5):
    user = User.objects.create(username=f"entrant-{number}", name=f"Entrant {number}")
    entering.enter(tournament=row, user=user, now=now)
answer = row.slug
"""
ENTROPY = """
from games.models import Entry, Match
from games.match import record
from games.tournaments import record as tournament_record

entry = Entry.objects.get(user__name="Anna")
match = Match.objects.filter(seats__user=entry.user).get()
answer = [entry.nonce_commitment, entry.nonce, list(tournament_record.start_event(entry.tournament_id).nonces)]
"""


def test_nonce_of_an_entrant_is_sealed_opened_and_found_in_the_public_list(
    site: Server, new_visitor: NewVisitor
) -> None:
    anna = new_visitor(width=360, height=740)
    enter_as_guest(anna, "Anna")
    address = f"/tournament/{site.run_code(ANNOUNCE)}/"
    anna.visit(address)
    expect(anna.page.locator("#act [name=commitment]")).not_to_have_value("")
    anna.page.get_by_role("button", name="Enter", exact=True).click()
    anna.page.wait_for_url(
        "**/match/**", timeout=60_000
    )  # the clock has started the tournament and seated its entrants
    nonce = stored_nonces(anna.page)[-1]["nonce"]
    sealed, opened, nonces = site.run_code(ENTROPY)
    assert (sealed, opened) == (sha256(nonce.encode()).hexdigest(), nonce)
    assert nonces == [*[""] * 5, nonce]
    anna.visit(address)
    anna.page.get_by_text("Fair dealing", exact=True).click()
    marked = anna.page.locator("#tournament-nonces li.own-part")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text(f"{nonce} yours")
