"""Plain reads about people."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.confusables import skeletons
from accounts.models import Sanction, User


def active_sanction(*, user_id: int, kind: str) -> Sanction | None:
    """Return the sanction of ``kind`` in force against the user, the one that lasts longest, or None."""
    in_force = Q(until__isnull=True) | Q(until__gt=timezone.now())
    sanctions = Sanction.objects.filter(in_force, user_id=user_id, kind=kind, lifted_at__isnull=True)
    return sanctions.order_by(F("until").desc(nulls_first=True)).first()


def suspended() -> QuerySet[Sanction]:
    """Return the suspensions in force of the person of the outer query."""
    in_force = Q(until__isnull=True) | Q(until__gt=timezone.now())
    suspension = Sanction.Kind.SUSPENSION
    return Sanction.objects.filter(in_force, user=OuterRef("pk"), kind=suspension, lifted_at__isnull=True)


def lock_person(user_id: int) -> bool:
    """Lock the person's row in the caller's transaction. Return False if it is gone: the account was deleted."""
    # A full lock would stop the foreign key checks of others who hold the table this one waits for.
    row = User.objects.select_for_update(no_key=True).filter(pk=user_id).values_list("pk")
    return row.first() is not None


def is_let_in(user: User) -> bool:
    """Return whether the account is still active and has the password it had when ``user`` was read."""
    return User.objects.filter(pk=user.pk, is_active=True, password=user.password).exists()


def is_name_taken(name: str, *, by: int | None = None) -> bool:
    """Return whether another person than ``by`` owns a name that looks like this one.

    Accounts own their names, user names and those at the table, and suspended guests own theirs.
    """
    alike = skeletons(name)
    others = User.objects.exclude(pk=by) if by else User.objects.all()
    if others.filter(Q(name_skeleton__in=alike) | Q(username_skeleton__in=alike), is_guest=False).exists():
        return True
    in_force = Q(until__isnull=True) | Q(until__gt=timezone.now())
    suspensions = Sanction.objects.filter(in_force, kind=Sanction.Kind.SUSPENSION, lifted_at__isnull=True)
    return suspensions.filter(user__is_guest=True, user__name_skeleton__in=alike).exclude(user=by).exists()


def hiding_spectators(user_ids: Iterable[int]) -> frozenset[int]:
    """Return which of these people do not want to see who watches."""
    return frozenset(User.objects.filter(pk__in=list(user_ids), lists_watchers=False).values_list("pk", flat=True))
