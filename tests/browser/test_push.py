"""Push notifications: the offer, when they are shown, and what a click opens.

No test browser reaches a push service, and the page must report that. The headless shell cannot show notifications;
the full Chromium can, even headless.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from tests.browser import people
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.visitor import PHONE, Visitor
from tests.browser.windows import Windows
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")
INCOGNITO = "does not support the Push API in incognito"
WORKER = "navigator.serviceWorker.getRegistration('/').then(({active}) => new URL(active.scriptURL).pathname)"
NO_SERVICE = "Registration failed|" + INCOGNITO
NOTIFICATION = {"title": "It’s your turn", "body": "Kozel: Ben", "path": "/rules/", "tag": "abc", "lang": "en"}
SUBSCRIBE = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import PushSubscription, User
user = User.objects.get(name={name!r})
until = timezone.now() + timedelta(days=1)
PushSubscription.objects.create(user=user, endpoint=f"https://fcm.googleapis.com/{{user.pk}}", expires_at=until)
"""
# It is Zoe's turn, and she has no visible page.
PREPARE_TABLE = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import PushSubscription
from games.services import push_notifications
from tests.browser import stages
from tests.games import tables
zoe, yan = tables.person("Zoe"), tables.person("Yan")
match = stages.match_in_state([zoe, yan], stages.has_a_choice, bots=0, clock="1-day")
later = timezone.now() + timedelta(minutes=1)
PushSubscription.objects.create(user=zoe, endpoint="https://fcm.googleapis.com/zoe", expires_at=later)
(delivery,) = push_notifications.take_due_notifications(now=later - timedelta(seconds=50), limit=100)
answer = [stages.log_in(zoe), f"/match/{match.slug}/", delivery.notification.as_json()]
"""
SHOWN_NOTIFICATIONS = """async () => (await registration.getNotifications()).map(
    ({ title, body, tag, lang, icon, data }) => ({ title, body, tag, lang, icon: new URL(icon).pathname, ...data }))"""
# Records focus and openWindow calls, which browsers allow only after a real click.
CLICK = """async () => {
    self.calls ??= [];
    self.clients.openWindow = async (address) => void calls.push(["open", address]);
    WindowClient.prototype.focus = async function () { calls.push(["focus", this.url]); };
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent("notificationclick", { notification });
    const work = [];
    event.waitUntil = (promise) => work.push(promise);
    dispatchEvent(event);
    await Promise.all(work);
    return calls.splice(0);
}"""
VISIBLE_COUNT = """
from accounts.models import User
from games.models import Presence
ids = {{user_id for row in Presence.objects.all() for user_id, _match in row.in_sight}}
answer = User.objects.filter(pk__in=ids, name={name!r}).count()
"""
HIDE_PAGE = """() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
TAKE_OUT = """() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


class Worker:
    """The service worker of a site, through the browser's debugger."""

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
        self.ids += [registration["registrationId"] for registration in event["registrations"]]

    def push(self, seconds: float, data: str = json.dumps(NOTIFICATION)) -> list[str]:
        """Deliver a push message, and return the worker's errors."""
        before = len(self.errors)
        for _ in range(100):
            if not self.ids:
                self.visitor.page.wait_for_timeout(100)
        message = {"origin": self.visitor.network.url, "registrationId": self.ids[-1], "data": data}
        self.debugger.send("ServiceWorker.deliverPushMessage", message)
        for _ in range(round(seconds * 10)):
            self.visitor.page.wait_for_timeout(100)
            if len(self.errors) > before:
                break
        return self.errors[before:]


def test_offer_reports_what_the_browser_cannot_do(visitor: Visitor) -> None:
    people.enter_as_guest(visitor, "Panni")
    visitor.context.grant_permissions(["notifications"], origin=visitor.network.url)
    visitor.visit("/accounts/settings/")
    page, offer = visitor.page, visitor.page.locator("#push")
    assert visitor.page_problems([PHONE]) == []
    with visitor.expecting_errors(INCOGNITO):
        offer.get_by_role("button", name="Notify me").click()
        expect(offer.get_by_role("status")).to_have_text(
            "The browser could not reach its notification service. Nothing was changed. Try again later."
        )
    expect(offer.get_by_role("button", name="Notify me")).to_be_enabled()
    expect(offer.get_by_role("button", name="Stop")).to_be_hidden()
    assert page.evaluate(WORKER) == "/service-worker.js"
    with visitor.offline():
        visitor.visit("/rules/")
        expect(page.get_by_role("heading", level=1)).to_have_text("You are offline")
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How to play")
    worker = Worker(visitor)
    manifest = worker.debugger.send("Page.getAppManifest")
    assert (manifest["errors"], manifest["url"]) == ([], f"{visitor.network.url}/manifest.webmanifest")
    assert worker.debugger.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    assert worker.push(1) == [], "a page is in sight"
    page.goto("about:blank")
    (error,) = worker.push(15)
    assert "showNotification" in error


