"""Appeals: one for each sanction, decided by another moderator than the one who imposed it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import notices
from accounts.models import Appeal, ModerationAct, Sanction, User
from accounts.sanctions import imposing, moderation_log
from accounts.selectors import sanction_in_force


def sanctions_with_appeals(user: User) -> QuerySet[Sanction]:
    """Return all sanctions of a person with their appeals, newest first."""
    return user.sanctions.select_related("appeal").order_by("-pk")


@transaction.atomic
def submit_appeal(*, user: User, sanction_id: int, words: str) -> Appeal:
    """Appeal against a sanction. Raises ValidationError."""
    sanctions = Sanction.objects.select_for_update(no_key=True).filter(sanction_in_force(), user=user)
    sanction = sanctions.filter(pk=sanction_id).first()
    if sanction is None:
        raise ValidationError(_("This sanction is no longer in force."), code="over")
    if not words.strip():
        raise ValidationError(_("Write why the decision is wrong."), code="words")
    if Appeal.objects.filter(sanction=sanction).exists():
        raise ValidationError(_("You have already appealed against this decision."), code="again")
    return Appeal.objects.create(sanction=sanction, words=words.strip())


def open_appeals(moderator: User) -> QuerySet[Appeal]:
    """Return the open appeals that this moderator can decide."""
    return Appeal.objects.filter(verdict="").exclude(sanction__moderator=moderator).exclude(sanction__user=moderator)


def can_decide(moderator: User, appeal: Appeal) -> bool:
    """Return True if the appeal is open and this moderator neither imposed the sanction nor is its person."""
    return not appeal.verdict and moderator.pk not in (appeal.sanction.moderator_id, appeal.sanction.user_id)


@transaction.atomic
def decide_appeal(*, moderator: User, appeal: Appeal, verdict: str, reason: str) -> None:
    """Grant an appeal, which lifts the sanction, or reject it, and notify the person.

    Raises PermissionDenied, ValidationError without a reason, for a decided appeal, or for a party.
    """
    parties = [appeal.sanction.user_id, appeal.sanction.moderator_id]
    moderation_log.authorize(moderator=moderator, permission="accounts.decide_appeal", reason=reason, parties=parties)
    rows = Appeal.objects.select_for_update(no_key=True, of=("self",)).select_related("sanction__user")
    row = rows.get(pk=appeal.pk)
    if row.verdict:
        raise ValidationError(_("This appeal is already decided."), code="over")
    row.verdict, row.answer, row.moderator, row.decided_at = verdict, reason.strip(), moderator, timezone.now()
    row.save()
    sanction = row.sanction
    if verdict == Appeal.Verdict.REJECTED:
        act, target = ModerationAct.Act.REJECT, f"sanction:{sanction.pk}"
        moderation_log.log_act(moderator=moderator, act=act, user=sanction.user, target=target, reason=reason)
    elif Sanction.objects.filter(sanction_in_force(), pk=sanction.pk).exists():
        imposing.lift(moderator=moderator, sanction=sanction, reason=reason)
    notices.send("appeal", {sanction.user_id: {"verdict": verdict, "reason": row.answer}})


def export_appeals(user: User) -> list[Any]:
    """Return the appeals of the person, and their outcome."""
    rows = Appeal.objects.filter(sanction__user=user).order_by("pk")
    return list(rows.values("sanction__kind", "words", "at", "verdict", "answer", "decided_at"))
