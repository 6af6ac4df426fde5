"""``manage.py pending_migrations``: list the migrations that the database still needs, one on each line.

"online" follows a migration if processes of the release before it can run meanwhile and afterwards, otherwise
"offline".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection, migrations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# These change nothing in tables that older code uses, or nothing in the database.
HARMLESS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
)


class Command(BaseCommand):
    help = "List the migrations that the database still needs, and whether the site can run meanwhile."

    def handle(self, **options: Any) -> None:
        executor = MigrationExecutor(connection)
        for migration, _is_backwards in executor.migration_plan(executor.loader.graph.leaf_nodes()):
            state = executor.loader.project_state((migration.app_label, migration.name), at_end=False)
            mode = "online" if is_online(migration, state) else "offline"
            self.stdout.write(f"{migration.app_label}.{migration.name} {mode}")


def is_online(migration: migrations.Migration, state: ProjectState) -> bool:
    """Return True if code that does not know of the migration works before, during and after it.

    ``state`` is that before the migration; it is changed.
    """
    return are_harmless(migration.operations, migration.app_label, state)


def are_harmless(operations: Iterable[Operation], app_label: str, state: ProjectState) -> bool:
    existing = set(state.models)
    for operation in operations:
        before = state.clone()
        operation.state_forwards(app_label, state)
        model = getattr(operation, "model_name", None)  # the one whose columns, indexes or constraints change
        is_unknown = model is not None and (app_label, model.lower()) not in existing
        if not is_unknown and not is_harmless(operation, app_label, before, state):
            return False
    return True


def is_harmless(operation: Operation, app_label: str, before: ProjectState, after: ProjectState) -> bool:
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return are_harmless(operation.database_operations, app_label, before.clone())
    if isinstance(operation, migrations.AddField):
        # Older code inserts rows without the new column. Django drops a ``default`` again, but not a ``db_default``.
        return operation.field.null or (operation.field.has_db_default() and not operation.field.unique)
    if isinstance(operation, migrations.AlterField):
        # Other choices, for example, are nothing to the database.
        with connection.schema_editor(collect_sql=True) as editor:
            operation.database_forwards(app_label, editor, before, after)
        return not editor.collected_sql
    return isinstance(operation, HARMLESS)
