"""Notifications in a browser: the offer, the worker behind it, and pages that tell whether they are in sight.

Chromium without windows has no push service and shows no notifications, and the page has to say so.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import CDPSession, expect

from tests.browser import people
from tests.browser.visitor import Visitor, Window
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")
WINDOWS = (Window("phone-light", 360, 740), Window("desk-dark", 1440, 900, "dark"))
INCOGNITO = "does not support the Push API in incognito"
WORKER = "navigator.serviceWorker.getRegistration('/').then(({active}) => new URL(active.scriptURL).pathname)"
NOTIFICATION = {"title": "It is your turn", "body": "Kozel with Ben", "path": "/rules/", "tag": "abc", "lang": "en"}
SUBSCRIBE = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import PushSubscription, User
user = User.objects.get(name={name!r})
until = timezone.now() + timedelta(days=1)
PushSubscription.objects.create(user=user, endpoint=f"https://fcm.googleapis.com/{{user.pk}}", expires_at=until)
"""
IN_SIGHT = "from games.models import VisiblePage; answer = VisiblePage.objects.filter(user__name={name!r}).count()"
PUT_AWAY = """() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
TAKE_OUT = """() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


class Worker:
    """The service worker of a site, as the browser's debugger sees it."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.ids: list[str] = []
        self.errors: list[str] = []
        self.debugger: CDPSession = visitor.context.new_cdp_session(visitor.page)
        self.debugger.on("ServiceWorker.workerRegistrationUpdated", self.note)
        self.debugger.on(
            "ServiceWorker.workerErrorReported",
            lambda event: self.errors.append(event["errorMessage"]["errorMessage"]),
        )
        self.debugger.send("ServiceWorker.enable")

    def note(self, event: dict[str, Any]) -> None:
        self.ids += [each["registrationId"] for each in event["registrations"]]

    def push(self, seconds: float) -> list[str]:
        """Hand over what a push service would, and return what the worker could not do about it."""
        before, data = len(self.errors), json.dumps(NOTIFICATION)
        message = {"origin": self.visitor.line.url, "registrationId": self.ids[-1], "data": data}
        self.debugger.send("ServiceWorker.deliverPushMessage", message)
        for _ in range(round(seconds * 10)):
            self.visitor.page.wait_for_timeout(100)
            if len(self.errors) > before:
                break
        return self.errors[before:]


def test_the_offer_says_what_the_browser_cannot_do(visitor: Visitor) -> None:
    people.come_as_guest(visitor, "Panni")
    visitor.context.grant_permissions(["notifications"], origin=visitor.line.url)
    visitor.visit("/accounts/settings/")
    page, offer = visitor.page, visitor.page.locator("#push")
    assert visitor.complaints(WINDOWS) == []
    with visitor.expecting_errors(INCOGNITO):
        offer.get_by_role("button", name="Notify me").click()
        expect(offer.get_by_role("status")).to_have_text(
            "The browser could not reach its notification service. Nothing has been changed; try again later."
        )
    expect(offer.get_by_role("button", name="Notify me")).to_be_enabled()
    expect(offer.get_by_role("button", name="Stop")).to_be_hidden()
    assert page.evaluate(WORKER) == "/service-worker.js"
    worker = Worker(visitor)
    manifest = worker.debugger.send("Page.getAppManifest")
    assert (manifest["errors"], manifest["url"]) == ([], f"{visitor.line.url}/manifest.webmanifest")
    assert worker.debugger.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    assert worker.push(1) == [], "a page is in sight"
    page.goto("about:blank")
    (error,) = worker.push(15)
    assert "showNotification" in error


def test_a_page_tells_whether_it_is_in_sight(visitor: Visitor, site: Server) -> None:
    people.come_as_guest(visitor, "Lola")
    site.answer(f"{SUBSCRIBE.format(name='Lola')}answer = 0")

    def expect_in_sight(number: int) -> None:
        for _ in range(150):
            if site.answer(IN_SIGHT.format(name="Lola")) == number:
                return
            visitor.page.wait_for_timeout(100)
        raise AssertionError(f"not {number} in sight")

    for path in ("/", people.open_table(visitor, "Duel")):
        visitor.visit(path)
        expect_in_sight(1)
        visitor.page.evaluate(PUT_AWAY)
        expect_in_sight(0)
    visitor.page.evaluate(TAKE_OUT)
    expect_in_sight(1)
    visitor.page.goto("about:blank")
    expect_in_sight(0)
