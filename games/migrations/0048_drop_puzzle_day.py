import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    # Separate from the previous one: PostgreSQL alters no table in the transaction that changed its rows.
    dependencies = [("games", "0047_puzzle_days")]

    operations = [
        migrations.RemoveConstraint(model_name="puzzle", name="puzzle_of_a_day"),
        migrations.RemoveConstraint(model_name="puzzleattempt", name="one_attempt"),
        migrations.RemoveField(model_name="puzzle", name="day"),
        migrations.RemoveField(model_name="puzzleattempt", name="puzzle"),
        migrations.AlterField(
            model_name="puzzleattempt",
            name="puzzle_day",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="attempts", to="games.puzzleday"
            ),
        ),
        migrations.AddConstraint(
            model_name="puzzleattempt",
            constraint=models.UniqueConstraint(fields=("puzzle_day", "user"), name="one_attempt_per_day"),
        ),
    ]
