"""Spectators come and go, follow a seat taken in another window, and watch one match after the other."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import PHONE, THEMES, Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock", alone=True)  # its matches are the featured ones
SIZES = ((360, 740), (740, 360), (820, 1180), (1440, 900))

# Matches of people who are to move, so that nothing happens until they do. Each stays active for an hour.
PREPARE_TABLE = """
from tests.browser import stages
from tests.games import tables
hosts = [tables.person(name) for name in {names}]
is_first = lambda state: state.round.to_move == 0 and state.round.plays
matches = [stages.match_in_state([host], is_first, bots=3, clock="none", **{terms}) for host in hosts]
for match in matches:
    stages.keep_active(match)
answer = [[stages.log_in(host), f"/match/{{match.slug}}/"] for host, match in zip(hosts, matches)]
"""

# The last move of a match is 15 seconds ago.
STOP_MOVING = """
from datetime import timedelta
from django.utils import timezone
from games.models import MatchEvent
fifteen_seconds_ago = timezone.now() - timedelta(seconds=15)
answer = MatchEvent.objects.filter(match__slug="{slug}").update(at=fifteen_seconds_ago)
"""

# The buttons, links and seats under the notice of the next match.
UNDER_NOTICE = """() => {
    const notice = document.getElementById("next").getBoundingClientRect();
    const covers = ({ left, right, top, bottom }) => left < notice.right && right > notice.left &&
        top < notice.bottom && bottom > notice.top;
    return [...document.querySelectorAll(".table :is(a, button, .seat)")]
        .filter((part) => !part.closest("#next") && part.checkVisibility() && covers(part.getBoundingClientRect()))
        .map((part) => part.textContent);
}"""

# The chances that are not at the bottom of their plates, and texts of plates that they cover.
MISPLACED_CHANCES = """() => {
    const overlap = (one, other) => one.left < other.right && one.right > other.left &&
        one.top < other.bottom - 1 && one.bottom > other.top + 1;
    return [...document.querySelectorAll("#chances > li")].flatMap((item, seat) => {
        const box = item.getBoundingClientRect(), plate = document.getElementById(`seat${seat}`);
        const outer = plate.getBoundingClientRect();
        const isInside = box.left >= outer.left - 1 && box.right <= outer.right + 1 &&
            box.bottom <= outer.bottom + 1 && box.top > outer.top;
        const covered = [...plate.querySelectorAll(".name, .score, .face-up > svg, small, .mark")]
            .filter((part) => part.checkVisibility() && overlap(box, part.getBoundingClientRect()));
        const outside = isInside ? [] : [`seat ${seat}: ${box.bottom}, plate: ${outer.bottom}`];
        return [...outside, ...covered.map((part) => part.className)];
    });
}"""
PREPARE_BOT_MATCH = """
from games.engine.variants import rules_for
from games.services import demo
demo.ensure_bot_match(rules_for("{game}"))
answer = demo.exhibitions().filter(variant="{game}", status="running").get().slug
"""


class Table(NamedTuple):
    """The session of a host who is to move, and the address of the table."""

    session: str
    address: str


def prepare_tables(site: Server, *names: str, **terms: str) -> list[Table]:
    """Prepare a running match of each of these people."""
    return [Table(*answer) for answer in site.run_code(PREPARE_TABLE.format(names=names, terms=terms))]


def test_spectators_come_and_go_and_the_host_sees_who_they_are(new_visitor: NewVisitor, site: Server) -> None:
    [table] = prepare_tables(site, "Nora")
    host, anna, visitor = (new_visitor() for _ in range(3))
    host.enter(table.session)
    people.visit_table(host, table.address)
    people.enter_as_guest(anna, "Anna")
    for spectator in (anna, visitor):
        people.visit_table(spectator, table.address)
        expect(spectator.page.locator("#task")).to_contain_text("watching")
        expect(spectator.page.locator("#hand button")).to_have_count(0)
    assert anna.accessibility_violations() == []
    menu, names = host.page.locator("#spectators"), host.page.locator("#spectator-names")
    expect(menu).to_have_text(re.compile("^2 watching$"), use_inner_text=True)
    before = host.position_of("#lens")
    menu.locator("summary").click()
    expect(names).to_have_text("Anna (guest) and 1 visitor")
    assert host.accessibility_violations() == []
    assert host.position_of("#lens") == before
    anna.page.goto("about:blank")
    expect(names).to_have_text("1 visitor")
    expect(names).to_be_visible()
    visitor.page.goto("about:blank")
    expect(menu).to_be_hidden()
    expect(host.page.locator("#sync")).to_have_attribute("data-status", "running")


def test_watching_window_follows_when_the_person_sits_down_in_another(new_visitor: NewVisitor) -> None:
    host, watching = new_visitor(), new_visitor()
    people.enter_as_guest(host, "Masha")
    people.enter_as_guest(watching, "Anna")
    playing = Visitor(watching.own_context, watching.network)
    address = people.open_table(host)
    for window in (watching, playing):
        people.visit_table(window, address)
    match = watching.page.locator("#match")
    expect(match).to_have_class(re.compile(r"\baround-4-0\b"))

    people.submit_at_table(playing, "Sit here")
    expect(match).to_have_class(re.compile(r"\baround-4-1\b"))
    expect(match).to_have_attribute("data-viewer", "1")
    people.await_connection(watching)

    people.submit_at_table(playing, "Leave the table")
    expect(match).to_have_class(re.compile(r"\baround-4-0\b"))
    expect(match).not_to_have_attribute("data-viewer", re.compile("."))
    assert playing.errors == []


def test_tv_continues_with_the_next_match(new_visitor: NewVisitor, site: Server) -> None:
    first, _next, idle = prepare_tables(site, "Maya", "Mark", "Mona", visibility="public")
    host, viewer = new_visitor(), new_visitor()
    host.enter(first.session)
    viewer.visit("/")
    expect(viewer.page.locator("#featured")).to_contain_text(re.compile("Maya|Mark|Mona"))
    expect(viewer.page.locator("#featured #board svg")).to_be_visible()
    assert viewer.page_problems([PHONE]) == []
    assert viewer.visit(f"/tv/?on={first.address.split('/')[2]}") == 200
    people.await_connection(viewer)
    expect(viewer.page.locator("#seats")).to_contain_text("Maya")
    host.send(first.address, "Leave now")
    expect(viewer.page.get_by_text("The match is over.")).to_be_visible()
    expect(viewer.page.get_by_role("button", name="Stay")).to_be_visible()
    for width, height in ((360, 740), (740, 360), (1440, 900)):
        viewer.page.set_viewport_size({"width": width, "height": height})
        assert viewer.page.evaluate(UNDER_NOTICE) == [], width
    assert viewer.accessibility_violations() == []
    expect(viewer.page.locator("#seats")).not_to_contain_text("Maya")
    expect(viewer.page.locator("#sync")).to_have_attribute("data-status", "running")

    slug = idle.address.split("/")[2]
    site.run_code(STOP_MOVING.format(slug=slug))
    viewer.visit(f"/tv/?on={slug}")
    expect(viewer.page.locator("#seats")).to_contain_text("Mona")
    expect(viewer.page.get_by_text("Nobody is moving.")).to_be_visible(timeout=20_000)
    expect(viewer.page.locator("#seats")).to_contain_text("Mark")


def test_spectators_see_the_chances_to_win_and_players_do_not(new_visitor: NewVisitor, site: Server) -> None:
    [table] = prepare_tables(site, "Nina")
    host, viewer = new_visitor(), new_visitor(width=360, height=740)
    people.visit_table(viewer, table.address)
    people.await_connection(viewer)
    numbers = viewer.page.locator("#chances button")
    expect(numbers).to_have_count(4)
    expect(numbers.first).to_have_text(re.compile(r"^.*Nina.*: \d+%$"))
    for width, height in (*SIZES, (320, 640)):
        viewer.page.set_viewport_size({"width": width, "height": height})
        assert viewer.page.evaluate(MISPLACED_CHANCES) == [], width
        assert not viewer.scrolls_sideways(), width
    assert viewer.page_problems(THEMES) == []
    numbers.first.click()
    expect(viewer.page.locator("#about-chance")).to_contain_text(re.compile(r"Chance not to be the goat\d+%"))
    host.enter(table.session)
    people.visit_table(host, table.address)
    people.await_connection(host)
    expect(host.page.locator("#chances, #about-chance")).to_have_count(0)


def test_hands_of_bots_are_open_next_to_the_chances(new_visitor: NewVisitor, site: Server) -> None:
    viewer = new_visitor(width=360, height=740)
    for game in ("kozel", "triominoes"):
        slug = site.run_code(PREPARE_BOT_MATCH.format(game=game))
        people.visit_table(viewer, f"/match/{slug}/")
        people.await_connection(viewer)
        expect(viewer.page.get_by_text("Hands are open: only bots play.")).to_be_visible()
        expect(viewer.page.locator("#chances li")).to_have_count(4)
        for width, height in (*SIZES, (320, 640)):
            viewer.page.set_viewport_size({"width": width, "height": height})
            expect(viewer.page.locator(".face-up > svg").first).to_be_visible()
            assert viewer.page.evaluate(MISPLACED_CHANCES) == [], (game, width)
            assert not viewer.scrolls_sideways(), (game, width)
    assert viewer.page_problems(THEMES) == []
