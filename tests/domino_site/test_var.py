"""What the site writes is for its owner alone, and where it cannot write it says so in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import InternalError, OperationalError, connection

from domino_site import var
from infrastructure.startup import check_database
from tests.domino_site.test_settings import manage


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in (folder, *folder.iterdir())}


def test_only_the_owner_can_read_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    done = manage("shell", "--no-imports", "-c", "import django.db as db; db.connection.cursor()", VAR_DIR=str(folder))
    assert done.returncode == 0
    created = modes(folder)
    assert {"dominoes.sqlite3", "secret_key"} <= set(created)
    assert {name: mode for name, mode in created.items() if mode not in ("0o700", "0o600")} == {}
    var.prepare_folder(tmp_path / "new")
    assert modes(tmp_path / "new") == {"new": "0o700"}


def test_permissions_from_earlier_starts_are_removed(tmp_path: Path) -> None:
    for name in ("dominoes.sqlite3", "dominoes.sqlite3-wal", "secret_key", "notes"):
        (tmp_path / name).touch(mode=0o644)
    tmp_path.chmod(0o755)
    var.prepare_folder(tmp_path)
    assert modes(tmp_path) == {
        tmp_path.name: "0o755",  # it may be anybody's folder
        "dominoes.sqlite3": "0o600",
        "dominoes.sqlite3-wal": "0o600",
        "secret_key": "0o600",
        "notes": "0o644",
    }


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"VAR_DIR": "/dev/null/var"}, "The site cannot write to VAR_DIR"),
        (
            {"DATABASE_URL": "sqlite:////dev/null/database"},
            "The database cannot be used: unable to open database file",
        ),
    ],
)
def test_unusable_folder_is_reported_in_a_sentence(tmp_path: Path, environment: dict[str, str], message: str) -> None:
    done = manage("serve", "--no-clock", "--port", "1", **({"VAR_DIR": str(tmp_path)} | environment))
    assert done.returncode == 1
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1, "a sentence, no traceback"


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_read_only_database_stops_the_start() -> None:
    check_database()
    only_reading = "PRAGMA query_only" if connection.vendor == "sqlite" else "SET default_transaction_read_only"
    with connection.cursor() as cursor:
        cursor.execute(f"{only_reading} = ON")
    with pytest.raises((OperationalError, InternalError), match=r"read-?only"):
        check_database()
    # The connection may come back from a pool.
    with connection.cursor() as cursor:
        cursor.execute(f"{only_reading} = OFF")
