"""``manage.py pending_migrations``: list the migrations that the database still needs, one on each line.

"online" follows a migration if processes of the release before it can run meanwhile and afterwards, otherwise
"offline".
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection, migrations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation

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
            mode = "online" if all(map(is_harmless, migration.operations)) else "offline"
            self.stdout.write(f"{migration.app_label}.{migration.name} {mode}")


def is_harmless(operation: Operation) -> bool:
    """Return True if code that does not know of the operation works before, during and after it."""
    if isinstance(operation, migrations.AddField):
        # Older code inserts rows without the new column.
        return operation.field.null or operation.field.has_db_default()
    return isinstance(operation, HARMLESS)
