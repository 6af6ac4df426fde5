"""An absent player: opponents choose how to continue, all pages show it, one press returns the seat."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import PHONE
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")

# Ann is away during her turn. The others have two minutes to choose, since their pages may load slowly. With the extra
# minute that is the longest time that the site does not attribute to a clock set back (``due_corrections``).
PREPARE_TABLE = """
from datetime import timedelta
from django.utils import timezone
from games.models import Match
from tests.browser import stages
from tests.games import tables
everybody = [tables.person(name) for name in ("Ann", "Ben", "Cat")]
match = stages.hold_seat(stages.match_in_state(everybody, stages.has_a_choice, bots=0, clock="relaxed"))
later = timezone.now() + timedelta(seconds=110)
Match.objects.filter(pk=match.pk).update(turn_started_at=later, due_at=later + timedelta(seconds=15))
answer = [f"/match/{match.slug}/", *map(stages.log_in, everybody)]
"""
PLAYS_FOR = '[popovertarget="about-plays_for"]'


def test_opponents_vote_on_an_absence_and_the_player_returns_with_one_press(
    new_visitor: NewVisitor, site: Server
) -> None:
    address, *sessions = site.run_code(PREPARE_TABLE)
    windows = [new_visitor(), new_visitor(width=360, height=740), new_visitor()]
    for window, session in zip(windows, sessions, strict=True):
        window.enter(session)
        people.visit_table(window, address)
    ann, ben, cat = windows
    for other in (ben, cat):
        expect(other.page.locator("#task")).to_have_text("Ann is away; a bot takes over.")
        for choice in ("bot", "wait", "stop"):
            expect(other.page.locator(f"#vote-{choice}")).to_be_in_viewport(ratio=1)
        expect(other.page.locator(f"#seat0 {PLAYS_FOR}")).to_have_count(1)
    assert ben.accessibility_violations() == []
    expect(ann.page.locator("[id^=vote-]")).to_have_count(0)
    moves = [window.page.locator("#move-list li") for window in windows]
    before = moves[0].count()

    ben.page.get_by_role("button", name="Wait a minute").focus()
    ben.page.keyboard.press("Enter")
    for other in (ben, cat):
        expect(other.page.locator("#vote-wait")).to_have_count(0)
        expect(other.page.locator("#vote-bot")).to_be_visible()
    people.press(ben, "Go on")
    expect(ben.page.locator("#vote-bot")).to_have_attribute("aria-pressed", "true")
    people.press(cat, "Go on")
    for window, lines in zip(windows, moves, strict=True):
        expect(lines).not_to_have_count(before)  # the bot may have to draw, and others may have to pass
        expect(window.page.locator("[id^=vote-]")).to_have_count(0)

    ann.page.locator("#take-back").focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#take-back")).to_have_count(0)
    for window in windows:
        expect(window.page.locator(PLAYS_FOR)).to_have_count(0)
    ann.visit(f"{address}absences/")
    expect(ann.page.get_by_role("heading", level=2)).to_have_text("A bot took over")
    assert ann.page_problems([PHONE]) == []
