"""``manage.py pending_migrations``."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.models import CharField, IntegerField, UniqueConstraint

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


def new_column(**options: Any) -> Operation:
    return migrations.AddField("planted", "number", IntegerField(**options))


def only_in_database(*operations: Operation) -> Operation:
    return migrations.SeparateDatabaseAndState(operations, [migrations.DeleteModel("planted")])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (new_column(null=True), True),
        (new_column(db_default=0), True),
        (new_column(default=0), False),
        (new_column(db_default=0, unique=True), False),
        (only_in_database(), True),
        (only_in_database(new_column(null=True)), True),
        (only_in_database(new_column(null=True), new_column(default=0)), False),
        (only_in_database(migrations.AlterField("planted", "status", status(max_length=9))), False),
        (migrations.RunSQL("SELECT 1"), False),
        (migrations.AddConstraint("planted", UniqueConstraint(fields=["status"], name="one_status")), False),
    ],
)
def test_site_runs_while_optional_columns_are_added(operation: Operation, expected: bool) -> None:
    state = MigrationLoader(None).project_state()
    key = ("id", CharField(max_length=9, primary_key=True))
    migrations.CreateModel("Planted", [key, ("status", status())]).state_forwards("games", state)
    assert is_online(migration(operation), state) is expected


@pytest.mark.parametrize(
    "key",
    [
        ("accounts", "0005_operators_acts"),
        ("games", "0006_reports_of_uploads"),
        ("games", "0008_tournaments"),  # its tables are new, with their constraints
        ("games", "0021_clubs"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_site_runs_while_nothing_that_it_knows_changes(key: tuple[str, str]) -> None:
    loader = MigrationLoader(None)
    assert is_online(loader.graph.nodes[key], loader.project_state(key, at_end=False))
