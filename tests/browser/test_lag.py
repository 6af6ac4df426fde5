"""A slow connection: moves within the displayed time are in time."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.player import Player
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")

PREPARE_TABLE = """
from tests.browser import stages
from tests.games import tables
ann = tables.person("Ann")
from collections import Counter
from games.engine.moves import Play

def wanted(state):
    places = Counter(move.tile for move in stages.legal_moves(state) if isinstance(move, Play))
    return state.round.to_move == 0 and state.round.plays and 1 in places.values()

answer = [stages.log_in(ann), stages.match_in_state([ann], wanted, bots=1, clock="fast").slug]
"""
LEAVE_SIX_SECONDS = """
from datetime import timedelta
from django.utils import timezone
from django.db.models import F
from games.models import Match
match = Match.objects.get(slug="{}")
by = match.due_at - timezone.now() - timedelta(seconds=6)
match.due_at, match.turn_started_at = match.due_at - by, match.turn_started_at - by
match.save()
Match.objects.update(revision=F("revision") + 1)
answer = 0
"""
STATE = """
from games.models import Seat
answer = Seat.objects.get(match__slug="{}", user__isnull=False).state
"""
WAKE = "() => document.getElementById('seen').dispatchEvent(new Event('wake'))"
SHOWN = "() => document.getElementById('clock')?.textContent"


def test_move_in_the_last_displayed_moment_is_in_time_with_400_ms_lag(site: Server, new_visitor: NewVisitor) -> None:
    session, slug = site.run_code(PREPARE_TABLE)
    player = Player(new_visitor())
    page, line = player.page, player.visitor.network
    player.visitor.enter(session)
    people.visit_table(player.visitor, f"/match/{slug}/")
    expect(page.locator("#lag")).to_be_hidden()
    line.delay = 0.4
    for _ in range(2):  # the first heartbeat measures the lag, the second reports it
        page.evaluate(WAKE)
        page.wait_for_timeout(1200)
    before = player.read().version
    site.run_code(LEAVE_SIX_SECONDS.format(slug))
    page.evaluate(WAKE)
    expect(page.locator("#lag span")).to_have_text(re.compile("^([89]|1[0-9])00$"))

    while page.evaluate(SHOWN) != "1":
        page.wait_for_timeout(20)
    page.wait_for_timeout(800)
    assert player.read().is_own_turn
    page.locator("#hand .fits[name=move]").first.click()
    while player.read().version == before:
        page.wait_for_timeout(50)
    assert site.run_code(STATE.format(slug)) == "active"
