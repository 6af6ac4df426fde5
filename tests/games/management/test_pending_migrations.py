"""``manage.py pending_migrations``."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.models import CharField

from games.management.commands.pending_migrations import is_online


def migration(operation: Operation) -> migrations.Migration:
    planted = type("Migration", (migrations.Migration,), {"operations": [operation]})
    return planted("9999_planted", "games")


def status(**changes: Any) -> CharField[str, str]:
    return CharField(**{"max_length": 10, "choices": [("open", "open")], **changes})


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"choices": [("open", "open"), ("closed", "closed")], "verbose_name": "state"}, True),
        ({"max_length": 9}, False),
        ({"null": True}, False),
    ],
)
def test_site_runs_while_nothing_changes_in_the_database(changes: dict[str, Any], expected: bool) -> None:
    state = MigrationLoader(None).project_state()
    key = ("id", CharField(max_length=9, primary_key=True))
    assert is_online(migration(migrations.CreateModel("Planted", [key, ("status", status())])), state)
    assert is_online(migration(migrations.AlterField("planted", "status", status(**changes))), state) == expected
