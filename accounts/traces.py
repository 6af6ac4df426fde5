"""Keyed hashes of network addresses and devices, which link accounts of the same person.

A device is a browser with a random number in a cookie. Moderators see how many others share an address or device, and
those who decide all cases see which accounts; nobody sees addresses or hashes.
"""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.addresses import address_hash
from accounts.models import Sanction, Trace, User
from accounts.selectors import lock_person, sanction_in_force

DEVICE_COOKIE = f"{settings.HOST_ONLY}device"
LIFETIME = timedelta(days=180)
MAX_SHARERS = 10  # a trace of more people, like the address of a school or a carrier, is no evidence
HASH_SCOPE = "traces"
DEVICE_NUMBER = re.compile(r"[\w-]{22}", re.ASCII)


class SharedTraces(NamedTuple):
    """The number of other accounts and guests with the same addresses, or devices.

    ``is_crowded``: more than ``MAX_SHARERS`` people share a trace; they are not counted.
    """

    kind: Trace.Kind
    accounts: int
    guests: int
    is_crowded: bool

    @property
    def is_device(self) -> bool:
        return self.kind == Trace.Kind.DEVICE


def record_visit(request: HttpRequest, response: HttpResponse, user_id: int) -> None:
    """Store the address and device of a visit, and set the cookie with the device's number."""
    number = request.COOKIES.get(DEVICE_COOKIE, "")
    if not DEVICE_NUMBER.fullmatch(number):
        number = secrets.token_urlsafe(16)
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(DEVICE_COOKIE, number, max_age=LIFETIME, secure=secure, httponly=True, samesite="Lax")
    hashes = {
        Trace.Kind.ADDRESS: address_hash(request.META.get("REMOTE_ADDR", ""), HASH_SCOPE),
        Trace.Kind.DEVICE: device_hash(number),
    }
    now = timezone.now()
    rows = [Trace(user_id=user_id, kind=kind, mark=mark, seen_at=now) for kind, mark in hashes.items() if mark]
    with transaction.atomic():
        if lock_person(user_id):
            Trace.objects.bulk_create(
                rows, update_conflicts=True, unique_fields=["user", "kind", "mark"], update_fields=["seen_at"]
            )


def device_hash(number: str) -> str:
    """Return a keyed hash of the number of a browser."""
    return salted_hmac(f"{__name__}.device", number, algorithm="sha256").hexdigest()[:32]


def shared_traces(user_id: int) -> list[SharedTraces]:
    """Return the kinds of traces that a person shares with others."""
    kinds = [_count_sharers(user_id, kind) for kind in Trace.Kind]
    return [shared for shared in kinds if shared.accounts or shared.guests or shared.is_crowded]


def sharing_accounts(user_id: int, kind: str) -> list[tuple[User, list[Sanction]]]:
    """Return the other accounts with the same addresses or devices, each with its sanctions in force.

    Guests, and people who share only a crowded trace, are left out.
    """
    marks, _is_crowded = _rarely_shared_traces(user_id, kind)
    same = Trace.objects.filter(kind=kind, mark__in=marks).exclude(user=user_id)
    accounts = User.objects.filter(pk__in=same.values("user"), is_guest=False).order_by("pk")
    sanctions: dict[int, list[Sanction]] = defaultdict(list)
    for sanction in Sanction.objects.filter(sanction_in_force(), user__in=accounts).order_by("pk"):
        sanctions[sanction.user_id].append(sanction)
    return [(account, sanctions[account.pk]) for account in accounts]


def _count_sharers(user_id: int, kind: Trace.Kind) -> SharedTraces:
    marks, is_crowded = _rarely_shared_traces(user_id, kind)
    same = Trace.objects.filter(kind=kind, mark__in=marks).exclude(user=user_id)
    people = dict(same.values_list("user", "user__is_guest"))
    guests = sum(people.values())
    return SharedTraces(kind, len(people) - guests, guests, is_crowded)


def _rarely_shared_traces(user_id: int, kind: str) -> tuple[list[str], bool]:
    """Return the traces that a person shares with few others, and True if there are crowded ones besides."""
    own = Trace.objects.filter(user=user_id, kind=kind).values("mark")
    same = Trace.objects.filter(kind=kind, mark__in=own).exclude(user=user_id)
    sharers = dict(same.values_list("mark").annotate(number=Count("pk")))
    uncrowded = [mark for mark, number in sharers.items() if number <= MAX_SHARERS]
    return uncrowded, len(uncrowded) < len(sharers)


def group_people(people: Collection[int], kinds: Sequence[str] = Trace.Kind.values) -> list[frozenset[int]]:
    """Group people who share traces of these kinds, directly or through others among them."""
    by_mark: dict[str, set[int]] = defaultdict(set)
    for mark, user_id in Trace.objects.filter(user__in=people, kind__in=kinds).values_list("mark", "user"):
        by_mark[mark].add(user_id)
    separate = [frozenset([person]) for person in people]
    for sharers in by_mark.values():
        if len(sharers) > 1:
            overlapping_groups = [group for group in separate if group & sharers]
            separate = [group for group in separate if not group & sharers] + [frozenset().union(*overlapping_groups)]
    return separate


def export_traces(user: User) -> list[Any]:
    """Return when the person was last seen at each address and device, without the hashes."""
    return list(Trace.objects.filter(user=user).order_by("pk").values("kind", "seen_at"))
