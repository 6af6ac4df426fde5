from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def move_days(apps: Any, editor: Any) -> None:
    """Turn the day of each puzzle into a row, and point its attempts to that row."""
    database = editor.connection.alias
    puzzle_day = apps.get_model("games", "PuzzleDay").objects.using(database)
    attempts = apps.get_model("games", "PuzzleAttempt").objects.using(database)
    for puzzle in apps.get_model("games", "Puzzle").objects.using(database).filter(day__isnull=False).iterator():
        row = puzzle_day.create(variant=puzzle.variant, day=puzzle.day, puzzle_id=puzzle.pk)
        attempts.filter(puzzle=puzzle.pk).update(puzzle_day=row.pk)
    attempts.filter(puzzle_day=None).delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0046_trainees"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="PuzzleDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("variant", models.CharField(max_length=20)),
                ("day", models.DateField()),
                (
                    "puzzle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="days", to="games.puzzle"
                    ),
                ),
            ],
            options={
                "verbose_name": "puzzle of the day",
                "verbose_name_plural": "puzzles of the day",
                "constraints": [models.UniqueConstraint(fields=("variant", "day"), name="one_puzzle_per_day")],
            },
        ),
        migrations.AddField(
            model_name="puzzleattempt",
            name="puzzle_day",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="attempts",
                to="games.puzzleday",
            ),
        ),
        migrations.RunPython(move_days, migrations.RunPython.noop),
    ]
