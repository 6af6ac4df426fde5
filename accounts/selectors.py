"""Plain reads about people."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.confusables import skeletons
from accounts.models import Sanction, User


def in_force() -> Q:
    """Return the sanctions that are in force now."""
    return Q(lifted_at=None) & (Q(until=None) | Q(until__gt=timezone.now()))


def active_sanction(*, user_id: int, kind: str) -> Sanction | None:
    """Return the sanction of ``kind`` in force against the user, the one that lasts longest, or None."""
    sanctions = Sanction.objects.filter(in_force(), user_id=user_id, kind=kind)
    return sanctions.order_by(F("until").desc(nulls_first=True)).first()


def suspended() -> QuerySet[Sanction]:
    """Return the suspensions in force of the person of the outer query."""
    return Sanction.objects.filter(in_force(), user=OuterRef("pk"), kind=Sanction.Kind.SUSPENSION)


def lock_person(user_id: int) -> bool:
    """Lock the person's row in the caller's transaction. Return False if it is gone: the account was deleted."""
    # A full lock would stop the foreign key checks of others who hold the table this one waits for.
    row = User.objects.select_for_update(no_key=True).filter(pk=user_id).values_list("pk")
    return row.first() is not None


def lock_people(*user_ids: int) -> bool:
    """Lock several people, in the order of their numbers: who locks the same ones must not wait for each other.

    Return False if one of them is gone.
    """
    return all(lock_person(user_id) for user_id in sorted(set(user_ids)))


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
    suspensions = Sanction.objects.filter(in_force(), kind=Sanction.Kind.SUSPENSION)
    return suspensions.filter(user__is_guest=True, user__name_skeleton__in=alike).exclude(user=by).exists()


def hiding_spectators(user_ids: Iterable[int]) -> frozenset[int]:
    """Return which of these people do not want to see who watches."""
    return frozenset(User.objects.filter(pk__in=list(user_ids), lists_watchers=False).values_list("pk", flat=True))
