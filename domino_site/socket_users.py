"""Whose session a socket is opened with."""

from __future__ import annotations

from typing import Any

from channels.auth import AuthMiddleware
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model, load_backend
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.utils.crypto import constant_time_compare

from infrastructure.asgi import Scope


class SocketUsers(AuthMiddleware):
    """Channels' users for sockets, which take sessions of ``SECRET_KEY_FALLBACKS`` as pages do, and end none."""

    async def resolve_scope(self, scope: Scope) -> None:
        scope["user"]._wrapped = await user_of(scope["session"])


@database_sync_to_async
def user_of(session: Any) -> AbstractBaseUser | AnonymousUser:
    """Return who is logged in with a session, as ``django.contrib.auth.get_user`` does, without renewing it.

    The next page does that, which can give the browser a cookie.
    """
    try:
        user_id = get_user_model()._meta.pk.to_python(session[SESSION_KEY])
        backend = session[BACKEND_SESSION_KEY]
    except KeyError:
        return AnonymousUser()
    user = load_backend(backend).get_user(user_id) if backend in settings.AUTHENTICATION_BACKENDS else None
    return user if user and is_of_its_password(session, user) else AnonymousUser()


def is_of_its_password(session: Any, user: AbstractBaseUser) -> bool:
    """Return whether the session was made with the user's present password, and a key that still counts."""
    marks = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(session.get(HASH_SESSION_KEY, ""), mark) for mark in marks)
