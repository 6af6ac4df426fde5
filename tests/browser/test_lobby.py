"""The lobby in a browser: the lists are live, and one click leads to a seat."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.people import AT_A_TABLE, address_of_table, come_as_guest, open_table


def test_a_table_opened_by_one_shows_up_at_once_for_another(new_visitor: NewVisitor) -> None:
    anna, ben = new_visitor(), new_visitor(width=360, height=740, scheme="dark")
    come_as_guest(anna, "Anna")
    ben.visit("/")
    open_tables = ben.page.locator("#open-tables")
    expect(open_tables).not_to_contain_text("Anna")
    open_table(anna)
    expect(open_tables).to_contain_text("Anna")
    anna.page.get_by_role("button", name="Stand up").first.click()
    expect(open_tables).not_to_contain_text("Anna")


def test_a_visitor_sits_down_from_the_live_list_and_is_asked_for_a_name_on_the_way(new_visitor: NewVisitor) -> None:
    cleo, dan = new_visitor(), new_visitor()
    come_as_guest(cleo, "Cleo")
    dan.visit("/")
    address = open_table(cleo, preset="Duel")
    line = dan.page.locator("#open-tables li", has_text="Cleo").first
    line.get_by_role("button", name="Sit down").click()
    dan.page.get_by_label("Name").fill("Dan")
    dan.page.get_by_role("button", name="Play", exact=True).click()
    dan.page.wait_for_url(AT_A_TABLE)
    assert address_of_table(dan) == address
    expect(cleo.page.locator("#seats")).to_contain_text("Dan")


def test_an_invited_guest_is_seated_without_script(new_visitor: NewVisitor) -> None:
    eva, finn = new_visitor(), new_visitor(javascript=False)
    come_as_guest(eva, "Eva")
    finn.visit(open_table(eva, preset="Friends"))
    finn.page.get_by_role("button", name=re.compile("Sit")).first.click()
    finn.page.get_by_label("Name").fill("Finn")
    finn.page.get_by_role("button", name="Play", exact=True).click()
    expect(finn.page.locator("#seats")).to_contain_text("Finn")
    expect(eva.page.locator("#seats")).to_contain_text("Finn")


def test_play_now_leads_to_a_table_with_the_browsers_own_part_of_the_shuffle(new_visitor: NewVisitor) -> None:
    gail = new_visitor(width=360, height=740)
    come_as_guest(gail, "Gail")
    gail.visit("/")
    expect(gail.page.locator("#act [name=nonce]")).to_have_value(re.compile("^[0-9a-f]{32}$"))
    gail.page.get_by_role("button", name="Play now").click()
    gail.page.wait_for_url(AT_A_TABLE)
    expect(gail.page.locator("#seats")).to_contain_text("Gail")
