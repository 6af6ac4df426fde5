"""Closes sockets when a person's access ends, and counts logins."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.login.outcomes import LOGIN_COUNTS
from accounts.models import ApiToken, PushSubscription, Sanction, User
from accounts.push import subscriptions
from accounts.sanctions.measures import SUSPENDING_KINDS
from accounts.services import end_access
from accounts.signals import access_ended, sanction_imposed

ACCESS_FIELDS = ("is_active", "password", "session_epoch")


@receiver(user_logged_in)
def count_login(user: User, **_kwargs: Any) -> None:
    LOGIN_COUNTS["guest" if user.is_guest else "account"].inc()


@receiver(user_login_failed)
def count_failed_login(**_kwargs: Any) -> None:
    LOGIN_COUNTS["failed"].inc()


@receiver(user_logged_out)
def end_session_access(request: HttpRequest, user: User | None, **_kwargs: Any) -> None:
    """Close the sockets of this session; other devices of the person stay logged in."""
    if user is not None and user.pk is not None:
        subscriptions.unsubscribe(user_id=user.pk, session=request.session)
        end_access(user_id=user.pk, code="logged_out", session_key=request.session.session_key)


@receiver(pre_save, sender=User)
def detect_access_end(instance: User, update_fields: Collection[str] | None, **_kwargs: Any) -> None:
    """Compare with the stored row: passwords and accounts change in many places, even in the admin and a shell."""
    instance.access_end_code = ""
    if update_fields is not None and not set(ACCESS_FIELDS).intersection(update_fields):
        return
    before = User.objects.filter(pk=instance.pk).values(*ACCESS_FIELDS).first()
    if before and before["is_active"] and not instance.is_active:
        instance.access_end_code = "inactive"
    elif before and before["password"] != instance.password:
        instance.access_end_code = "password"
    elif before and before["session_epoch"] != instance.session_epoch:
        instance.access_end_code = "second_factor"


@receiver(post_save, sender=User)
def end_access_after_save(instance: User, **_kwargs: Any) -> None:
    if instance.access_end_code:
        end_access(user_id=instance.pk, code=instance.access_end_code)


@receiver(access_ended)
def delete_tokens_and_subscriptions(user_id: int, code: str, session: str, **_kwargs: Any) -> None:
    """Delete all push subscriptions and tokens if all sessions end, and end the access of the person's bots."""
    if not session:
        ApiToken.objects.filter(user=user_id).delete()
        PushSubscription.objects.filter(user=user_id).delete()
        for bot_id in User.objects.filter(bot_owner=user_id).values_list("pk", flat=True):
            end_access(user_id=bot_id, code=code)


@receiver(sanction_imposed)
def end_access_of_suspended(sanction: Sanction, **_kwargs: Any) -> None:
    if sanction.kind in SUSPENDING_KINDS:
        end_access(user_id=sanction.user_id, code="suspended")
