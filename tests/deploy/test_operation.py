"""The command ``dominoes``, with releases from a real repository and real processes."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from tests.deploy.machine import MATCH, Machine
from tests.programs import ROOT
from tests.server import free_port
from tests.shell import Shell

MIGRATION = """
from django.db import migrations
class Migration(migrations.Migration):
    dependencies = [("games", "{last}")]
    operations = [migrations.RunSQL("CREATE TABLE planted (id integer)", "DROP TABLE planted")]
"""


def plant_migration(machine: Machine) -> None:
    folder = machine.origin / "games" / "migrations"
    last = sorted(path.stem for path in folder.glob("[0-9]*.py"))[-1]
    (folder / "9999_planted.py").write_text(MIGRATION.format(last=last))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def running_release(port: int) -> str:
    with urllib.request.urlopen(f"http://localhost:{port}/metrics", timeout=20) as answer:
        return re.search(r'^dominoes_build_info{.*revision="(.*?)"', answer.read().decode(), re.MULTILINE)[1]


def test_update_and_rollback_of_a_running_site(tmp_path: Path) -> None:
    port = free_port()
    machine = Machine(tmp_path, units=[f"dominoes@{port}"])
    machine.create_repository()
    with machine.services.running():
        machine.dominoes("update")
        first = machine.current()
        assert running_release(port) == first
        second = machine.commit()
        assert f"{second} runs." in machine.dominoes("update")
        assert running_release(port) == second == machine.current()
        assert "already runs" in machine.dominoes("update")
        assert "runs again" in machine.dominoes("rollback")
        assert running_release(port) == first == machine.current()
        (machine.origin / "games" / "management" / "commands" / "serve.py").write_text("raise SystemExit(1)")
        broken = machine.commit()
        output = machine.dominoes("update", status=1)
        assert f"{broken} did not start. {first} runs as before." in output
        assert running_release(port) == first == machine.current()
        assert machine.backups() == []


def test_migration_makes_a_backup_and_closes_the_way_back(machine: Machine) -> None:
    machine.create_repository()
    machine.dominoes("update")
    first = machine.current()
    plant_migration(machine)
    machine.commit()
    output = machine.dominoes("update")
    assert "Stopping the site" in output
    assert "9999_planted" in machine.applied()
    (backup,) = machine.backups()
    output = machine.dominoes("rollback", status=1)
    assert "games.9999_planted ran since" in output
    assert f"--release {first}" in output
    assert machine.current() != first
    machine.dominoes("restore", str(backup), "--release", first)
    assert machine.current() == first
    assert "9999_planted" not in machine.applied()


def test_build_runs_nothing_and_names_the_migrations(machine: Machine) -> None:
    machine.create_repository()
    plant_migration(machine)
    name = machine.commit()
    output = machine.dominoes("build")
    assert f"Built: {name}\nMigration: games.9999_planted offline\n" in output
    assert not (machine.root / "current").exists()
    assert "9999_planted" not in machine.applied()
    machine.dominoes("activate", name)
    assert machine.current() == name


def test_unknown_commit_changes_nothing(machine: Machine) -> None:
    machine.create_repository()
    assert "has no no-such-branch" in machine.dominoes("update", "no-such-branch", status=1)
    assert not (machine.root / "current").exists()


def test_failed_build_leaves_the_site_alone(machine: Machine) -> None:
    machine.create_repository()
    machine.add_setting("BUILD_COMMAND", "false")
    output = machine.dominoes("update", status=1)
    assert "The site runs as before" in output
    assert not (machine.root / "current").exists()


def test_build_yields_to_the_site(machine: Machine) -> None:
    machine.create_repository()
    machine.add_setting("BUILD_COMMAND", f"sh -c 'nice >{machine.folder}/niceness; exit 1'")
    machine.dominoes("update", status=1)
    assert int((machine.folder / "niceness").read_text()) == min(os.nice(0) + 10, 19)


def test_failed_backup_leaves_the_site_running(machine: Machine) -> None:
    machine.create_release("first")
    machine.dominoes("activate", "first")
    machine.create_release("second", pending_migrations="echo games.0002 offline", migrate="touch ../../migrated")
    machine.record_services()
    (machine.var / "dominoes.sqlite3").write_bytes(b"no database" * 100)
    assert "dominoes: The backup failed: " in machine.dominoes("activate", "second", status=1)
    assert machine.log().split() == ["stop", "start"]
    assert machine.current() == "first"
    assert machine.backups() == []
    assert not (machine.root / "migrated").exists()


def test_failed_online_migration_needs_no_way_back(machine: Machine) -> None:
    machine.create_release("first")
    machine.dominoes("activate", "first")
    machine.create_release("second", pending_migrations="echo games.0002 online", migrate="exit 1")
    machine.record_services()
    output = machine.dominoes("activate", "second", status=1)
    assert output.endswith("The site runs as before.\n")
    assert "dominoes restore" not in output
    assert machine.log() == ""


def test_first_activation_backs_up_a_database_that_exists(machine: Machine) -> None:
    machine.create_release("first", pending_migrations="echo games.0002 online")
    machine.dominoes("activate", "first")
    assert len(machine.backups()) == 1
    (machine.var / "dominoes.sqlite3").unlink()
    (machine.root / "current").unlink()
    machine.dominoes("activate", "first")
    assert len(machine.backups()) == 1


def test_interrupted_offline_update_is_repeated_offline(machine: Machine) -> None:
    machine.create_release("first")
    machine.dominoes("activate", "first")
    pending = "test -e migrated || echo games.0002 offline"
    machine.create_release("second", pending_migrations=pending, migrate="touch migrated")
    machine.record_services(f"test {{action}} != start || test -e {machine.folder}/repaired")
    machine.dominoes("activate", "second", status=1)
    (machine.folder / "repaired").touch()
    assert "second runs." in machine.dominoes("activate", "second")
    assert machine.log().split() == ["stop", "start"] * 2
    assert "already runs" in machine.dominoes("activate", "second")


def test_failed_update_restores_both_links(machine: Machine) -> None:
    for name in ("first", "second", "third"):
        machine.create_release(name)
    machine.dominoes("activate", "first")
    machine.dominoes("activate", "second")
    failed = machine.folder / "failed"
    machine.record_services(f"test -e {failed} || (touch {failed} && false)")
    assert "third did not start. second runs as before." in machine.dominoes("activate", "third", status=1)
    assert machine.log().split() == ["restart", "restart"]
    assert [(machine.root / name).resolve().name for name in ("current", "previous")] == ["second", "first"]
    assert "already runs" in machine.dominoes("activate", "second")


def test_pages_have_time_to_return_between_two_restarts(machine: Machine) -> None:
    for name in ("first", "second"):
        machine.create_release(name)
    machine.dominoes("activate", "first")
    machine.record_services(f"date +%s.%N >>{machine.folder}/times")
    machine.add_setting("UNITS", "one two")
    machine.add_setting("RESTART_PAUSE_SECONDS", "0.5")
    machine.dominoes("activate", "second")
    first, second = map(float, (machine.folder / "times").read_text().split())
    assert second - first >= 0.5


def test_failed_rollback_restores_both_links(machine: Machine) -> None:
    for name in ("first", "second"):
        machine.create_release(name)
        machine.dominoes("activate", name)
    failed = machine.folder / "failed"
    machine.record_services(f"test -e {failed} || (touch {failed} && false)")
    assert "first did not start. second runs as before." in machine.dominoes("rollback", status=1)
    assert machine.log().split() == ["restart", "restart"]
    assert [(machine.root / name).resolve().name for name in ("current", "previous")] == ["second", "first"]
    assert "already runs" in machine.dominoes("activate", "second")


def test_release_that_runs_is_kept_under_a_linked_root(machine: Machine) -> None:
    names = [f"release-{number}" for number in range(6)]
    for age, name in enumerate(names):
        os.utime(machine.create_release(name), (0, time.time() - age * 3600))
    (machine.folder / "link").symlink_to(machine.root)
    machine.add_setting("DOMINOES_ROOT", str(machine.folder / "link"))
    machine.dominoes("activate", names[-1])
    assert sorted(path.name for path in (machine.root / "releases").iterdir()) == [*names[:4], names[-1]]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_follows_no_links_of_the_user_of_the_site() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        machine = Machine(folder)
        machine.add_setting("DOMINOES_USER", "nobody")
        (folder / "private").touch(mode=0o600)
        before = (folder / "private").stat()
        (machine.var / "backups").mkdir(mode=0o700)
        latest = machine.var / "backups" / "latest"
        latest.symlink_to(folder / "private")
        subprocess.run(["chown", "-hR", "nobody", machine.var], check=True)
        machine.create_release("first", pending_migrations="echo games.0002 offline")
        assert "The backup failed: [Errno 13]" in machine.dominoes("activate", "first", status=1)
        assert (folder / "private").stat() == before
        machine.backups()[0].unlink()
        latest.unlink()
        machine.dominoes("activate", "first")
        (backup,) = machine.backups()
        assert backup.owner() == latest.owner() == "nobody"
        unreadable = shutil.copy(backup, folder / "private")
        assert "that nobody may read" in machine.dominoes("restore", str(unreadable), status=1)
        machine.dominoes("restore", "--discard", str(backup))
        assert (machine.var / "dominoes.sqlite3").owner() == "nobody"


def test_manage_runs_with_the_settings_of_the_site(machine: Machine) -> None:
    machine.link_release()
    code = "from django.conf import settings; print(settings.DATABASES['default']['NAME'], settings.DATABASE_SECONDS)"
    output = machine.dominoes("manage", "shell", "--no-imports", "-c", code)
    assert output.splitlines()[-1].split()[0] == str(machine.var / "dominoes.sqlite3")


def test_missing_parts_are_named_in_a_sentence(machine: Machine) -> None:
    assert re.search(r"current does not exist. Run: dominoes update$", machine.dominoes("manage", "check", status=1))
    machine.add_setting("DOMINOES_USER", "no-such-user")
    machine.link_release()
    assert "There is no user no-such-user. Run: useradd" in machine.dominoes("manage", "check", status=1)
    machine.settings.write_text("no setting")
    assert "line 1: write NAME=value." in machine.dominoes("manage", "check", status=1)
    machine.settings.unlink()
    assert "Copy deploy/dominoes.env.example" in machine.dominoes("backup", status=1)


def test_backup_during_writes_is_consistent_and_private(machine: Machine) -> None:
    with closing(sqlite3.connect(machine.var / "dominoes.sqlite3", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("CREATE TABLE moves (number)")
        writer.execute("INSERT INTO moves VALUES (1)")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO moves VALUES (2)")
        machine.dominoes("backup")
        writer.execute("COMMIT")
    (backup,) = machine.backups()
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert (machine.var / "backups" / "latest").exists()
    with closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("SELECT number FROM moves").fetchall() == [(1,)]


def test_old_backups_are_deleted_but_never_the_last(machine: Machine) -> None:
    folder = machine.var / "backups"
    folder.mkdir()
    for number in range(3):
        path = folder / f"dominoes-2026010{number}-000000.sqlite3"
        path.touch()
        os.utime(path, (0, time.time() - (13.9 + number) * 24 * 3600))
    machine.dominoes("backup")
    assert [path.name for path in machine.backups()][:-1] == ["dominoes-20260100-000000.sqlite3"]


def test_backup_is_restored_elsewhere_and_replayed(machine: Machine) -> None:
    machine.link_release()
    shell = Shell([sys.executable, str(ROOT / "manage.py")], {**os.environ, "VAR_DIR": str(machine.var)})
    shell.run(MATCH)
    shell.end()
    output = machine.dominoes("backup", "--test")
    assert "Matches replayed: 1, differences: 0." in output
    assert "can be restored" in output
    with closing(sqlite3.connect(machine.var / "dominoes.sqlite3")) as database, database:
        database.execute("DELETE FROM games_matchevent WHERE seq = 5")
    assert "differences: 0" in machine.dominoes("restore", str(machine.backups()[0]))


def test_unknown_release_is_not_restored(machine: Machine) -> None:
    machine.link_release()
    machine.dominoes("backup")
    before = (machine.var / "dominoes.sqlite3").stat()
    machine.record_services()
    output = machine.dominoes("restore", str(machine.backups()[0]), "--release", "typo", status=1)
    assert "typo is not a finished release." in output
    assert machine.log() == ""
    assert (machine.var / "dominoes.sqlite3").stat() == before
    assert len(machine.backups()) == 1


def test_postgres_is_reached_through_a_socket_in_a_folder(machine: Machine) -> None:
    """The programs of PostgreSQL only record their arguments."""
    machine.create_release("first", migrate="echo $DATABASE_URL >>../../../arguments")
    machine.dominoes("activate", "first")
    programs = machine.folder / "programs"
    programs.mkdir()
    for name in ("pg_dump", "pg_restore", "psql"):
        (programs / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{machine.folder}/arguments\n')
        (programs / name).chmod(0o755)
    machine.add_setting("DATABASE_URL", "postgresql://localhost:6432/pooled")
    machine.add_setting("BACKUP_DATABASE_URL", "postgresql:///dominoes?host=/run/postgresql")
    machine.dominoes("backup", "--test", PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    arguments = (machine.folder / "arguments").read_text()
    assert "pg_dump --dbname=postgresql:///dominoes?host=%2Frun%2Fpostgresql " in arguments
    assert "psql --dbname=postgresql:///dominoes_test_restore?host=%2Frun%2Fpostgresql " in arguments
    assert "\npostgresql:///dominoes_test_restore?host=/run/postgresql\n" in arguments
    assert "pooled" not in arguments


def test_file_that_is_no_backup_is_not_restored(machine: Machine) -> None:
    machine.link_release()
    (machine.folder / "broken.sqlite3").write_bytes(b"SQLite format 3\0" + bytes(100))
    before = (machine.var / "dominoes.sqlite3").read_bytes()
    for name in ("broken.sqlite3", "missing.sqlite3"):
        machine.dominoes("restore", str(machine.folder / name), status=1)
    assert (machine.var / "dominoes.sqlite3").read_bytes() == before


def test_check_says_what_to_do(machine: Machine) -> None:
    machine.link_release()
    machine.settings.chmod(0o644)
    output = machine.dominoes("check", status=1)
    assert f"Run: chmod 640 {machine.settings}" in output
    assert "VAPID_PRIVATE_KEY is not set" in output
    assert "Run: systemctl enable --now dominoes-backup.timer" in output
    assert "ok    release" in output
    machine.settings.chmod(0o600)
    machine.dominoes("backup")
    output = machine.dominoes("check", status=1)
    assert "ok    permissions" in output
    assert "ok    backups" in output
