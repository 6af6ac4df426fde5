"""What has to work before the site begins to serve."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.db import connection, transaction


def require_database() -> None:
    """Write nothing into the database, for which it has to be there and not read-only.

    Raises ``OperationalError`` or ``InternalError``, whose text says what is wrong.
    """
    with transaction.atomic():
        Session.objects.filter(session_key="").delete()
    connection.close()
