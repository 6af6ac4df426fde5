"""A database as empty after a test with real transactions as Django leaves it, for a fraction of the cost."""

from __future__ import annotations

from functools import cache

from django.db import connection, transaction
from django.test import TransactionTestCase

MADE_ANEW = {"auth_group", "auth_group_permissions", "auth_permission", "django_content_type", "django_migrations"}
"""What Django would delete and make again; no test changes it."""


@cache
def tables() -> list[str]:
    """Return the tables that tests write to."""
    return [name for name in connection.introspection.table_names() if name not in MADE_ANEW]


@transaction.atomic
def empty(_test: TransactionTestCase) -> None:
    """Delete all rows. Keys into other tables are looked at when all is gone."""
    from accounts.append_only import protect, unprotect
    from accounts.models import ModerationAct

    is_kept = ModerationAct.objects.exists()
    if is_kept:
        unprotect(connection, ModerationAct)
    with connection.cursor() as cursor:
        for name in tables():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(name)}")
    if is_kept:
        protect(connection, ModerationAct)
