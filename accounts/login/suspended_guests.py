"""Keeps suspended guests from returning as new guests.

The name stays reserved during the suspension (``selectors.is_name_taken``). The network address of the suspended guest
can have no new guests for an hour; others there can still log in, sign up and watch.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from accounts.addresses import address_hash
from accounts.models import Sanction
from accounts.selectors import active_suspension

ADDRESS_RESTRICTION = timedelta(hours=1)  # from the suspension; short, because many people may share an address
HASH_SCOPE = "suspended guests"


def record_suspended_address(request: HttpRequest) -> None:
    """Store the hash of a suspended guest's address with a recent suspension."""
    user = request.user
    # A suspended guest has a notice; guests without one cost no query.
    if not (user.is_authenticated and user.is_guest and user.has_notices):
        return
    sanction = active_suspension(user.pk)
    if sanction and not sanction.address and sanction.created_at > timezone.now() - ADDRESS_RESTRICTION:
        Sanction.objects.filter(pk=sanction.pk).update(address=_request_address_hash(request))


def restricted_until(request: HttpRequest) -> datetime | None:
    """Return the end of the restriction of a visitor's address, None without one. Old hashes are deleted."""
    restriction_start = timezone.now() - ADDRESS_RESTRICTION
    with_address = Sanction.objects.exclude(address="")
    with_address.filter(Q(created_at__lte=restriction_start) | Q(lifted_at__isnull=False)).update(address="")
    suspensions_in_force = with_address.exclude(until__lte=timezone.now()).filter(
        address=_request_address_hash(request)
    )
    never = datetime.max.replace(tzinfo=restriction_start.tzinfo)
    return max(
        (min(row.created_at + ADDRESS_RESTRICTION, row.until or never) for row in suspensions_in_force), default=None
    )


def _request_address_hash(request: HttpRequest) -> str:
    return address_hash(request.META.get("REMOTE_ADDR", ""), HASH_SCOPE)
