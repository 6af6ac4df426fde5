"""Ending access to the site, and deleting a person."""

from __future__ import annotations

import hashlib

from django.contrib.auth import update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest

from accounts import personal_data
from accounts.models import User
from accounts.selectors import lock_person
from accounts.signals import access_ended


def end_access(*, user_id: int, code: str, session_key: str | None = None) -> None:
    """Close the person's open sockets: all of them, or those of one session."""
    access_ended.send(User, user_id=user_id, code=code, session=session_hash(session_key))


def session_hash(session_key: str | None) -> str:
    """Return a hash of the session key that is safe to send through the channel layer."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:16] if session_key else ""


def end_other_sessions(request: HttpRequest, user: User) -> None:
    """Log the person out in all sessions except this one, and close open sockets."""
    user.session_epoch += 1
    user.save(update_fields=["session_epoch"])
    update_session_auth_hash(request, user)


@transaction.atomic
def delete_person(*, user: User) -> None:
    """Delete a person. Shared data stays without the name. Sessions end with the row."""
    # Joining a table locks the person too, so nobody takes a seat while being deleted.
    if not lock_person(user.pk):
        return
    personal_data.erase_person(user)
    end_access(user_id=user.pk, code="deleted")
    user.delete()
