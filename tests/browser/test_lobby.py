"""The lobby: live lists, and a seat with one click."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.lobby.games import offered_games
from games.words import offered_variants, words_of
from tests.browser.conftest import NewVisitor
from tests.browser.people import TABLE_PATH, enter_as_guest, open_private_table, open_table, table_address
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site(alone=True)

KEYS = list(offered_variants())
GAMES = [str(words_of(key).name) for key in KEYS]


def line_of(address: str) -> str:
    """Return the list entry of the table at this address."""
    return f"#table-{address.strip('/').rpartition('/')[2]}"


def open_in_two_clicks(visitor: Visitor, game: str, preset: str) -> str:
    """Open a ready-made table of a game from the lobby, and return its address."""
    visitor.visit("/")
    visitor.page.locator(".game").get_by_role("link", name=game, exact=True).first.click()
    visitor.page.get_by_role("button", name=re.compile(preset)).first.click()
    visitor.page.wait_for_url(TABLE_PATH)
    return table_address(visitor)


def test_new_table_appears_at_once_for_others(new_visitor: NewVisitor) -> None:
    anna, ben = new_visitor(), new_visitor(width=360, height=740, scheme="dark")
    enter_as_guest(anna, "Anna")
    ben.visit("/")
    line = ben.page.locator(line_of(open_in_two_clicks(anna, GAMES[0], "Full table")))
    expect(line).to_contain_text("Anna")
    expect(ben.page.locator("#here")).to_have_text(re.compile(r"[0-9]+ people here\s*[0-9]+ tables? open"))
    anna.page.get_by_role("button", name="Leave the table").first.click()
    expect(line).to_have_count(0)


def test_visitor_sits_down_from_the_live_list(new_visitor: NewVisitor) -> None:
    cleo, dan = new_visitor(), new_visitor()
    enter_as_guest(cleo, "Cleo")
    dan.visit("/")
    address = open_table(cleo, preset="Duel")
    line = dan.page.locator(line_of(address))
    expect(line).to_contain_text("Cleo")
    line.get_by_role("button", name="Sit down").click()
    dan.page.wait_for_url(TABLE_PATH)
    assert table_address(dan) == address
    expect(cleo.page.locator("#seats .free")).to_have_count(0)


def test_invited_person_in_the_lobby_sits_down_with_one_press(new_visitor: NewVisitor, site: Server) -> None:
    gina, hugo = new_visitor(), new_visitor(width=360, height=740, scheme="dark")
    for visitor, name in ((gina, "Gina"), (hugo, "Hugo")):
        enter_as_guest(visitor, name)
    site.run_code(
        "from accounts.models import Follow, User\n"
        "gina, hugo = (User.objects.filter(name=name).latest('pk') for name in ('Gina', 'Hugo'))\n"
        "Follow.objects.create(follower=gina, followed=hugo)\n"
        "Follow.objects.create(follower=hugo, followed=gina)  # guests can only invite their followers"
    )
    hugo.visit("/")
    expect(hugo.page.locator("html[data-swapped]")).to_be_attached()
    address = open_private_table(gina)
    people = gina.page.locator("#invite-people")
    assert gina.accessibility_violations() == []
    people.get_by_role("button", name="Invite").click()
    expect(people).to_contain_text("invited")
    notice = hugo.page.locator("#notices .notice")
    expect(notice).to_contain_text("Gina invites you")
    assert hugo.accessibility_violations() == []
    people.get_by_role("button", name="Take back").click()
    expect(notice).to_have_count(0)
    gina.page.get_by_role("button", name="Leave the table").first.click()
    gina.page.wait_for_url(re.compile("/$"))
    address = open_private_table(gina)
    people.get_by_role("button", name="Invite").click()
    notice.get_by_role("button", name="Sit down").click()
    hugo.page.wait_for_url(TABLE_PATH)
    assert table_address(hugo) == address
    expect(gina.page.locator("#seats .seat:not(.free)")).to_have_count(2)


def test_filtered_lists_stay_filtered_after_updates(new_visitor: NewVisitor) -> None:
    ida, jan = new_visitor(), new_visitor()
    enter_as_guest(ida, "Ida")
    jan.visit("/")
    jan.page.locator(".games").get_by_role("link", name=GAMES[1], exact=True).first.click()
    expect(jan.page).to_have_url(re.compile(r"/\?game="))
    open_tables = jan.page.locator("#open-tables")
    open_table(ida, "Relaxed", game=KEYS[0])
    address = open_table(ida, "Relaxed", game=KEYS[1])
    expect(open_tables.locator(line_of(address))).to_contain_text("Ida")
    assert GAMES[0] not in open_tables.inner_text()


def test_custom_settings_stay_unfolded_while_lists_change(new_visitor: NewVisitor) -> None:
    kim, lea = new_visitor(), new_visitor(width=360, height=740, scheme="dark")
    enter_as_guest(kim, "Kim")
    relaxed = line_of(open_table(kim, "Relaxed"))
    lea.visit("/")
    lea.page.locator(relaxed).get_by_text("60 s + 300 s").click()
    setting = lea.page.locator(relaxed).get_by_text("60 seconds per move")
    expect(setting).to_be_visible()
    classic = line_of(open_table(kim, "Full table", game=KEYS[-1]))
    expect(lea.page.locator(classic)).to_be_visible()
    expect(setting).to_be_visible()
    assert lea.accessibility_violations() == []
    assert not lea.scrolls_sideways()


def test_games_are_reached_and_chosen_by_keyboard(new_visitor: NewVisitor) -> None:
    mia = new_visitor()
    mia.visit("/")
    mia.page.locator(".games").get_by_role("link", name=GAMES[0], exact=True).focus()
    quick, full = (length.minutes for length in next(iter(offered_games().values())).lengths)
    play, other = f"Play now {GAMES[0]} Quick {quick}", f"Full {GAMES[0]} {full}"
    for name in (play, other, f"Learn in 3 minutes {GAMES[0]}", GAMES[1]):
        mia.page.keyboard.press("Tab")
        expect(mia.page.locator(":focus")).to_have_accessible_name(name)
    mia.page.keyboard.press("Enter")
    expect(mia.page.get_by_role("heading", level=1)).to_have_text(GAMES[1])
    expect(mia.page).to_have_url(re.compile(r"/\?game="))
