"""Imposing and lifting sanctions."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from accounts import notices
from accounts.bots import suggest_bot_name
from accounts.models import ModerationAct, Sanction, User
from accounts.names.rules import suggest_name
from accounts.sanctions import moderation_log
from accounts.sanctions.measures import MEASURES, Length, Measure
from accounts.selectors import lock_person, sanction_in_force
from accounts.signals import sanction_imposed, sanction_lifted

Kind = Sanction.Kind


def may_sanction(moderator: User, user: User) -> bool:
    """Return True if this moderator may act against ``user``. Only administrators may act against staff."""
    if user.is_superuser:
        return moderator.is_superuser
    return not user.is_staff or moderator.has_perm("accounts.sanction_staff")


@transaction.atomic
def impose(
    *,
    moderator: User,
    user: User,
    kind: str,
    reason: str,
    until: datetime | None = None,
    evidence: str = "",
    scope: str = Sanction.Scope.EVERYWHERE,
    table: str = "",
) -> Sanction:
    """Impose a sanction on ``user`` until a time (None: permanently). ``evidence`` is its cause in the log.

    ``scope`` is that of a mute, ``table`` the slug of the first match at its table. Raises PermissionDenied, or
    ValidationError for oneself, staff, a past time, a missing reason or table, and a repeated closure or renaming.
    """
    measure = MEASURES[Kind(kind)]
    permission = f"accounts.{measure.permission[0]}"
    moderation_log.authorize(moderator=moderator, permission=permission, reason=reason, parties=[user.pk])
    _require_allowed(moderator, user, until)
    # Joining a table locks the person too, so nobody takes a seat while being suspended.
    if not lock_person(user.pk):
        raise ValidationError(_("This person’s account no longer exists."), code="gone")
    sanction = Sanction(user=user, kind=kind, reason=reason.strip(), moderator=moderator)
    sanction.until = _sanction_end(measure, until)
    if measure.has_scope:
        sanction.scope, sanction.facts = scope, _mute_facts(scope, table)
    else:
        sanction.facts = _apply_to_person(user, kind)
    sanction.save()
    target = f"sanction:{sanction.pk}"
    moderation_log.log_act(moderator=moderator, act=kind, user=user, target=target, reason=reason, evidence=evidence)
    _notify(sanction)
    sanction_imposed.send(Sanction, sanction=sanction)
    return sanction


def _require_allowed(moderator: User, user: User, until: datetime | None) -> None:
    if not may_sanction(moderator, user):
        raise ValidationError(_("Only an administrator can act against a moderator."), code="staff")
    if until is not None and until <= timezone.now():
        raise ValidationError(_("That time is in the past."), code="past")


def _sanction_end(measure: Measure, until: datetime | None) -> datetime | None:
    if isinstance(measure.length, timedelta):
        return timezone.now() + measure.length
    return until if measure.length == Length.CHOSEN else None


def _mute_facts(scope: str, table: str) -> dict[str, str]:
    if scope != Sanction.Scope.TABLE:
        return {}
    if not table:
        raise ValidationError(_("There is no table for this mute."), code="table")
    return {"table": table}


def _apply_to_person(user: User, kind: str) -> dict[str, str]:
    """Apply a closure or renaming to the person's row. Return the facts of the sanction."""
    row = User.objects.get(pk=user.pk)
    if kind == Kind.CLOSURE:
        if row.is_closed:
            raise ValidationError(_("This account is already closed."), code="again")
        _update_person(row, is_closed=True)
    if kind != Kind.RENAMING:
        return {}
    if Sanction.objects.filter(sanction_in_force(), user=user, kind=kind, facts__given=str(row)).exists():
        raise ValidationError(_("This name was already given by a moderator."), code="again")
    with translation.override(row.mail_language):
        facts = {"former": row.name or row.username, "given": suggest_bot_name() if row.is_bot else suggest_name()}
    _update_person(row, name=facts["given"])
    return facts


def _revert(sanction: Sanction) -> None:
    """Undo ``_apply_to_person``, but keep a name that the person has chosen meanwhile."""
    row = sanction.user
    if sanction.kind == Kind.CLOSURE:
        _update_person(row, is_closed=False)
    elif sanction.kind == Kind.RENAMING and row.name == sanction.facts["given"]:
        _update_person(row, name=sanction.facts["former"])


def _update_person(row: User, **fields: Any) -> None:
    for name, value in fields.items():
        setattr(row, name, value)
    row.save(update_fields=list(fields))


def _notify(sanction: Sanction) -> None:
    until = sanction.until and sanction.until.isoformat()
    details = {"kind": sanction.kind, "scope": sanction.scope, "facts": sanction.facts, "reason": sanction.reason}
    details |= {"sanction": sanction.pk, "until": until, "path": reverse("sanctions")}
    notices.send("sanction", {sanction.user_id: details})


def can_lift(moderator: User, sanction: Sanction) -> bool:
    """Return True if the sanction is in force and this moderator may lift it."""
    if moderator.pk == sanction.user_id:
        return False
    return sanction.is_in_force and (moderator.has_perm("accounts.lift") or sanction.moderator_id == moderator.pk)


@transaction.atomic
def lift(*, moderator: User, sanction: Sanction, reason: str) -> None:
    """End a sanction early. Chat moderators may lift only their own.

    Raises PermissionDenied, or ValidationError if it is not in force or was imposed by somebody else.
    """
    may_lift_all = moderator.has_perm("accounts.lift")
    permission = "accounts.lift" if may_lift_all else "accounts.mute"
    moderation_log.authorize(moderator=moderator, permission=permission, reason=reason, parties=[sanction.user_id])
    if not (may_lift_all or sanction.moderator_id == moderator.pk):
        raise ValidationError(_("You can lift only sanctions that you imposed."), code="of_another")
    if not Sanction.objects.filter(sanction_in_force(), pk=sanction.pk).update(lifted_at=timezone.now()):
        raise ValidationError(_("This sanction is no longer in force."), code="over")
    row = Sanction.objects.select_related("user").get(pk=sanction.pk)
    _revert(row)
    sanction_lifted.send(Sanction, sanction=row)
    target = f"sanction:{sanction.pk}"
    moderation_log.log_act(
        moderator=moderator, act=ModerationAct.Act.LIFT, user=sanction.user, target=target, reason=reason
    )
