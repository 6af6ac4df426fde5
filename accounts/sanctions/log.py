"""What holds for every act of a moderator: a permission, a reason, and a row in the log; and a row for each look."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct, User

EARLY = (ModerationAct.Act.LOOK, ModerationAct.Act.OPEN, ModerationAct.Act.PROPOSE)
"""Acts that would tell a person of a case before it is decided."""
SAME_LOOK = timedelta(hours=1)
"""Who looks at the same again within this time makes no second row."""


def require(*, moderator: User, permission: str, reason: str, parties: Collection[int | None]) -> None:
    """Check what every act needs. Raises PermissionDenied without the permission, ValidationError without a reason.

    ``parties`` are the ids of the people concerned: nobody acts on their own matter, administrators included.
    """
    if not moderator.has_perm(permission):
        raise PermissionDenied
    require_unconcerned(moderator.pk, parties)
    if not reason.strip():
        raise ValidationError(_("Give a reason."), code="reason")


def require_unconcerned(moderator_id: int | None, parties: Collection[int | None]) -> None:
    """Raises ValidationError for a moderator who is one of the people concerned."""
    if moderator_id in parties:
        raise ValidationError(_("You are concerned yourself, so another moderator has to do this."), code="party")


def acts() -> QuerySet[ModerationAct]:
    """Return what was done, the newest first; who looked at what is not among it."""
    return ModerationAct.objects.exclude(act=ModerationAct.Act.LOOK).select_related("moderator").order_by("-pk")


def acts_against(user: User) -> QuerySet[ModerationAct]:
    """Return what was done about a person, the newest first, without what precedes a decision."""
    return acts().filter(user=user).exclude(act__in=EARLY)


def acts_on(*targets: str) -> QuerySet[ModerationAct]:
    """Return what the log says was done to targets, the newest first."""
    return acts().filter(target__in=targets)


def acts_for(target: str) -> QuerySet[ModerationAct]:
    """Return what the log says was done to a target and because of it, in the order in which it was done."""
    return acts().filter(Q(target=target) | Q(evidence=target)).order_by("pk")


def write(
    *, moderator: User, act: str, user: User | None, target: str, reason: str, evidence: str = ""
) -> ModerationAct:
    """Write one row for one thing a moderator did, in the caller's transaction.

    ``target`` is what it was done to, ``evidence`` what it was done for: a case, or lines of chat.
    """
    return ModerationAct.objects.create(
        moderator=moderator, act=act, user=user, target=target, reason=reason.strip(), evidence=evidence
    )


def log_look(*, moderator: User, user: User | None, target: str, now: datetime) -> None:
    """Write that a moderator looked at private data: whose (None: of no one person), and where it stands."""
    look = {"moderator": moderator, "act": ModerationAct.Act.LOOK, "user": user, "target": target}
    if not ModerationAct.objects.filter(**look, at__gt=now - SAME_LOOK).exists():
        ModerationAct.objects.create(**look)
