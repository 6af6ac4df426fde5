"""Closes sockets when a person's access ends."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import PushSubscription, Sanction, User
from accounts.push import subscriptions
from accounts.sanctions.measures import SHUT_OUT
from accounts.services import end_access
from accounts.signals import access_ended, sanction_imposed

LETS_IN = ("is_active", "password", "session_epoch")


@receiver(user_logged_out)
def on_log_out(request: HttpRequest, user: User | None, **_kwargs: Any) -> None:
    """Close the sockets of this session; other devices of the person stay logged in."""
    if user is not None and user.pk is not None:
        subscriptions.end(user_id=user.pk, session=request.session)
        end_access(user_id=user.pk, code="logged_out", session_key=request.session.session_key)


@receiver(pre_save, sender=User)
def compare_access(instance: User, update_fields: Collection[str] | None, **_kwargs: Any) -> None:
    """Compare with the stored row: passwords and accounts change in many places, even in the admin and a shell."""
    instance.ends = ""
    if update_fields is not None and not set(LETS_IN).intersection(update_fields):
        return
    before = User.objects.filter(pk=instance.pk).values(*LETS_IN).first()
    if before and before["is_active"] and not instance.is_active:
        instance.ends = "inactive"
    elif before and before["password"] != instance.password:
        instance.ends = "password"
    elif before and before["session_epoch"] != instance.session_epoch:
        instance.ends = "second_factor"


@receiver(post_save, sender=User)
def on_access_change(instance: User, **_kwargs: Any) -> None:
    if instance.ends:
        end_access(user_id=instance.pk, code=instance.ends)


@receiver(access_ended)
def on_access_ended(user_id: int, session: str, **_kwargs: Any) -> None:
    """Delete all push subscriptions if all sessions end."""
    if not session:
        PushSubscription.objects.filter(user=user_id).delete()


@receiver(sanction_imposed)
def on_sanction(sanction: Sanction, **_kwargs: Any) -> None:
    if sanction.kind in SHUT_OUT:
        end_access(user_id=sanction.user_id, code="suspended")
