"""Conduct points: the pages of a suspended player, and an up-to-date price of leaving."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import PHONE, THEMES, Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PREPARE_TABLE = """
from datetime import timedelta
from django.utils import timezone
from games.conduct import ledger
from games.lobby.tables import sit
from tests.browser import stages
from tests.games import tables
from tests.games.lobby.test_tables import table

ann, ben, cat = (tables.person(name) for name in ("Ann", "Ben", "Cat"))
running, rated = tables.running_table([ann, ben]), table(cat, rated=True)
seat = table(tables.person("Dan"))
now = timezone.now()
for hours, kind in ((30, "left"), (20, "clean"), (3, "held"), (2, "late")):
    ledger.charge_points(ann.pk, kind, now - timedelta(hours=hours), match_id=running.pk)
for _seat in range(2):
    ledger.charge_points(ann.pk, "stood_up", now)
sit(match=seat, user=ann)
answer = [ann.pk, stages.log_in(ann), *(f"/match/{match.slug}/" for match in (running, rated, seat))]
"""
CHARGE = """
from django.utils import timezone
from games.conduct import ledger
ledger.charge_points({}, "left", timezone.now())
"""


class Tables(NamedTuple):
    """Ann's number and session, and the addresses of her table, a rated one and one before the deal."""

    ann: int
    session: str
    running: str
    rated: str
    seat: str

    def enter(self, visitor: Visitor) -> None:
        """Make the visitor Ann."""
        visitor.enter(self.session)


@pytest.fixture
def tables(site: Server) -> Tables:
    return Tables(*site.run_code(PREPARE_TABLE))


def test_leave_dialog_shows_the_current_price_and_other_pages_the_pause(
    visitor: Visitor, site: Server, tables: Tables
) -> None:
    tables.enter(visitor)
    people.visit_table(visitor, tables.running)
    dialog = visitor.page.locator("details.leave")
    expect(dialog).to_contain_text("That makes 7 and pauses rated play for 10 minutes.")
    site.run_code(CHARGE.format(tables.ann))
    dialog.locator("summary").click()
    expect(dialog).to_contain_text("That makes 10 and pauses rated play for 20 minutes.")
    complaints = {"leaving": visitor.page_problems([PHONE])}
    for path, windows in {"/conduct/": THEMES, tables.rated: [PHONE]}.items():
        visitor.visit(path)
        expect(visitor.page.get_by_role("main")).to_contain_text("Rated play is paused for you until")
        complaints[path] = visitor.page_problems(windows)
    assert complaints == {page: [] for page in complaints}


def test_seat_with_a_price_can_be_left_without_scripts(new_visitor: NewVisitor, tables: Tables) -> None:
    visitor = new_visitor(width=360, height=740, javascript=False)
    tables.enter(visitor)
    visitor.visit(tables.seat)
    expect(visitor.page.get_by_text("Costs 1 conduct point.")).to_be_visible()
    people.submit(visitor, "Leave the table")
    visitor.visit("/conduct/")
    expect(visitor.page.get_by_role("heading", level=2).first).to_have_text("5 conduct points")
