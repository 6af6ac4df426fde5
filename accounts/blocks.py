"""Blocks between people. The blocked person gets no notice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import Block, Follow, User
from accounts.selectors import lock_people
from accounts.signals import blocks_changed

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

MAX_BLOCKS = 500


class BlockAnnotations(TypedDict):
    is_blocked: bool


@transaction.atomic
def block(*, blocker: User, blocked: User) -> None:
    """Block a person, and end follows between the two. Raises ValidationError."""
    if blocker.pk == blocked.pk:
        raise ValidationError(_("You cannot block yourself."), code="self")
    if Block.objects.filter(blocker=blocker).count() >= MAX_BLOCKS:
        raise ValidationError(_("You cannot block any more people."), code="many")
    if not lock_people(blocker.pk, blocked.pk):
        raise ValidationError(_("This person’s account no longer exists."), code="gone")
    between = Q(follower=blocker, followed=blocked) | Q(follower=blocked, followed=blocker)
    Follow.objects.filter(between).delete()
    _block, created = Block.objects.get_or_create(blocker=blocker, blocked=blocked)
    if created:
        blocks_changed.send(Block, user_ids=(blocker.pk, blocked.pk))


@transaction.atomic
def unblock(*, blocker: User, blocked_id: int) -> None:
    """Remove a block, if there is one."""
    deleted, _rows = Block.objects.filter(blocker=blocker, blocked=blocked_id).delete()
    if deleted:
        blocks_changed.send(Block, user_ids=(blocker.pk, blocked_id))


def blocked_ids(user_id: int | None) -> frozenset[int]:
    """Return the ids of the people that the person has blocked."""
    if user_id is None:
        return frozenset()
    return frozenset(Block.objects.filter(blocker=user_id).values_list("blocked", flat=True))


def annotate_blocked(people: QuerySet[User], user_id: int | None) -> QuerySet[WithAnnotations[User, BlockAnnotations]]:
    """Annotate people with ``is_blocked``: the person has blocked them."""
    return people.annotate(is_blocked=Exists(Block.objects.filter(blocker=user_id, blocked=OuterRef("pk"))))


def ids_with_block_between(user_id: int) -> frozenset[int]:
    """Return the ids of the people that the person has blocked, or who have blocked the person."""
    blockers: Iterable[int] = Block.objects.filter(blocked=user_id).values_list("blocker", flat=True)
    return blocked_ids(user_id).union(blockers)


def blocked_people(user: User) -> list[User]:
    """Return the people the user has blocked, newest first."""
    return [row.blocked for row in user.blocks.select_related("blocked").order_by("-pk")]


def export_blocks(user: User) -> list[dict[str, Any]]:
    """Return the people that the user has blocked, without those who blocked the user."""
    rows = user.blocks.select_related("blocked").order_by("pk")
    return [{"name": str(row.blocked), "since": row.created_at} for row in rows]
