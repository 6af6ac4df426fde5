"""Queries about people."""

from __future__ import annotations

from collections.abc import Iterable

from allauth.account.models import EmailAddress
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.names.confusables import skeleton, skeletons
from accounts.names.spelling import normalize_username
from accounts.sanctions.measures import SUSPENDING_KINDS


def sanction_in_force() -> Q:
    """Return a filter for sanctions in force."""
    return Q(lifted_at=None) & (Q(until=None) | Q(until__gt=timezone.now()))


def active_sanction(*, user_id: int, kind: str) -> Sanction | None:
    """Return the longest-lasting sanction of a kind in force against the user."""
    return _active_sanctions(user_id, kind).first()


def active_suspension(user_id: int) -> Sanction | None:
    """Return the longest-lasting suspension or closure in force against the user."""
    return _active_sanctions(user_id, *SUSPENDING_KINDS).first()


def active_mutes(user_id: int) -> QuerySet[Sanction]:
    """Return the mutes in force against the user, longest-lasting first."""
    return _active_sanctions(user_id, Sanction.Kind.MUTE)


def _active_sanctions(user_id: int, *kinds: str) -> QuerySet[Sanction]:
    sanctions = Sanction.objects.filter(sanction_in_force(), user_id=user_id, kind__in=kinds)
    return sanctions.order_by(F("until").desc(nulls_first=True))


def suspension_of_outer_person(person: str = "pk") -> QuerySet[Sanction]:
    """Return the suspensions and closures in force against the person in this column of the outer query."""
    return Sanction.objects.filter(sanction_in_force(), user=OuterRef(person), kind__in=SUSPENDING_KINDS)


def lock_person(user_id: int) -> bool:
    """Lock the person's row in the caller's transaction. Return False if the account was deleted."""
    # A full lock would block foreign key checks, and could deadlock with a transaction that holds the table.
    row = User.objects.select_for_update(no_key=True).filter(pk=user_id).values_list("pk")
    return row.first() is not None


def lock_people(*user_ids: int) -> bool:
    """Lock several people, in the order of their ids to avoid deadlocks. Return False if an account was deleted."""
    return all(lock_person(user_id) for user_id in sorted(set(user_ids)))


def latest_guest_names(limit: int) -> list[str]:
    """Return the names of the guests who came last."""
    return list(User.objects.filter(is_guest=True).order_by("-pk").values_list("name", flat=True)[:limit])


def find_account(login: str) -> User | None:
    """Return the account with this user name or confirmed email address. The queries never depend on the result."""
    confirmed_address = EmailAddress.objects.filter(email=login.lower(), verified=True).select_related("user").first()
    account_by_name = User.objects.filter(username=normalize_username(login)).first()
    return confirmed_address.user if confirmed_address else account_by_name


def has_access(user: User) -> bool:
    """Return True if the account is active and its sessions have not ended since ``user`` was loaded."""
    session_fields = {"password": user.password, "session_epoch": user.session_epoch}
    return User.objects.filter(pk=user.pk, is_active=True, **session_fields).exists()


def is_name_taken(name: str, *, by: int | None = None) -> bool:
    """Return True if the name, or one that looks like it, belongs to another person than ``by``.

    Names and user names belong to accounts, and names to suspended guests. A name that a moderator took away is not
    available to that person.
    """
    lookalikes = skeletons(name)
    if by and lookalikes & _removed_name_skeletons(by):
        return True
    people = User.objects.exclude(pk=by) if by else User.objects.all()
    if people.filter(Q(name_skeleton__in=lookalikes) | Q(username_skeleton__in=lookalikes), is_guest=False).exists():
        return True
    suspensions = Sanction.objects.filter(sanction_in_force(), kind__in=SUSPENDING_KINDS)
    return suspensions.filter(user__is_guest=True, user__name_skeleton__in=lookalikes).exclude(user=by).exists()


def is_sanctioned_name(name: str, *, by: int | None = None) -> bool:
    """Return True if the name looks like that of a suspended person, or like one that was taken from ``by``."""
    lookalikes = skeletons(name)
    suspended = User.objects.filter(Exists(suspension_of_outer_person()))
    names = Q(name_skeleton__in=lookalikes) | Q(username_skeleton__in=lookalikes)
    return suspended.filter(names).exists() or bool(by and lookalikes & _removed_name_skeletons(by))


def _removed_name_skeletons(user_id: int) -> set[str]:
    """Return the skeletons of the names that moderators took from the person."""
    renamings = Sanction.objects.filter(sanction_in_force(), user=user_id, kind=Sanction.Kind.RENAMING)
    return {skeleton(facts["former"]) for facts in renamings.values_list("facts", flat=True)}


def people_hiding_spectators(user_ids: Iterable[int]) -> frozenset[int]:
    """Return the people among these who do not want to see the names of spectators."""
    return frozenset(User.objects.filter(pk__in=list(user_ids), lists_watchers=False).values_list("pk", flat=True))
