"""The admin: entered by the site's log-in, without policy violations, with reasons for acts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.visitor import PHONE, THEMES, Visitor, Window
from tests.server import Server

pytestmark = pytest.mark.site(alone=True)

PASSWORD = "seven-spotted-goats"
PREPARE = """
from accounts.models import User
from tests.games import tables
root = User.objects.create_superuser("root", "root@example.org", "seven-spotted-goats", name="Root")
root.emailaddress_set.create(email=root.email, verified=True, primary=True)
match = tables.running_table([tables.person("Ann"), tables.person("Ben")])
match.host.sanctions.create(kind="mute", reason="spam", moderator=root)
"""
SAY = """
from games.models import Match
match = Match.objects.latest("pk")
match.messages.create(user=match.host, name="Ann", text="a rude word")
"""
LISTS = [
    *(f"/admin/accounts/{model}/" for model in ("user", "sanction", "moderationact")),
    *(f"/admin/games/{model}/" for model in ("match", "seat", "matchevent", "message", "ratingpoints")),
    "/admin/mfa/authenticator/",
    "/admin/account/emailaddress/",
    "/admin/auth/group/",
]
# Pages of every kind. The others only have to obey the policy: Django makes them from the same templates.
WITH_AXE = ("/admin/accounts/user/", "/admin/games/match/")


@pytest.fixture(scope="module")
def prepared_site(site: Server) -> Server:
    site.run_code(PREPARE + SAY)
    return site


def complaints(visitor: Visitor, windows: Sequence[Window] = (PHONE,)) -> list[str]:
    # For a style sheet with imports axe creates style elements, which the policy forbids.
    with visitor.expecting_errors("style"):
        return [
            f"{window.name}: {violation}"
            for window in visitor.each_window(windows)
            for violation in visitor.accessibility_violations()
        ]


def log_in(visitor: Visitor) -> None:
    visitor.visit("/admin/")
    visitor.page.get_by_label("User name").fill("root")
    visitor.page.get_by_label("Password", exact=True).fill(PASSWORD)
    people.submit(visitor, "Log in")
    expect(visitor.page.get_by_role("heading", level=1).first).to_be_visible()
    assert visitor.page.url.endswith("/admin/")


@pytest.mark.usefixtures("prepared_site")
def test_pages_of_the_admin_obey_the_policy_and_every_kind_is_accessible(visitor: Visitor) -> None:
    log_in(visitor)
    by_page = {"/admin/": complaints(visitor, THEMES)}
    for path in LISTS:
        visitor.visit(path)
        by_page[path] = complaints(visitor) if path in WITH_AXE else []
        if (row := visitor.page.locator("#result_list tbody th a")).count():
            people.follow_link(visitor, row.first)
            by_page[path + "*/"] = complaints(visitor) if path in WITH_AXE else []
    for path, windows in {"/admin/accounts/user/?q=Ann": THEMES, "/admin/games/match/?q=Ann": [PHONE]}.items():
        visitor.visit(path)
        people.follow_link(visitor, visitor.page.locator("#result_list tbody th a"))
        people.follow_link(visitor, visitor.page.get_by_role("link", name="Open a case"))
        expect(visitor.page.get_by_text("Note for other moderators")).to_be_visible()
        by_page[path + " case"] = complaints(visitor, windows)
    assert by_page == {path: [] for path in by_page}
