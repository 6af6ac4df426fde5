"""Handing notifications to the push services of browsers, encrypted for the browser alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Literal

import structlog
from django.conf import settings
from django.utils import timezone
from prometheus_client import Counter

from accounts.models import PushSubscription
from accounts.push import subscriptions

log = structlog.get_logger()
SECONDS = 5
"""How long a push service may take to let the site in, and to answer. A process that stops waits for it."""
GONE = (404, 410)
PUSHES = Counter("dominoes_pushes_total", "Messages handed to push services, by what came of it", ["outcome"])
Outcome = Literal["sent", "gone", "failed"]


@dataclass(frozen=True, slots=True)
class Notification:
    """What a browser shows, in the reader's language; a later one with the same ``tag`` takes its place.

    ``seconds`` is how long it is worth anything, ``path`` the page about it.
    """

    title: str
    body: str
    path: str
    tag: str
    language: str
    seconds: int
    urgent: bool

    def as_json(self) -> str:
        shown = {"title": self.title, "body": self.body, "path": self.path, "tag": self.tag, "lang": self.language}
        return json.dumps(shown, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Delivery:
    """A notification for one browser."""

    subscription_id: int
    keys: subscriptions.Keys
    notification: Notification


def deliveries(user_id: int, notification: Notification) -> list[Delivery]:
    """Return the notification for each browser of a person whose session has not expired."""
    rows = PushSubscription.objects.filter(user=user_id, expires_at__gt=timezone.now()).order_by("pk")
    return [Delivery(row.pk, subscriptions.Keys(row.endpoint, row.p256dh, row.auth), notification) for row in rows]


def deliver(delivery: Delivery) -> Outcome:
    """Hand it over and return what came of it. It takes a while, and uses no database."""
    outcome = _deliver(delivery)
    PUSHES.labels(outcome).inc()
    return outcome


def _deliver(delivery: Delivery) -> Outcome:
    # Loaded with the first push: it takes a second and some memory.
    import requests
    from pywebpush import WebPushException, webpush

    keys, notification = delivery.keys, delivery.notification
    if not subscriptions.is_known(keys.endpoint):
        return "gone"  # the setting has changed
    with requests.Session() as session:
        session.max_redirects = 0  # nobody is led to an address that was not checked
        try:
            webpush(
                {"endpoint": keys.endpoint, "keys": {"p256dh": keys.p256dh, "auth": keys.auth}},
                notification.as_json(),
                vapid_private_key=settings.VAPID_PRIVATE_KEY,
                vapid_claims={"sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"},
                ttl=notification.seconds,
                timeout=SECONDS,
                headers=_headers(notification),
                requests_session=session,
            )
        except WebPushException as error:
            if error.status_code in GONE:
                return "gone"
            log.warning("push_refused", status=error.status_code)
            return "failed"
        except requests.RequestException as error:
            log.warning("push_failed", error=type(error).__name__)
            return "failed"
    return "sent"


def _headers(notification: Notification) -> dict[str, str | int | float]:
    """Return how it is to be delivered. Microsoft's service asks for a type of its own."""
    urgency = "high" if notification.urgent else "normal"
    return {"Topic": notification.tag, "Urgency": urgency, "X-WNS-Type": "wns/raw"}
