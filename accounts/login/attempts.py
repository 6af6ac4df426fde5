"""Limits on wrong passwords and codes that slow down the guesser and not the owner.

Wrong answers are counted by name and network. A browser that has logged in to the account before has a signed cookie
and its own count, and so has a session that asks for the password again: nobody elsewhere can lock it out. All unknown
browsers also share a count, which limits guessing from many networks. Then the owner must log in from a known browser,
set a new password by mail, which makes this browser known, or wait.

A network has the same number of attempts for all names and addresses of an account. Attempts beyond it look like wrong
passwords: an error would reveal that two names belong to one account, and so who has an email address.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterator
from hashlib import sha256

from allauth.core.internal import ratelimit
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.login.outcomes import LOGIN_COUNTS
from infrastructure.addresses import client_key

ALLAUTH_APP = "allauth.account"
DEVICES_COOKIE, DEVICES_SALT = f"{settings.HOST_ONLY}devices", "accounts.devices"
DEVICES_COOKIE_SECONDS = 365 * 24 * 3600
MAX_KNOWN_ACCOUNTS = 5  # accounts that one browser is known to
CUSTOMER_PREFIX_BITS = 56  # length of the IPv6 prefixes that providers assign to one customer

Limit = tuple[str, str]  # a name in ``ACCOUNT_RATE_LIMITS``, and the key that it counts


class LoginAttempt:
    """An attempt to log in. It counts unless it is rolled back because it was right or not checked."""

    def __init__(self, request: HttpRequest, *, factor: str, login: str, user_id: int | None) -> None:
        """Count an attempt at a ``factor``, "password" or "code". ``user_id`` is the owner of the login name, if any.

        Raises ValidationError with the waiting time if there were too many.
        """
        self.request, self.factor = request, factor
        self.device = _known_device(request, user_id)
        self.owner = login if user_id is None else user_id
        self.usages: list[ratelimit.RateLimitUsage] = []
        for action, key in self._limits(login):
            if not self._count(action, key):
                self.roll_back()
                raise _too_many_attempts(request, action, key)

    def count_for_account(self) -> bool:
        """Count it for the account too. Return False if this network has no attempts left for any of its names.

        The caller must then answer like after a wrong password.
        """
        key = f"{self.factor} of an account|{self.owner}|{_network_of(self.request)}"
        return bool(self.device) or self._count("tries_from_a_network", key)

    def roll_back(self) -> None:
        for usage in self.usages:
            usage.rollback()

    def _limits(self, login: str) -> Iterator[Limit]:
        yield "tries_of_an_address", ""
        if self.device:
            yield "tries_of_a_device", f"{self.factor}|{self.device}"
        else:
            yield "tries_from_a_network", f"{self.factor}|{login}|{_network_of(self.request)}"
            yield "tries_of_strangers", f"{self.factor}|{login}"

    def _count(self, action: str, key: str) -> bool:
        usage = ratelimit.consume(self.request, app=ALLAUTH_APP, action=action, key=key)
        if usage:
            self.usages.append(usage)
        return usage is not None


def remember_device(request: HttpRequest, response: HttpResponse, user_id: int) -> None:
    """Make this browser known to the account."""
    devices = _device_ids(request)
    device = devices.pop(str(user_id), "") or secrets.token_urlsafe(12)
    newest = [*devices.items(), (str(user_id), device)][-MAX_KNOWN_ACCOUNTS:]
    response.set_cookie(
        DEVICES_COOKIE,
        signing.dumps(dict(newest), salt=DEVICES_SALT),
        max_age=DEVICES_COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _known_device(request: HttpRequest, user_id: int | None) -> str | None:
    """Return the id of a session or browser that has logged in to this account before."""
    if user_id is None:
        return None
    if request.user.pk == user_id:
        return sha256(str(request.session.session_key).encode()).hexdigest()
    return _device_ids(request).get(str(user_id))


def _device_ids(request: HttpRequest) -> dict[str, str]:
    """Return the ids of this browser by account."""
    try:
        devices: dict[str, str] = signing.loads(
            request.COOKIES.get(DEVICES_COOKIE, ""), salt=DEVICES_SALT, max_age=DEVICES_COOKIE_SECONDS
        )
    except signing.BadSignature:
        return {}
    return devices


def _network_of(request: HttpRequest) -> str:
    """Return the /24 of an IPv4 address, the /56 of an IPv6 one."""
    client = client_key(request.META.get("REMOTE_ADDR", ""), prefix=CUSTOMER_PREFIX_BITS)
    return client.rpartition(".")[0] if "." in client else client


def _too_many_attempts(request: HttpRequest, action: str, key: str) -> ValidationError:
    LOGIN_COUNTS["limited"].inc()
    minutes = max(1, math.ceil(_seconds_to_wait(request, action, key) / 60))
    text = ngettext(
        "Too many failed attempts. Try again in %(count)d minute.",
        "Too many failed attempts. Try again in %(count)d minutes.",
        minutes,
    ) % {"count": minutes}
    if action == "tries_of_strangers":
        advice = _("Is it your account? Set a new password by email to log in now.")
        text = f"{text} {advice}"
    return ValidationError(text, code="too_many_login_attempts")


def _seconds_to_wait(request: HttpRequest, action: str, key: str) -> float:
    """Return the time until every rate of the limit allows another attempt."""
    now, wait_seconds = time.time(), [0.0]
    for rate in ratelimit.get_rates(app=ALLAUTH_APP, action=action):
        address = ratelimit.get_cache_key(request, app=ALLAUTH_APP, action=action, rate=rate, key=key)
        newest_first = cache.get(address, [])
        if len(newest_first) >= rate.amount:
            wait_seconds.append(newest_first[rate.amount - 1] + rate.duration - now)
    return max(wait_seconds)
