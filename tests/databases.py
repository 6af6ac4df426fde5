"""Databases for tests: migrated once, copied for every process and server, and emptied after tests."""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.db import connection, connections, transaction
from django.test import TransactionTestCase

from tests.programs import ROOT, manage_command

RUN_FOLDER_VARIABLE = "DOMINOES_TEST_RUN"
SHARED_MEMORY = Path("/dev/shm")
MIN_FREE_BYTES = 256 * 2**20  # bytes, for the databases of a few workers
# Runs of the same code share a migrated SQLite file, because migrating takes 7 seconds.
STORED_FOLDER = ROOT / ".pytest_cache" / "migrated"
SITE_PACKAGES = ("accounts", "domino_site", "games", "infrastructure")
# Tables that Django would empty after a test and fill again. No test changes them.
UNCHANGED_TABLES = {
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_content_type",
    "django_migrations",
}


@cache
def migrated_sqlite(root: Path = ROOT) -> Path:
    """Return an empty, migrated SQLite file, made once for this code and copied for each server."""
    with locked_template_folder(root) as folder:
        migrated = folder / "var" / "migrated.sqlite3"
        if not migrated.exists():
            migrated.parent.mkdir(exist_ok=True)
            if root == ROOT:
                copy_stored_sqlite(migrated)
            else:
                migrate_sqlite(root, migrated)
    return migrated


def migrate_sqlite(root: Path, target: Path) -> None:
    migrate(root, target.parent)
    (target.parent / "dominoes.sqlite3").rename(target)


def copy_stored_sqlite(target: Path) -> None:
    """Copy the SQLite file that an earlier run of this code has migrated, or migrate one and keep it."""
    STORED_FOLDER.mkdir(parents=True, exist_ok=True)
    stored = STORED_FOLDER / f"{code_digest()}.sqlite3"
    with locked(STORED_FOLDER):
        if stored.exists():
            shutil.copy(stored, target)
            return
        migrate_sqlite(ROOT, target)
        for outdated in STORED_FOLDER.glob("*.sqlite3"):
            outdated.unlink()
        partial = stored.with_suffix(".partial")
        shutil.copy(target, partial)
        partial.rename(stored)


def code_digest() -> str:
    """Return a hash of everything that the migrated database follows from: the code of the site and its packages."""
    digest = hashlib.sha256()
    modules = (path for name in SITE_PACKAGES for path in (ROOT / name).rglob("*.py"))
    for path in [ROOT / "requirements.txt", *sorted(modules)]:
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def locked_template_folder(root: Path) -> Iterator[Path]:
    """Give the folder of what is migrated once a run; the workers of pytest-xdist, which share it, take turns."""
    folder = run_folder() if root == ROOT else checkout_folder(root)
    with locked(folder):
        yield folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which all processes share."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def migrate(root: Path, var: Path, database: str = "") -> None:
    """Migrate a PostgreSQL database, or the SQLite one in ``var``."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "domino_site.settings", "VAR_DIR": str(var)}
    environment.pop("DATABASE_URL", None)
    if database:
        environment["DATABASE_URL"] = database
    subprocess.run([*manage_command(root), "migrate", "-v0"], env=environment, check=True)


def run_folder() -> Path:
    """Return a folder that this process shares with those it starts."""
    if RUN_FOLDER_VARIABLE not in os.environ:
        os.environ[RUN_FOLDER_VARIABLE] = str(temporary_folder())
    return Path(os.environ[RUN_FOLDER_VARIABLE])


@cache
def checkout_folder(_root: Path) -> Path:
    """Return the folder of another checkout."""
    return temporary_folder()


def temporary_folder() -> Path:
    """Return a folder that is deleted when this process ends, in memory if there is room."""
    folder = tempfile.mkdtemp(prefix="dominoes-migrated-", dir=memory_folder())
    atexit.register(delete_folder, Path(folder))
    return Path(folder)


@cache
def memory_folder() -> str | None:
    """Return a file system in memory, where renaming a file or syncing a database takes no time."""
    return (
        str(SHARED_MEMORY)
        if SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free > MIN_FREE_BYTES
        else None
    )


def delete_folder(folder: Path) -> None:
    """Delete the folder, and the PostgreSQL database that was migrated for it, unless it went with its server."""
    if (migrated := folder / "postgres").exists():
        with suppress(psycopg.OperationalError):
            drop_postgres_database(*migrated.read_text().split())
    shutil.rmtree(folder, ignore_errors=True)


def create_postgres_database(address: str, root: Path = ROOT) -> str:
    """Create a database beside the given one, a copy of what is migrated once a run, and return its address."""
    with locked_template_folder(root) as folder:
        migrated = folder / "postgres"
        if not migrated.exists():
            template = create_database(address)
            migrate(root, folder / "var", template)
            migrated.write_text(f"{address} {template}")
        _address, template = migrated.read_text().split()
        return create_database(address, template=urlsplit(template).path.removeprefix("/"))


def create_database(address: str, template: str = "template1") -> str:
    """Create a database as the template is, beside the given one, and return its address."""
    name = f"site_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return urlunsplit(urlsplit(address)._replace(path=f"/{name}"))


def drop_postgres_database(address: str, own: str) -> None:
    name = urlsplit(own).path.removeprefix("/")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def process_database() -> Iterator[None]:
    """Give the tests of this process a database of their own."""
    own = connection.settings_dict
    if connection.vendor == "sqlite":
        own["NAME"] = temporary_folder() / "test.sqlite3"
        shutil.copy(migrated_sqlite(), own["NAME"])
        yield
        return
    address = os.environ["DATABASE_URL"]
    copy = create_postgres_database(address)
    own["NAME"] = urlsplit(copy).path.removeprefix("/")
    yield
    connections.close_all()
    connection.close_pool()  # type: ignore[attr-defined] # that of PostgreSQL has one
    drop_postgres_database(address, copy)


@cache
def tables_with_test_rows() -> list[str]:
    """Return the tables that tests write to."""
    return [name for name in connection.introspection.table_names() if name not in UNCHANGED_TABLES]


@transaction.atomic
def delete_all_rows(_test: TransactionTestCase) -> None:
    """Delete all rows, as Django does after a test with real transactions, for a fraction of the cost.

    Keys into other tables are looked at when all is gone.
    """
    from accounts.models import ModerationAct
    from accounts.sanctions.append_only import create_triggers, drop_triggers

    is_kept = ModerationAct.objects.exists()
    if is_kept:
        drop_triggers(connection, ModerationAct)
    with connection.cursor() as cursor:
        for name in tables_with_test_rows():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(name)}")
    if is_kept:
        create_triggers(connection, ModerationAct)
