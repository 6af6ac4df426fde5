"""How much later spectators see a match."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0002_history")]

    operations = [
        migrations.AddField(
            "match",
            "delay",
            models.CharField(
                choices=[
                    ("none", "at once"),
                    ("30", "30 seconds"),
                    ("120", "2 minutes"),
                    ("round", "one round"),
                ],
                default="none",
                max_length=5,
            ),
        ),
        migrations.AddField("match", "shown_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "match",
            models.Index(condition=models.Q(("shown_at__isnull", False)), fields=["shown_at"], name="match_shown"),
        ),
    ]
