"""The log of moderation. Every act needs a permission and a reason. Viewing private data is logged too."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct, User

# Acts that would reveal a case to the person before it is decided.
ACTS_BEFORE_DECISION = (
    ModerationAct.Act.LOOK,
    ModerationAct.Act.OPEN,
    ModerationAct.Act.LEAVE,
    ModerationAct.Act.PROPOSE,
)
REPEATED_LOOK_WINDOW = timedelta(hours=1)  # a repeated look within this time is not logged again


def authorize(*, moderator: User, permission: str, reason: str, parties: Collection[int | None]) -> None:
    """Raises PermissionDenied without the permission, ValidationError without a reason or if the moderator is a party.

    ``parties`` are the ids of the people concerned: nobody, not even an administrator, acts in their own case.
    """
    if not moderator.has_perm(permission):
        raise PermissionDenied
    require_impartial(moderator.pk, parties)
    if not reason.strip():
        raise ValidationError(_("Give a reason."), code="reason")


def require_impartial(moderator_id: int | None, parties: Collection[int | None]) -> None:
    """Raises ValidationError for a moderator who is one of the people concerned."""
    if moderator_id in parties:
        raise ValidationError(_("This concerns you, so another moderator has to do it."), code="party")


def logged_acts() -> QuerySet[ModerationAct]:
    """Return all acts but looks, newest first."""
    return ModerationAct.objects.exclude(act=ModerationAct.Act.LOOK).select_related("moderator").order_by("-pk")


def acts_against(user: User) -> QuerySet[ModerationAct]:
    """Return the acts against a person, newest first, without those that precede a decision."""
    return logged_acts().filter(user=user).exclude(act__in=ACTS_BEFORE_DECISION)


def acts_on(*targets: str) -> QuerySet[ModerationAct]:
    """Return the acts on any of the targets, newest first."""
    return logged_acts().filter(target__in=targets)


def acts_concerning(target: str) -> QuerySet[ModerationAct]:
    """Return the acts on a target and those with it as evidence, oldest first."""
    return logged_acts().filter(Q(target=target) | Q(evidence=target)).order_by("pk")


def log_act(
    *, moderator: User, act: str, user: User | None, target: str, reason: str, evidence: str = ""
) -> ModerationAct:
    """Log an act in the caller's transaction. ``evidence`` is its cause: a case, or lines of chat."""
    return ModerationAct.objects.create(
        moderator=moderator, act=act, user=user, target=target, reason=reason.strip(), evidence=evidence
    )


def log_look(*, moderator: User, user: User | None, target: str, now: datetime) -> None:
    """Log that a moderator looked at private data of ``user`` (None: of several people)."""
    look = {"moderator": moderator, "act": ModerationAct.Act.LOOK, "user": user, "target": target}
    if not ModerationAct.objects.filter(**look, at__gt=now - REPEATED_LOOK_WINDOW).exists():
        ModerationAct.objects.create(**look)
