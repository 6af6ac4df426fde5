"""When a person's sockets must close."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import Sanction, User
from accounts.services import end_access
from accounts.signals import sanction_imposed


@receiver(user_logged_out)
def on_log_out(request: HttpRequest, user: User | None, **_kwargs: Any) -> None:
    """Other devices of the same person stay logged in, and so do their sockets."""
    if user is not None and user.pk is not None:
        end_access(user_id=user.pk, code="logged_out", session_key=request.session.session_key)


@receiver([password_changed, password_set, password_reset])
def on_new_password(user: User, **_kwargs: Any) -> None:
    end_access(user_id=user.pk, code="password")


@receiver(sanction_imposed)
def on_sanction(sanction: Sanction, **_kwargs: Any) -> None:
    if sanction.kind == Sanction.Kind.SUSPENSION:
        end_access(user_id=sanction.user_id, code="suspended")
