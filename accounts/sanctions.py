"""Sanctions: muting and suspending people, and lifting that."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import moderation
from accounts.models import ModerationAct, Sanction, User
from accounts.selectors import lock_person
from accounts.signals import sanction_imposed

IMPOSING = {
    Sanction.Kind.MUTE: ("accounts.mute", ModerationAct.Act.MUTE),
    Sanction.Kind.SUSPENSION: ("accounts.suspend", ModerationAct.Act.SUSPEND),
}


@transaction.atomic
def impose(*, moderator: User, user: User, kind: str, reason: str, until: datetime | None) -> Sanction:
    """Mute or suspend ``user`` until a moment (None: for good).

    Raises PermissionDenied, or ValidationError for oneself, staff, a moment that is past, or no reason.
    """
    permission, act = IMPOSING[Sanction.Kind(kind)]
    moderation.require(moderator=moderator, permission=permission, reason=reason)
    if user == moderator:
        raise ValidationError(_("You cannot act against yourself."), code="self")
    if user.is_staff and not moderator.is_superuser:
        raise ValidationError(_("Only an administrator can act against a moderator."), code="staff")
    if until is not None and until <= timezone.now():
        raise ValidationError(_("That time is in the past."), code="past")
    # Sitting down locks the person too: nobody takes a seat while being suspended.
    if not lock_person(user.pk):
        raise ValidationError(_("This person’s account no longer exists."), code="gone")
    sanction = Sanction.objects.create(user=user, kind=kind, reason=reason.strip(), until=until, moderator=moderator)
    moderation.log(moderator=moderator, act=act, user=user, target=f"user:{user.pk}", reason=reason)
    sanction_imposed.send(Sanction, sanction=sanction)
    return sanction


@transaction.atomic
def lift(*, moderator: User, sanction: Sanction, reason: str) -> None:
    """End a sanction before its time. Raises PermissionDenied, or ValidationError if it is not in force."""
    moderation.require(moderator=moderator, permission="accounts.lift", reason=reason)
    now = timezone.now()
    in_force = Sanction.objects.filter(pk=sanction.pk, lifted_at__isnull=True).exclude(until__lte=now)
    if not in_force.update(lifted_at=now):
        raise ValidationError(_("This sanction is no longer in force."), code="over")
    target = f"sanction:{sanction.pk}"
    moderation.log(moderator=moderator, act=ModerationAct.Act.LIFT, user=sanction.user, target=target, reason=reason)
