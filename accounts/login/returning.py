"""Suspended guests who would come back as new ones: a guest is only a name and a cookie.

The name stays reserved while the suspension lasts (``selectors.is_name_taken``). The network address on which the
suspended guest is seen opens no new guest for an hour; somebody else there can still log in, sign up and watch.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from accounts.addresses import address_mark
from accounts.models import Sanction
from accounts.selectors import shut_out

SHUT = timedelta(hours=1)
"""So long from the suspension on: many people may share an address."""
SCOPE = "suspended guests"


def note_address(request: HttpRequest) -> None:
    """Keep the mark of the address of a suspended guest with the suspension, if it is new."""
    person = request.user
    # Whoever was suspended has been told so; nobody else costs a query.
    if not (person.is_authenticated and person.is_guest and person.has_notices):
        return
    sanction = shut_out(person.pk)
    if sanction and not sanction.address and sanction.created_at > timezone.now() - SHUT:
        Sanction.objects.filter(pk=sanction.pk).update(address=_mark(request))


def shut_until(request: HttpRequest) -> datetime | None:
    """Return until when the address of a visitor opens no new guest, None if it does. Forget marks that are old."""
    begun = timezone.now() - SHUT
    marked = Sanction.objects.exclude(address="")
    marked.filter(Q(created_at__lte=begun) | Q(lifted_at__isnull=False)).update(address="")
    in_force = marked.exclude(until__lte=timezone.now()).filter(address=_mark(request))
    ends = [min(row.created_at + SHUT, row.until or datetime.max.replace(tzinfo=begun.tzinfo)) for row in in_force]
    return max(ends, default=None)


def _mark(request: HttpRequest) -> str:
    return address_mark(request.META.get("REMOTE_ADDR", ""), SCOPE)
