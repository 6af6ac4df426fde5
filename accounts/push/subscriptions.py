"""The browsers in which people get push notifications.

The address of a browser comes from its page, so it is accepted only if it belongs to a known push service.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import PushSubscription, User
from infrastructure.vapid import decode_base64url

MAX_BROWSERS = 10  # of one person; another one replaces the oldest
MAX_FAILURES = 20  # in a row, before a browser is deleted
MAX_FIELD_LENGTH = 1000
POINT_BYTES, AUTH_BYTES = 65, 16
SESSION_KEY = "push"  # the session stores the id of the subscription under this key
# Nothing that two programs could parse differently: no credentials, no backslash, no space.
ENDPOINT_PATTERN = re.compile(r"(https?)://([a-z0-9.-]+)(:\d{1,5})?/[A-Za-z0-9._~:/?&=%+,;!$'()*@-]*")


class InvalidSubscription(Exception):
    """The form contains no subscription to a known push service."""


def is_push_available() -> bool:
    return bool(settings.VAPID_PRIVATE_KEY)


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """The address of a browser, and its encryption keys."""

    endpoint: str
    p256dh: str
    auth: str

    @classmethod
    def from_form(cls, data: Any) -> Self:
        """Return the keys in a form. Raises InvalidSubscription."""
        endpoint, p256dh, auth = (str(data.get(name, "")) for name in ("endpoint", "p256dh", "auth"))
        if max(len(endpoint), len(p256dh), len(auth)) > MAX_FIELD_LENGTH or not is_known_service(endpoint):
            raise InvalidSubscription(_("The site does not support this push service."))
        try:
            if (len(decode_base64url(p256dh)), len(decode_base64url(auth))) != (POINT_BYTES, AUTH_BYTES):
                raise ValueError("too short or too long")
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(p256dh))
        except ValueError:
            raise InvalidSubscription(_("These are not the keys of a browser.")) from None
        return cls(endpoint, p256dh.rstrip("="), auth.rstrip("="))


def is_known_service(endpoint: str) -> bool:
    """Return True if an address belongs to one of ``PUSH_SERVICES``, which are hosts (HTTPS) or origins."""
    parts = ENDPOINT_PATTERN.fullmatch(endpoint)
    if not parts:
        return False
    scheme, host, port = parts.groups()
    origin = f"{scheme}://{host}{port or ''}"
    services = (service if "://" in service else f"https://{service}" for service in settings.PUSH_SERVICES)
    return any(_matches_service(origin, service) for service in services)


def _matches_service(origin: str, service: str) -> bool:
    """Return True if an origin matches a service; ``*.`` in a service matches any subdomain."""
    scheme, wildcard, rest = service.partition("://*.")
    if not wildcard:
        return origin == service
    return origin.startswith(f"{scheme}://") and origin.endswith(f".{rest}")


@transaction.atomic
def subscribe(*, user: User, session: SessionBase, keys: BrowserKeys) -> None:
    """Subscribe this browser. It belongs to the person who subscribed last."""
    unsubscribe(user_id=user.pk, session=session)
    row, _created = PushSubscription.objects.update_or_create(
        endpoint=keys.endpoint,
        defaults={
            "user": user,
            "p256dh": keys.p256dh,
            "auth": keys.auth,
            "expires_at": session.get_expiry_date(),
            "failures": 0,
        },
    )
    newest = user.push_subscriptions.order_by("-pk").values_list("pk", flat=True)[:MAX_BROWSERS]
    user.push_subscriptions.exclude(pk__in=list(newest)).delete()
    session[SESSION_KEY] = row.pk


def unsubscribe(*, user_id: int, session: SessionBase) -> None:
    """Delete the subscription of this session."""
    if subscription_id := session.pop(SESSION_KEY, None):
        PushSubscription.objects.filter(pk=subscription_id, user=user_id).delete()


def extend_to_session_end(session: SessionBase) -> None:
    """Extend the subscription to the new end of the session."""
    if subscription_id := session.get(SESSION_KEY):
        PushSubscription.objects.filter(pk=subscription_id).update(expires_at=session.get_expiry_date())


def is_subscribed(*, user_id: int, session: SessionBase) -> bool:
    """Return True if this session has a subscription of the person."""
    subscription_id = session.get(SESSION_KEY)
    return subscription_id is not None and PushSubscription.objects.filter(pk=subscription_id, user=user_id).exists()


def record_outcome(subscription_id: int, outcome: str) -> None:
    """Record the outcome of a delivery. A browser is deleted if it is ``gone``, or if it ``failed`` too often."""
    row = PushSubscription.objects.filter(pk=subscription_id)
    if outcome == "sent":
        row.filter(failures__gt=0).update(failures=0)
        return
    if outcome == "failed":
        row.update(failures=F("failures") + 1)
        row = row.filter(failures__gte=MAX_FAILURES)
    row.delete()


def has_subscription(user_id: int | None) -> bool:
    """Return True if the person gets notifications in any browser."""
    if user_id is None or not is_push_available():
        return False
    return PushSubscription.objects.filter(user=user_id, expires_at__gt=timezone.now()).exists()


def subscribed_ids(user_ids: Iterable[int]) -> set[int]:
    """Return the people among these who get notifications in any browser."""
    rows = PushSubscription.objects.filter(user__in=list(user_ids), expires_at__gt=timezone.now())
    return set(rows.values_list("user", flat=True))


def export_subscriptions(user: User) -> list[Any]:
    """Return the browsers of the person, without the keys, which would let others send to the browser."""
    return list(user.push_subscriptions.order_by("pk").values("endpoint", "created_at", "expires_at", "failures"))
