"""The browser's part of the shuffle: drawn when the commitment is shown, kept, and opened at the start."""

from __future__ import annotations

import json
from hashlib import sha256

from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.people import accept, act_at_table, come_as_guest, open_table
from tests.browser.visitor import Visitor
from tests.server import Server

RECORD = """
from games.models import Match
from games import record

match = Match.objects.get(slug="{slug}")
started = record.started(match.pk)
print(started.commitment, *(nonce or "-" for nonce in started.nonces))
print(*(sealed or "-" for sealed in started.nonce_commitments))
"""


def kept(visitor: Visitor) -> list[dict]:
    return json.loads(visitor.page.evaluate("localStorage.getItem('dominoes-nonces') ?? '[]'"))


def slug_of(address: str) -> str:
    return address.strip("/").rpartition("/")[2]


def started(site: Server, address: str) -> tuple[str, list[str], list[str]]:
    """Return the commitment, the nonces and their commitments of a match that runs."""
    said = site.manage("shell", "-v0", "-c", RECORD.format(slug=slug_of(address))).splitlines()
    (commitment, *nonces), sealed = (line.split() for line in said[-2:])
    return commitment, nonces, sealed


def test_each_browser_draws_its_own_and_opens_it_when_the_match_starts(site: Server, new_visitor: NewVisitor) -> None:
    anna, ben = new_visitor(), new_visitor(width=360, height=740)
    come_as_guest(anna, "Anna")
    address = open_table(anna, "Duel")
    accept(ben, address, "Ben")
    for visitor in (anna, ben):
        expect(visitor.page.locator("#fairness")).to_contain_text("Ben: sealed")
        expect(visitor.page.locator("#fairness")).to_contain_text("Anna: sealed")
    act_at_table(anna, "Start the match")
    for visitor in (anna, ben):
        expect(visitor.page.locator("#hand .tiles")).to_be_visible()
    commitment, nonces, sealed = started(site, address)
    assert sealed == [sha256(nonce.encode()).hexdigest() for nonce in nonces]
    for visitor, nonce in zip((anna, ben), nonces, strict=True):
        (entry,) = kept(visitor)
        drawn = {"slug": slug_of(address), "commitment": commitment, "nonce": nonce}
        assert entry == drawn | {"shown": True, "given": sealed, "opened": True}
        assert len(nonce) == 32
