"""Migrates the database, and prints which one. Replaces Django's command: without settings it would use another."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from infrastructure.startup import database_name


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if options["verbosity"] > 0:
            self.stdout.write(f"The database is {database_name()}.")
        super().handle(*args, **options)
