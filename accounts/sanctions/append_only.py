"""Database triggers that make the log of moderation append-only.

They allow one change: the reference to a deleted person becomes NULL. A migration that adds a column, or makes SQLite
rebuild the table, must end with ``protect_log``; one that alters a column must begin with ``unprotect_log``.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Model

PERSON_COLUMNS = frozenset({"user_id", "moderator_id"})
ERROR_TEXT = "moderation acts are kept as they are"
FUNCTION_NAME = "refuse_change_of_moderation_act"
TRIGGERS = {
    "update": "BEFORE UPDATE ON {table} FOR EACH ROW WHEN (NOT ({unchanged}))",
    "delete": "BEFORE DELETE ON {table} FOR EACH ROW",
    "truncate": "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT",
    # SQLite's REPLACE deletes without a trigger.
    "insert": "BEFORE INSERT ON {table} FOR EACH ROW WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)",
}
EVENT_VENDORS = {"truncate": "postgresql", "insert": "sqlite"}


def protect_log(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers in a migration."""
    create_triggers(editor.connection, apps.get_model("accounts", "ModerationAct"))


def unprotect_log(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers in a migration."""
    drop_triggers(editor.connection, apps.get_model("accounts", "ModerationAct"))


def create_triggers(connection: BaseDatabaseWrapper, log: type[Model]) -> None:
    """Create the triggers for all columns of the log."""
    drop_triggers(connection, log)
    on_sqlite = connection.vendor == "sqlite"
    table = connection.ops.quote_name(log._meta.db_table)
    unchanged = " AND ".join(_unchanged_condition(field.attname, on_sqlite=on_sqlite) for field in log._meta.fields)
    with connection.cursor() as cursor:
        if not on_sqlite:
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {FUNCTION_NAME}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                f"RAISE EXCEPTION '{ERROR_TEXT}' USING ERRCODE = 'integrity_constraint_violation'; END $$"
            )
        raise_error = f"BEGIN SELECT RAISE(ABORT, '{ERROR_TEXT}'); END"
        action = raise_error if on_sqlite else f"EXECUTE FUNCTION {FUNCTION_NAME}()"
        for event in _trigger_events(connection):
            when = TRIGGERS[event].format(table=table, unchanged=unchanged)
            cursor.execute(f"CREATE TRIGGER {_trigger_name(log, event)} {when} {action}")


def drop_triggers(connection: BaseDatabaseWrapper, log: type[Model]) -> None:
    with connection.cursor() as cursor:
        for event in _trigger_events(connection):
            on_table = "" if connection.vendor == "sqlite" else f" ON {log._meta.db_table}"
            cursor.execute(f"DROP TRIGGER IF EXISTS {_trigger_name(log, event)}{on_table}")


def _trigger_events(connection: BaseDatabaseWrapper) -> list[str]:
    return [event for event in TRIGGERS if EVENT_VENDORS.get(event, connection.vendor) == connection.vendor]


def _trigger_name(log: type[Model], event: str) -> str:
    return f"{log._meta.db_table}_{event}"


def _unchanged_condition(column: str, *, on_sqlite: bool) -> str:
    same = "IS" if on_sqlite else "IS NOT DISTINCT FROM"
    condition = f'NEW."{column}" {same} OLD."{column}"'
    return f'({condition} OR NEW."{column}" IS NULL)' if column in PERSON_COLUMNS else condition
