"""What holds for every act of a moderator: a permission, a reason, and a row in the log."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct, User


def require(*, moderator: User, permission: str, reason: str) -> None:
    """Raises PermissionDenied without the permission, ValidationError without a reason."""
    if not moderator.has_perm(permission):
        raise PermissionDenied
    if not reason.strip():
        raise ValidationError(_("Give a reason."), code="reason")


def acts_on(*targets: str) -> QuerySet[ModerationAct]:
    """Return what the log says about targets, the newest first."""
    return ModerationAct.objects.filter(target__in=targets).select_related("moderator").order_by("-pk")


def log(*, moderator: User, act: str, user: User | None, target: str, reason: str) -> ModerationAct:
    """Write one row for one thing a moderator did, in the caller's transaction."""
    return ModerationAct.objects.create(moderator=moderator, act=act, user=user, target=target, reason=reason.strip())
