"""Checks before the site starts serving."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management.base import CommandError
from django.db import connection, transaction


def check_database() -> None:
    """Check that the database exists and is writable, with a write that changes nothing.

    Raises ``OperationalError`` or ``InternalError`` with the reason.
    """
    with transaction.atomic():
        Session.objects.filter(session_key="").delete()
    connection.close()


def check_shared_services() -> None:
    """Check in production that several processes can share the database and see each other's moves.

    Raises CommandError.
    """
    if not settings.PRODUCTION:
        return
    if settings.ON_SQLITE:
        raise CommandError("Several processes need PostgreSQL (DATABASE_URL): SQLite allows one writer at a time.")
    if not settings.REDIS_URL:
        raise CommandError("Several processes need Redis (REDIS_URL): without it, they miss each other's moves.")
