"""Backups of the database while the site runs, their retention, and restores."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from deploy.operation.installation import Installation, Refused

# Options of DATABASE_URL that PostgreSQL knows. The others are for Django.
CONNECTION_OPTIONS = {"host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout"}
# Removes what a restored dump would find in its way, also tables that are newer than the dump.
EMPTY_DATABASE = """
DO $$ DECLARE object record; BEGIN
FOR object IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DROP TABLE public.%I CASCADE', object.tablename);
END LOOP;
FOR object IN SELECT oid::regprocedure AS name FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND pg_get_userbyid(proowner) = current_user LOOP
    EXECUTE format('DROP ROUTINE %s CASCADE', object.name);
END LOOP; END $$;
"""


def create_backup(installation: Installation) -> Path:
    """Write a backup and return its file. It is consistent: it shows the database at one moment."""
    try:
        return write_backup(installation)
    except (OSError, sqlite3.Error) as error:
        raise Refused(f"The backup failed: {error}") from None


def write_backup(installation: Installation) -> Path:
    folder = installation.backups
    if not folder.exists():
        folder.mkdir(mode=0o700, parents=True)
    suffix = "sqlite3" if installation.sqlite_file else "dump"
    path = folder / f"dominoes-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.{suffix}"
    partial = folder / f"{path.name}.partial"
    partial.unlink(missing_ok=True)
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_WRONLY, 0o600))
        if installation.sqlite_file:
            with closing(sqlite3.connect(f"file:{installation.sqlite_file}?mode=ro", uri=True)) as database:
                database.execute("VACUUM INTO ?", [str(partial)])
        else:
            run_postgres(installation.database_url, "pg_dump", "--format=custom", f"--file={partial}")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    # The metric dominoes_backup_age_seconds reads this file.
    latest = installation.var / "backups" / "latest"
    latest.parent.mkdir(mode=0o700, exist_ok=True)
    latest.touch()
    print(f"Backup: {path}", flush=True)
    return path


def all_backups(installation: Installation) -> list[Path]:
    """Return the backups, the newest last."""
    return sorted(path for path in installation.backups.glob("dominoes-*") if path.suffix in (".sqlite3", ".dump"))


def delete_old_backups(installation: Installation) -> None:
    """Delete the backups that are older than BACKUP_DAYS, but never the last one."""
    oldest = time.time() - float(installation.settings["BACKUP_DAYS"]) * 24 * 3600
    for path in all_backups(installation)[:-1]:
        if path.stat().st_mtime < oldest:
            path.unlink()
            print(f"Deleted: {path}")


def postgres_address(netloc: str, path: str, query: str) -> str:
    """Return an address, also one without a host: urlunsplit would leave out its slashes.

    >>> postgres_address("", "/dominoes", "host=/run/postgresql")
    'postgresql:///dominoes?host=/run/postgresql'
    """
    return f"postgresql://{netloc}{path}{'?' if query else ''}{query}"


def run_postgres(url: str, program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL. The password is not in its arguments, which all users of the machine can read."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    netloc = f"{parts.username}@{host}" if parts.username else host
    query = urlencode([(name, value) for name, value in parse_qsl(parts.query) if name in CONNECTION_OPTIONS])
    address = postgres_address(netloc, parts.path, query)
    environment = {**os.environ, "PGPASSWORD": unquote(parts.password or "")}
    try:
        done = subprocess.run(
            [program, f"--dbname={address}", *arguments],
            env=environment,
            check=False,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        raise Refused(f"{program} is missing. Run: apt-get install postgresql-client") from None
    if done.returncode:
        raise Refused(f"{program} failed. {done.stderr.strip()}")


def restore(installation: Installation, file: Path, release: Path, *, discard: bool) -> None:
    """Replace the database by a backup. The processes of the site must be stopped."""
    check_backup(installation, file)
    if discard:
        print("The present database is lost.")
    else:
        create_backup(installation)
    if installation.sqlite_file:
        restore_sqlite(installation, file, installation.sqlite_file)
    else:
        restore_postgres(installation, file, installation.database_url)
    check_records(installation, release)


def check_backup(installation: Installation, file: Path) -> None:
    """Raise Refused unless a file is a complete backup of this kind of database."""
    if not (os.access(file, os.R_OK) and file.is_file()):
        raise Refused(f"There is no file {file} that {installation.user.pw_name} may read.")
    if installation.sqlite_file is None:
        if shutil.which("pg_restore") is None:
            raise Refused("pg_restore is missing. Run: apt-get install postgresql-client")
        if subprocess.run(["pg_restore", "--list", str(file)], check=False, capture_output=True).returncode:
            raise Refused(f"{file} is not a backup of PostgreSQL.")
        return
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as database:
            answer = database.execute("PRAGMA quick_check").fetchone()[0]
            database.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except sqlite3.DatabaseError as error:
        answer = str(error)
    if answer != "ok":
        raise Refused(f"{file} is not a complete SQLite backup ({answer}).")


def restore_sqlite(installation: Installation, file: Path, target: Path) -> None:
    """Copy the backup next to the database, then take its place. The write-ahead log belongs to the old one."""
    new = target.with_name(f"{target.name}.new")
    shutil.copyfile(file, new)
    new.chmod(0o600)
    for suffix in ("-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)
    new.replace(target)


def restore_postgres(installation: Installation, file: Path, url: str) -> None:
    """Empty the database and load a dump, in one transaction."""
    with tempfile.NamedTemporaryFile(dir=installation.backups, prefix="restore-") as script:
        # Complete before the transaction begins, which would otherwise commit the first half of a broken dump.
        command = ["pg_restore", "--no-owner", "--no-privileges", f"--file={script.name}", str(file)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise Refused(f"pg_restore failed. {done.stderr.strip()}")
        options = ("--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1")
        run_postgres(url, "psql", *options, f"--command={EMPTY_DATABASE}", f"--file={script.name}")


def check_records(installation: Installation, release: Path, **changes: str) -> None:
    """Migrate a restored database, and decide every deal and move of all records again."""
    installation.manage(release, "migrate", "--no-input", **changes)
    print(installation.manage(release, "replay_matches", "--strict", **changes).strip(), flush=True)


def test_backup(installation: Installation, file: Path) -> None:
    """Restore a backup into a scratch database and replay all its records strictly."""
    check_backup(installation, file)
    with scratch_database(installation, file) as changes:
        check_records(installation, installation.release(), **changes)
    print(f"{file.name} can be restored.")


@contextmanager
def scratch_database(installation: Installation, file: Path) -> Iterator[dict[str, str]]:
    """Restore a backup next to the database, and yield the settings that name the copy."""
    if installation.sqlite_file:
        with tempfile.TemporaryDirectory(dir=installation.backups, prefix="test-") as folder:
            restore_sqlite(installation, file, Path(folder) / "dominoes.sqlite3")
            yield {"VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/dominoes.sqlite3"}
        return
    parts = urlsplit(installation.database_url)
    name = f"{parts.path.removeprefix('/')}_test_restore"
    scratch = postgres_address(parts.netloc, f"/{name}", parts.query)
    run_postgres(installation.database_url, "psql", "--quiet", f'--command=DROP DATABASE IF EXISTS "{name}"')
    try:
        run_postgres(installation.database_url, "psql", "--quiet", f'--command=CREATE DATABASE "{name}"')
    except Refused as reason:
        raise Refused(f"{reason} Run as postgres: psql -c 'ALTER ROLE {parts.username} CREATEDB'") from None
    try:
        restore_postgres(installation, file, scratch)
        yield {"DATABASE_URL": scratch}
    finally:
        run_postgres(installation.database_url, "psql", "--quiet", f'--command=DROP DATABASE "{name}"')
