"""What may be due at a match that is over: that spectators, who see it later, know how it ended."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0006_message_room")]

    operations = [
        migrations.AlterField(
            model_name="match",
            name="due_kind",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "nothing"),
                    ("bot", "bot's move"),
                    ("pass", "forced pass"),
                    ("timeout", "time is up"),
                    ("round", "next round"),
                    ("abandon", "empty table"),
                    ("fill", "fill with bots"),
                    ("shown", "end shown to spectators"),
                ],
                default="",
                max_length=8,
            ),
        ),
    ]
