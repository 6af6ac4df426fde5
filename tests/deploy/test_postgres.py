"""Backups and restores of PostgreSQL with the command ``dominoes``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.databases import create_postgres_database, drop_postgres_database
from tests.deploy.machine import MATCH, Machine
from tests.programs import ROOT
from tests.shell import Shell

pytestmark = [
    pytest.mark.stack,
    pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="needs PostgreSQL"),
]


@pytest.fixture
def database() -> Iterator[str]:
    address = os.environ["DATABASE_URL"]
    own = create_postgres_database(address)
    yield own
    drop_postgres_database(address, own)


def test_backup_of_a_running_site_is_replayed_and_restored(tmp_path: Path, database: str) -> None:
    machine = Machine(tmp_path, database=database)
    machine.link_release()
    environment = {**os.environ, "VAR_DIR": str(machine.var), "DATABASE_URL": database}
    shell = Shell([sys.executable, str(ROOT / "manage.py")], environment)
    shell.run(MATCH)
    shell.end()
    output = machine.dominoes("backup", "--test")
    assert "Matches replayed: 1, differences: 0." in output
    (backup,) = machine.backups()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DELETE FROM games_matchevent WHERE seq = 5")
        connection.execute("CREATE TABLE newer_than_the_backup (id integer)")
    assert "Some records do not replay" in machine.dominoes("backup", "--test", status=1)
    assert "differences: 0" in machine.dominoes("restore", str(backup))
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT to_regclass('newer_than_the_backup')").fetchone() == (None,)
        names = [name for (name,) in connection.execute("SELECT datname FROM pg_database")]
    assert [name for name in names if name.endswith("_test_restore")] == []
