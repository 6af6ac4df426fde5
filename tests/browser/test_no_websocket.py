"""A network that blocks WebSockets: forms are sent over HTTP, and pages poll."""

from __future__ import annotations

import re
import time
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.hands import PREPARE_TABLE, Hand, tile_name
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

EVERY_FEW_SECONDS = re.compile("every few seconds")
MOVE = """
from games.models import Match
from tests.games import tables
match = Match.objects.get(slug="{}")
tables.make_first_move(match)
"""
PAIR = """
from tests.games import tables
ann, ben = tables.person("Ann"), tables.person("Ben")
match = tables.running_table([ann, ben], bots=2, clock="none")
answer = [session(ann), session(ben), match.slug]
"""
OVER = """
from tests.games.reviewed import play_random_moves, stop_match
answer = f"/match/{stop_match(play_random_moves('kozel', 4)).slug}/review/"
"""


def polling_sign(page: Page) -> Locator:
    return page.locator("[data-polling]")


def prepare_table(site: Server) -> tuple[str, str]:
    """Return the session of a player to move, and the address of the table."""
    session, slug = site.run_code(f"{PREPARE_TABLE}\nanswer = prepare_table()")
    return session, f"/match/{slug}/"


def sit(visitor: Visitor, session: str, address: str) -> Hand:
    """Visit a table without a socket, and wait for the first poll."""
    visitor.enter(session)
    visitor.visit(address)
    expect(polling_sign(visitor.page)).to_have_text(EVERY_FEW_SECONDS)
    return Hand(visitor)


@pytest.fixture
def blocked(new_visitor: NewVisitor) -> Visitor:
    visitor = new_visitor()
    visitor.block_sockets()
    return visitor


@pytest.mark.parametrize("how", ["refused", "unanswered"])
def test_tile_is_played_without_a_socket(
    new_visitor: NewVisitor, site: Server, how: Literal["refused", "unanswered"]
) -> None:
    visitor = new_visitor(width=360, height=740)
    visitor.block_sockets(how)
    hand = sit(visitor, *prepare_table(site))
    tile = tile_name(hand.fitting_twice)
    hand.fitting_twice.click()
    expect(hand.places).to_have_count(2)
    hand.page.wait_for_timeout(4_000)  # a poll in between keeps the tile chosen
    hand.places.first.click()
    hand.expect_played(tile)
    expect(polling_sign(hand.page)).to_have_text(EVERY_FEW_SECONDS)


def test_press_before_the_first_poll_is_sent_at_once(blocked: Visitor, site: Server) -> None:
    session, address = prepare_table(site)
    blocked.enter(session)
    blocked.visit(address)
    hand = Hand(blocked)
    tile = tile_name(hand.fitting_once)
    hand.fitting_once.click()
    hand.expect_played(tile)


def test_moves_and_chat_lines_arrive_and_own_lines_are_sent(
    new_visitor: NewVisitor, blocked: Visitor, site: Server
) -> None:
    """A player has two pages, one of them without a socket; both show the same."""
    session, address = prepare_table(site)
    polling = sit(blocked, session, address).page
    other = new_visitor()
    other.enter(session)
    people.visit_table(other, address)
    site.run_code(MOVE.format(address.split("/")[2]))
    other.page.locator("#chat-text").fill("Well played")
    other.page.locator("#chat-text").press("Enter")
    polling.locator("#chat-text").fill("Thank you")
    polling.locator("#chat-text").press("Enter")
    expect(polling.locator("#chat-text")).to_have_value("")
    for page in (polling, other.page):
        expect(page.locator("#messages")).to_contain_text("Well played")
        expect(page.locator("#messages")).to_contain_text("Thank you")
    # The move was made in the database's shell, which announces nothing: only polling pages see it.
    expect(polling.locator("#hand.mine")).to_have_count(0)


def test_refusal_is_shown(blocked: Visitor, site: Server) -> None:
    hand = sit(blocked, *prepare_table(site))
    hand.page.locator("#version").evaluate("version => { version.value = 0; }")
    hand.fitting_once.click()
    expect(hand.page.locator("#notice")).to_contain_text("moved on")
    expect(hand.page.locator("#hand .asked")).to_have_count(0)


def test_socket_that_opens_later_takes_over(blocked: Visitor, site: Server) -> None:
    hand = sit(blocked, *prepare_table(site))
    blocked.network.sockets = "pass"
    expect(polling_sign(hand.page)).to_be_hidden()
    requests: list[str] = []
    hand.page.on("request", lambda request: requests.append(request.url))
    tile = tile_name(hand.fitting_once)
    hand.fitting_once.click()
    hand.expect_played(tile)
    hand.page.wait_for_timeout(4_000)
    assert [url for url in requests if "/match/" in url] == []


def test_offline_page_shows_it_and_keeps_the_chat_line(blocked: Visitor, site: Server) -> None:
    hand = sit(blocked, *prepare_table(site))
    with blocked.offline():
        expect(polling_sign(hand.page)).to_contain_text("Connection lost")
        hand.page.locator("#chat-text").fill("Hello")
        hand.page.locator("#chat-text").press("Enter")
        expect(hand.page.locator("#chat-text")).to_have_value("Hello")
    expect(polling_sign(hand.page)).to_have_text(EVERY_FEW_SECONDS)


def test_page_polls_less_often_after_429(blocked: Visitor, site: Server) -> None:
    hand = sit(blocked, *prepare_table(site))
    requests: list[float] = []
    with blocked.expecting_errors("429"):
        blocked.page.route(
            re.compile("type=seen"),
            lambda route: (requests.append(time.monotonic()), route.fulfill(status=429, headers={"Retry-After": "8"})),
        )
        expect(polling_sign(hand.page)).to_contain_text("Connection lost")
        hand.page.wait_for_timeout(7_000)
    assert len(requests) <= 2  # the next one was under way


def test_lobby_shows_new_tables(blocked: Visitor, new_visitor: NewVisitor) -> None:
    blocked.visit("/")
    expect(polling_sign(blocked.page)).to_have_text(EVERY_FEW_SECONDS)
    cleo = new_visitor()
    people.enter_as_guest(cleo, "Cleo")
    slug = people.open_table(cleo, preset="Duel").split("/")[2]
    expect(blocked.page.locator(f"#table-{slug}")).to_contain_text("Cleo")


def test_shared_review_chat_works(blocked: Visitor, new_visitor: NewVisitor, site: Server) -> None:
    address, other = site.run_code(OVER), new_visitor()
    for visitor, name in ((blocked, "Vera"), (other, "Igor")):
        people.enter_as_guest(visitor, name)
        visitor.visit(address)
        visitor.page.locator("#review-chat-title").click()
    blocked.page.locator("#review-text").fill("6-4 was better")
    blocked.page.locator("#review-text").press("Enter")
    expect(other.page.locator("#review-messages")).to_contain_text("6-4 was better")
    other.page.locator("#review-text").fill("It was")
    other.page.locator("#review-text").press("Enter")
    expect(blocked.page.locator("#review-messages")).to_contain_text("It was")
    expect(blocked.page).to_have_url(re.compile(r"/review/(\?|$)"))
