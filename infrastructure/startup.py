"""Checks before the site starts serving."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.models import Session
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor


def check_database() -> None:
    """Check that the database is migrated and writable, with a write that changes nothing.

    Raises CommandError if migrations are missing, or ``OperationalError`` or ``InternalError`` with the reason.
    """
    executor = MigrationExecutor(connection)
    if missing := len(executor.migration_plan(executor.loader.graph.leaf_nodes())):
        raise CommandError(
            f"The database lacks {missing} of the migrations. Run manage.py migrate with the same settings; "
            f"the database is {database_name()}."
        )
    with transaction.atomic():
        Session.objects.filter(session_key="").delete()
    connection.close()


def database_name() -> str:
    """Return which database the site uses, without the password."""
    if settings.ON_SQLITE:
        return str(connection.settings_dict["NAME"])
    return "{NAME} on {HOST}:{PORT} (role {USER})".format(
        **{key: connection.settings_dict[key] or "default" for key in ("NAME", "HOST", "PORT", "USER")}
    )


def check_static_files() -> None:
    """Check in production that the static files are collected: otherwise every page fails. Raises CommandError."""
    # Only the storage of production reads a manifest.
    if getattr(staticfiles_storage, "hashed_files", None) == {}:
        raise CommandError(
            "The static files are missing. Run manage.py collectstatic with the same settings; "
            f"their folder is {settings.STATIC_ROOT}."
        )


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
