"""A form under way is not sent again by another press."""

from __future__ import annotations

import pytest
from playwright.sync_api import Request, expect

from tests.browser.conftest import NewVisitor
from tests.browser.people import TABLE_PATH, enter_as_guest, new_name
from tests.browser.visitor import Visitor
from tests.server import Server


def posts(visitor: Visitor) -> list[Request]:
    """Return the list of forms sent by the window, which grows."""
    sent: list[Request] = []
    visitor.page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    return sent


def test_double_click_sends_one_form_and_disables_the_button(visitor: Visitor) -> None:
    visitor.context.clock.install()
    visitor.page.route("**/play/", lambda route: route.fulfill(status=204))  # no other page loads
    sent = posts(visitor)
    visitor.visit("/")
    button = visitor.page.get_by_role("button", name="Play now").first
    for presses in (1, 2):
        button.dblclick()
        button.press("Enter")
        expect(button).to_have_attribute("aria-disabled", "true")
        assert len(sent) == presses
        visitor.context.clock.run_for(10_000)
        expect(button).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("javascript", [True, False])
def test_quick_presses_open_one_table(new_visitor: NewVisitor, site: Server, javascript: bool) -> None:
    visitor, name = new_visitor(javascript=javascript), new_name("Dora")
    enter_as_guest(visitor, name)
    visitor.visit("/?game=kozel")
    button = visitor.page.get_by_role("button", name="Full table").first
    button.click(click_count=3, delay=5, no_wait_after=True)
    expect(visitor.page).to_have_url(TABLE_PATH)
    opened = f"from games.models import Match; answer = Match.objects.filter(host__name={name!r}).count()"
    assert site.run_code(opened) == 1
