"""The browser's part of the shuffle: drawn after the commitment, stored, and opened at the start."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewVisitor
from tests.browser.people import (
    accept_invitation,
    await_connection,
    enter_as_guest,
    open_table,
    press,
    submit_at_table,
)
from tests.browser.visitor import Visitor
from tests.server import Server

MAX_ENTRIES = 100  # entries stored by a browser
RECORD = """
from games.models import Match
from games.match import record

match = Match.objects.get(slug="{slug}")
started = record.start_event(match.pk)
answer = [started.commitment, [*started.nonces], [*started.nonce_commitments]]
"""


def stored_nonces(page: Page) -> list[dict[str, Any]]:
    return json.loads(page.evaluate("localStorage.getItem('dominoes-nonces') ?? '[]'"))


def slug_of(address: str) -> str:
    return address.strip("/").rpartition("/")[2]


def shuffle_parts(site: Server, address: str) -> tuple[str, list[str], list[str]]:
    """Return the commitment, the nonces and their commitments of a running match."""
    commitment, nonces, sealed = site.run_code(RECORD.format(slug=slug_of(address)))
    return commitment, nonces, sealed


def test_browsers_draw_their_nonces_and_open_them_at_the_start(site: Server, new_visitor: NewVisitor) -> None:
    anna, ben = new_visitor(), new_visitor(width=360, height=740)
    enter_as_guest(anna, "Anna")
    anna.visit("/privacy/")
    old_entries = [{"slug": str(number), "commitment": "ab", "nonce": "cd"} for number in range(MAX_ENTRIES)]
    anna.page.evaluate("entries => localStorage.setItem('dominoes-nonces', entries)", json.dumps(old_entries))
    address = open_table(anna, "Duel")
    accept_invitation(ben, address, "Boris")
    for visitor in (anna, ben):
        expect(visitor.page.locator("#fairness")).to_contain_text("Boris: sealed")
        expect(visitor.page.locator("#fairness")).to_contain_text("Anna: sealed")
        expect(visitor.page.locator(".waiting .soft")).to_be_visible()
        expect(visitor.page.locator(".free-seats")).to_be_hidden()  # nobody else can be invited
    submit_at_table(anna, "Start the match")
    for visitor in (anna, ben):
        expect(visitor.page.locator("#hand .tiles")).to_be_visible()
    commitment, nonces, sealed = shuffle_parts(site, address)
    assert sealed == [sha256(nonce.encode()).hexdigest() for nonce in nonces]
    for visitor, nonce in zip((anna, ben), nonces, strict=True):
        entry = stored_nonces(visitor.page)[-1]
        expected = {"slug": slug_of(address), "commitment": commitment, "nonce": nonce}
        assert entry == expected | {"shown": True, "given": sealed, "opened": True}
        assert len(nonce) == 32
    assert len(stored_nonces(anna.page)) == MAX_ENTRIES


def seal_text(visitor: Visitor, text: str) -> None:
    visitor.page.get_by_text("Fair dealing", exact=True).click()
    visitor.page.get_by_label("Your text for the shuffle").fill(text)
    press(visitor, "Add this text")


def test_typed_text_replaces_the_drawn_nonce(site: Server, new_visitor: NewVisitor) -> None:
    cleo = new_visitor(width=360, height=740)
    enter_as_guest(cleo, "Cleo")
    address = open_table(cleo, "Duel")
    await_connection(cleo)
    seal_text(cleo, "  Kozel – жребий ")
    expect(cleo.page.locator("#nonce-said")).to_contain_text("Your text is sealed.")
    sealed = sha256("Kozel – жребий".encode()).hexdigest()
    expect(cleo.page.locator("#fairness")).to_contain_text(sealed)
    assert cleo.accessibility_violations() == []
    assert not cleo.scrolls_sideways()
    submit_at_table(cleo, "Start now with bots")
    expect(cleo.page.locator("#fairness")).to_contain_text("Cleo: Kozel – жребий, as sealed before the start")
    assert shuffle_parts(site, address)[1:] == (["Kozel – жребий", ""], [sealed, ""])


def test_device_that_committed_opens_the_nonce(site: Server, new_visitor: NewVisitor) -> None:
    fay, other = new_visitor(), new_visitor(width=360, height=740)
    enter_as_guest(fay, "Fay")
    address = open_table(fay, "Duel")
    expect(fay.page.locator("#fairness")).to_contain_text("Fay: sealed")
    session = next(cookie for cookie in fay.own_context.cookies() if cookie["name"] == "sessionid")
    other.enter(session["value"])
    other.visit(address)
    await_connection(other)
    tab = fay.own_context.new_page()
    tab.goto(fay.page.url)
    expect(tab.locator("#fairness")).to_contain_text("Fay: sealed")
    fay.page.close()
    other.page.get_by_role("button", name="Start now with bots").click()
    expect(tab.locator("#hand .tiles")).to_be_visible()
    nonce, _bot = shuffle_parts(site, address)[1]
    assert nonce == stored_nonces(tab)[0]["nonce"]
    assert stored_nonces(other.page) == []


def test_text_typed_too_late_keeps_the_drawn_nonce(site: Server, new_visitor: NewVisitor) -> None:
    gus, hal = new_visitor(), new_visitor(javascript=False)
    enter_as_guest(gus, "Gus")
    address = open_table(gus, "Duel")
    accept_invitation(hal, address, "Hal")
    expect(gus.page.locator("#fairness")).to_contain_text("Gus: sealed")
    submit_at_table(gus, "Start the match")
    seal_text(gus, "too late")
    expect(gus.page.locator("#hand .tiles")).to_be_visible()
    nonces = shuffle_parts(site, address)[1]
    assert [len(nonce) for nonce in nonces] == [32, 0]
    assert stored_nonces(gus.page)[-1]["nonce"] == nonces[0]
