"""Follows: the tables of a followed person come first in the lobby. The followed person gets no notice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import blocks
from accounts.models import Block, Follow, User
from accounts.selectors import lock_people, lock_person, suspension_of_outer_person
from accounts.signals import follows_changed

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

MAX_FOLLOWS = 500


class RelationAnnotations(blocks.BlockAnnotations):
    is_followed: bool
    may_follow: bool


@transaction.atomic
def follow(*, follower: User, followed: User) -> None:
    """Follow a person. Raises ValidationError.

    The error is the same whether a block or a setting forbids it, so it does not reveal a block.
    """
    if follower.pk == followed.pk:
        raise ValidationError(_("You cannot follow yourself."), code="self")
    if Follow.objects.filter(follower=follower).count() >= MAX_FOLLOWS:
        raise ValidationError(_("You cannot follow any more people."), code="many")
    if not lock_people(follower.pk, followed.pk):
        raise ValidationError(_("This person’s account no longer exists."), code="gone")
    if not annotate_relations(User.objects.filter(pk=followed.pk), follower.pk).filter(may_follow=True).exists():
        raise ValidationError(_("This person cannot be followed."), code="no")
    _follow, created = Follow.objects.get_or_create(follower=follower, followed=followed)
    if created:
        follows_changed.send(Follow, user_ids=(follower.pk,))


@transaction.atomic
def unfollow(*, follower: User, followed_id: int) -> None:
    """Stop following, if the person is followed."""
    deleted, _rows = Follow.objects.filter(follower=follower, followed=followed_id).delete()
    if deleted:
        follows_changed.send(Follow, user_ids=(follower.pk,))


@transaction.atomic
def remove_disallowed_followers(user: User) -> None:
    """Remove all followers of a user who no longer allows any."""
    lock_person(user.pk)
    if not user.followable:
        rows = Follow.objects.filter(followed=user)
        followers = list(rows.values_list("follower", flat=True))
        rows.delete()
        follows_changed.send(Follow, user_ids=followers)


def annotate_relations(
    people: QuerySet[User], user_id: int | None
) -> QuerySet[WithAnnotations[User, RelationAnnotations]]:
    """Annotate people like ``blocks.annotate_blocked``, and with ``is_followed`` and ``may_follow``.

    ``may_follow``: they allow followers, and neither has blocked the other.
    """
    follows = Follow.objects.filter(follower=user_id, followed=OuterRef("pk"))
    has_blocked = Block.objects.filter(blocked=user_id, blocker=OuterRef("pk"))
    may_follow = Q(followable=True, is_blocked=False) & ~Exists(has_blocked)
    return blocks.annotate_blocked(people, user_id).annotate(
        is_followed=Exists(follows), may_follow=ExpressionWrapper(may_follow, output_field=BooleanField())
    )


def followed_ids(user_id: int | None) -> frozenset[int]:
    """Return the ids of the people that the person follows."""
    if user_id is None:
        return frozenset()
    return frozenset(Follow.objects.filter(follower=user_id).values_list("followed", flat=True))


def followed_people(user: User) -> list[User]:
    """Return the people that the user follows, newest first."""
    return [row.followed for row in user.follows.select_related("followed").order_by("-pk")]


def invitable_people(inviter: User) -> QuerySet[User]:
    """Return the people whom this person follows and may invite to a table, and the person's own bots.

    Guests may only invite people who follow them back, since anybody can become a new guest. Blocks need no check: a
    block ends all follows between two people.
    """
    follow_back = Exists(Follow.objects.filter(follower=OuterRef("pk"), followed=inviter))
    allowed = Q(follow_back) & ~Q(may_invite=User.Inviters.NOBODY)
    if not inviter.is_guest:
        allowed |= Q(may_invite=User.Inviters.EVERYBODY)
    is_followed = Q(Exists(Follow.objects.filter(followed=OuterRef("pk"), follower=inviter)))
    people = User.objects.filter((allowed & is_followed) | Q(bot_owner=inviter), is_active=True)
    return people.filter(~Exists(suspension_of_outer_person()))


def export_follows(user: User) -> list[dict[str, Any]]:
    """Return the people that the user follows, without those who follow the user."""
    rows = user.follows.select_related("followed").order_by("pk")
    return [{"name": str(row.followed), "since": row.created_at} for row in rows]
