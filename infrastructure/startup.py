"""Checks before the site starts serving."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.db import connection, transaction


def require_database() -> None:
    """Check that the database is there and writable, by an empty write.

    Raises ``OperationalError`` or ``InternalError``, whose text says what is wrong.
    """
    with transaction.atomic():
        Session.objects.filter(session_key="").delete()
    connection.close()
