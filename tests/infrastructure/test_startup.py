"""Checks before the site starts serving."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from infrastructure import startup


@pytest.mark.django_db
@pytest.mark.parametrize("command", [("serve", "--no-clock"), ("clock",)])
@pytest.mark.parametrize(
    ("on_sqlite", "redis_url", "message"),
    [(True, "redis://localhost", "need PostgreSQL"), (False, "", "need Redis")],
)
def test_processes_that_cannot_share_a_site_do_not_start_in_production(
    settings: Settings, command: tuple[str, ...], on_sqlite: bool, redis_url: str, message: str
) -> None:
    settings.PRODUCTION, settings.ON_SQLITE, settings.REDIS_URL = True, on_sqlite, redis_url
    with pytest.raises(CommandError, match=message):
        call_command(*command, skip_checks=True)


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["serve", "clock"])
def test_site_does_not_start_on_an_older_schema(command: str) -> None:
    newest = MigrationRecorder(connection).migration_qs.filter(app="games").latest("pk")
    newest.delete()
    with pytest.raises(CommandError, match=r"lacks 1 of the migrations\. Run manage.py migrate .* database is \S+"):
        call_command(command, skip_checks=True)


@pytest.mark.django_db
def test_site_does_not_start_in_production_without_static_files(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.management.commands.serve.check_database", lambda: None)  # closes the connection
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "domino_site.static_files.BundledFiles"}}
    with pytest.raises(CommandError, match=f"Run manage.py collectstatic .* {tmp_path}"):
        call_command("serve", skip_checks=True)


@pytest.mark.django_db
def test_migrate_prints_which_database_it_changes(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    output = StringIO()
    call_command("migrate", "games", "--plan", stdout=output, skip_checks=True)
    assert output.getvalue().startswith(f"The database is {startup.database_name()}.")
    for key, value in {"NAME": "dominoes", "HOST": "db", "PORT": "", "USER": "site", "PASSWORD": "secret"}.items():
        monkeypatch.setitem(connection.settings_dict, key, value)
    settings.ON_SQLITE = False
    assert startup.database_name() == "dominoes on db:default (role site)"
