"""Sanctions: muting and suspending people, and lifting that."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import moderation, notices
from accounts.models import ModerationAct, Sanction, User
from accounts.selectors import in_force, lock_person
from accounts.signals import sanction_imposed

IMPOSING = {
    Sanction.Kind.MUTE: ("accounts.mute", ModerationAct.Act.MUTE),
    Sanction.Kind.SUSPENSION: ("accounts.suspend", ModerationAct.Act.SUSPEND),
}


def may_sanction(moderator: User, user: User) -> bool:
    """Return whether this moderator may act against people like ``user``: the staff is for administrators."""
    if user.is_superuser:
        return moderator.is_superuser
    return not user.is_staff or moderator.has_perm("accounts.sanction_staff")


@transaction.atomic
def impose(
    *, moderator: User, user: User, kind: str, reason: str, until: datetime | None, target: str = ""
) -> Sanction:
    """Mute or suspend ``user`` until a moment (None: for good). ``target``: what it was done for, in the log.

    Raises PermissionDenied, or ValidationError for oneself, staff, a moment that is past, or no reason.
    """
    permission, act = IMPOSING[Sanction.Kind(kind)]
    moderation.require(moderator=moderator, permission=permission, reason=reason)
    if user == moderator:
        raise ValidationError(_("You cannot act against yourself."), code="self")
    if not may_sanction(moderator, user):
        raise ValidationError(_("Only an administrator can act against a moderator."), code="staff")
    if until is not None and until <= timezone.now():
        raise ValidationError(_("That time is in the past."), code="past")
    # Sitting down locks the person too: nobody takes a seat while being suspended.
    if not lock_person(user.pk):
        raise ValidationError(_("This person’s account no longer exists."), code="gone")
    sanction = Sanction.objects.create(user=user, kind=kind, reason=reason.strip(), until=until, moderator=moderator)
    moderation.log(moderator=moderator, act=act, user=user, target=target or f"user:{user.pk}", reason=reason)
    until_text = until and until.isoformat()
    facts = {"kind": kind, "reason": sanction.reason, "until": until_text, "path": reverse("sanctions")}
    notices.tell("sanction", {user.pk: facts})
    sanction_imposed.send(Sanction, sanction=sanction)
    return sanction


@transaction.atomic
def warn(*, moderator: User, user: User, reason: str, target: str) -> None:
    """Tell a person on every page what not to do again. ``target`` is what it is about, in the log."""
    moderation.require(moderator=moderator, permission="accounts.mute", reason=reason)
    notices.tell("warning", {user.pk: {"reason": reason.strip()}})
    moderation.log(moderator=moderator, act=ModerationAct.Act.WARN, user=user, target=target, reason=reason)


def can_lift(moderator: User, sanction: Sanction) -> bool:
    """Return whether the sanction is in force, and this moderator's to end."""
    return sanction.is_in_force and (moderator.has_perm("accounts.lift") or sanction.moderator_id == moderator.pk)


@transaction.atomic
def lift(*, moderator: User, sanction: Sanction, reason: str) -> None:
    """End a sanction before its time; whoever may mute may end what they imposed themselves.

    Raises PermissionDenied, or ValidationError if it is not in force or was imposed by somebody else.
    """
    may_lift_all = moderator.has_perm("accounts.lift")
    permission = "accounts.lift" if may_lift_all else "accounts.mute"
    moderation.require(moderator=moderator, permission=permission, reason=reason)
    if not (may_lift_all or sanction.moderator_id == moderator.pk):
        raise ValidationError(_("You can end only what you imposed yourself."), code="of_another")
    if not Sanction.objects.filter(in_force(), pk=sanction.pk).update(lifted_at=timezone.now()):
        raise ValidationError(_("This sanction is no longer in force."), code="over")
    target = f"sanction:{sanction.pk}"
    moderation.log(moderator=moderator, act=ModerationAct.Act.LIFT, user=sanction.user, target=target, reason=reason)