@pytest.fixture(scope="module")
def showing(chromium: Browser) -> Iterator[Browser]:
    """A Chromium that shows notifications."""
    own = chromium.browser_type.executable_path
    path = own if Path(own).exists() else shutil.which("chromium")
    if path is None:
        pytest.skip("only the Chromium without windows is installed")
    # Playwright's headless mode would use the headless shell.
    browser = chromium.browser_type.launch(
        executable_path=path, args=[*CHROMIUM_FLAGS, "--headless=new"], headless=False
    )
    yield browser
    browser.close()


def test_notification_is_shown_without_a_visible_page_and_opens_the_table(showing: Browser, site: Server) -> None:
    session, address, notification = site.run_code(PREPARE_TABLE)
    with Windows(showing) as windows:
        windows.use_site(site.port)
        visitor = windows.open()
        visitor.enter(session)
        visitor.context.grant_permissions(["notifications"], origin=visitor.network.url)
        visitor.visit("/accounts/settings/")
        with visitor.expecting_errors(NO_SERVICE):
            people.press(visitor, "Notify me")
            expect(visitor.page.locator("#push").get_by_role("status")).not_to_be_empty()
        worker, page = Worker(visitor), visitor.page
        (script,) = visitor.context.service_workers
        worker.push(1, notification)
        assert script.evaluate(SHOWN_NOTIFICATIONS) == [], "a page is in sight"
        page.goto("about:blank")
        for _ in range(2):
            assert worker.push(1, notification) == []
        expected = {
            "title": "It’s your turn",
            "body": "Kozel: Yan",
            "lang": "en",
            "icon": "/static/img/icon-192.png",
        }
        assert script.evaluate(SHOWN_NOTIFICATIONS) == [{**expected, "tag": address.split("/")[2], "path": address}]
        page.goto(visitor.network.url + address)
        assert script.evaluate(CLICK) == [["focus", page.url]]
        assert script.evaluate(SHOWN_NOTIFICATIONS) == []
        page.goto("about:blank")
        worker.push(1, notification)
        assert script.evaluate(CLICK) == [["open", f"{visitor.network.url}{address}"]]
        assert visitor.errors == []


def test_page_reports_whether_it_is_visible(visitor: Visitor, site: Server) -> None:
    people.enter_as_guest(visitor, "Lola")
    site.run_code(f"{SUBSCRIBE.format(name='Lola')}answer = 0")

    def expect_visible(number: int) -> None:
        for _ in range(150):
            if site.run_code(VISIBLE_COUNT.format(name="Lola")) == number:
                return
            visitor.page.wait_for_timeout(100)
        raise AssertionError(f"not {number} in sight")

    for path in ("/", people.open_table(visitor, "Duel")):
        visitor.page.goto("about:blank")
        expect_visible(0)
        visitor.visit(path)
        expect_visible(1)
        visitor.page.evaluate(HIDE_PAGE)
        expect_visible(0)
    visitor.page.evaluate(TAKE_OUT)
    expect_visible(1)
    visitor.page.goto("about:blank")
    expect_visible(0)


def test_page_opened_in_the_background_reports_that_it_is_hidden(visitor: Visitor) -> None:
    people.enter_as_guest(visitor, "Lola")
    visitor.page.add_init_script(f"({HIDE_PAGE})()")
    reports: list[dict[str, Any]] = []
    visitor.page.on("websocket", lambda socket: socket.on("framesent", lambda text: reports.append(json.loads(text))))
    visitor.visit("/")
    for _ in range(50):  # sooner than the first heartbeat
        if not reports:
            visitor.page.wait_for_timeout(100)
    assert [(report["type"], report["visible"]) for report in reports] == [("seen", False)]
