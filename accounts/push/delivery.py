"""Delivers encrypted notifications to the push services of browsers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Literal, get_args

import structlog
from django.conf import settings
from django.utils import timezone
from prometheus_client import Counter

from accounts.models import PushSubscription
from accounts.push import subscriptions

log = structlog.get_logger()
TIMEOUT_SECONDS = 5  # to connect and to answer; short, because a stopping process waits for it
GONE_STATUSES = (404, 410)
PUSHES = Counter("dominoes_pushes_total", "Messages sent to push services, by outcome", ["outcome"])
Outcome = Literal["sent", "gone", "failed"]
for outcome in get_args(Outcome):
    PUSHES.labels(outcome)


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification in the reader's language. It replaces an earlier one with the same ``tag``.

    ``seconds`` is how long it is useful, ``path`` the page that it opens.
    """

    title: str
    body: str
    path: str
    tag: str
    language: str
    seconds: int
    urgent: bool

    def as_json(self) -> str:
        content = {"title": self.title, "body": self.body, "path": self.path, "tag": self.tag, "lang": self.language}
        return json.dumps(content, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Delivery:
    """A notification for one browser."""

    subscription_id: int
    keys: subscriptions.BrowserKeys
    notification: Notification


def deliveries_to(user_id: int, notification: Notification) -> list[Delivery]:
    """Return a delivery for each browser of a person whose session has not expired."""
    rows = PushSubscription.objects.filter(user=user_id, expires_at__gt=timezone.now()).order_by("pk")
    return [
        Delivery(row.pk, subscriptions.BrowserKeys(row.endpoint, row.p256dh, row.auth), notification) for row in rows
    ]


def deliver(delivery: Delivery) -> Outcome:
    """Send a notification. It may take seconds, and does not use the database."""
    outcome = _send_to_push_service(delivery)
    PUSHES.labels(outcome).inc()
    return outcome


def _send_to_push_service(delivery: Delivery) -> Outcome:
    # Imported with the first push, because it takes a second and some memory.
    import requests
    from pywebpush import WebPushException, webpush

    keys, notification = delivery.keys, delivery.notification
    if not subscriptions.is_known_service(keys.endpoint):
        return "gone"  # the setting has changed
    with requests.Session() as session:
        session.max_redirects = 0  # a redirect could lead to an unchecked address
        try:
            webpush(
                {"endpoint": keys.endpoint, "keys": {"p256dh": keys.p256dh, "auth": keys.auth}},
                notification.as_json(),
                vapid_private_key=settings.VAPID_PRIVATE_KEY,
                vapid_claims={"sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"},
                ttl=notification.seconds,
                timeout=TIMEOUT_SECONDS,
                headers=_headers(notification),
                requests_session=session,
            )
        except WebPushException as error:
            if error.status_code in GONE_STATUSES:
                return "gone"
            log.warning("push_refused", status=error.status_code)
            return "failed"
        except requests.RequestException as error:
            log.warning("push_failed", error=type(error).__name__)
            return "failed"
    return "sent"


def _headers(notification: Notification) -> dict[str, str | int | float]:
    """Return the headers for delivery. Microsoft's service needs a type of its own."""
    urgency = "high" if notification.urgent else "normal"
    return {"Topic": notification.tag, "Urgency": urgency, "X-WNS-Type": "wns/raw"}
