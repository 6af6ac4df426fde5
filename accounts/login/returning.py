"""Keeps suspended guests from returning as new guests.

The name stays reserved during the suspension (``selectors.is_name_taken``). The network address of the suspended guest
can have no new guests for an hour; others there can still log in, sign up and watch.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from accounts.addresses import address_mark
from accounts.models import Sanction
from accounts.selectors import shut_out

SHUT = timedelta(hours=1)  # from the suspension on; short, because many people may share an address
SCOPE = "suspended guests"


def note_address(request: HttpRequest) -> None:
    """Store the hash of a suspended guest's address with a recent suspension."""
    person = request.user
    # A suspended guest has a notice; guests without one cost no query.
    if not (person.is_authenticated and person.is_guest and person.has_notices):
        return
    sanction = shut_out(person.pk)
    if sanction and not sanction.address and sanction.created_at > timezone.now() - SHUT:
        Sanction.objects.filter(pk=sanction.pk).update(address=_mark(request))


def shut_until(request: HttpRequest) -> datetime | None:
    """Return until when a visitor's address can have no new guests, if it is restricted. Old hashes are deleted."""
    begun = timezone.now() - SHUT
    marked = Sanction.objects.exclude(address="")
    marked.filter(Q(created_at__lte=begun) | Q(lifted_at__isnull=False)).update(address="")
    in_force = marked.exclude(until__lte=timezone.now()).filter(address=_mark(request))
    ends = [min(row.created_at + SHUT, row.until or datetime.max.replace(tzinfo=begun.tzinfo)) for row in in_force]
    return max(ends, default=None)


def _mark(request: HttpRequest) -> str:
    return address_mark(request.META.get("REMOTE_ADDR", ""), SCOPE)
