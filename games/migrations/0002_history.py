"""What the history asks of the seats of matches that are over: columns and indexes. ``fill_history`` fills them."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models

BY_END = ("-finished_at", "-match")


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("seat", "finished_at", models.DateTimeField(null=True)),
        migrations.AddField("seat", "listed", models.BooleanField(default=False)),
        migrations.AddField("seat", "name_key", models.CharField(blank=True, max_length=60)),
        migrations.AddField(
            "seat",
            "outcome",
            models.CharField(
                blank=True,
                choices=[("won", "won"), ("lost", "lost"), ("left", "left"), ("stopped", "stopped")],
                max_length=8,
            ),
        ),
        migrations.AddField("seat", "variant", models.CharField(blank=True, max_length=20)),
        migrations.AddIndex("match", models.Index(fields=["-finished_at", "-id"], name="match_finished")),
        migrations.AddIndex("match", models.Index(fields=["variant", "-finished_at", "-id"], name="match_variant")),
        migrations.AddIndex("seat", models.Index(fields=["user", *BY_END, "variant", "outcome", "listed"], name="seat_user")),
        migrations.AddIndex("seat", models.Index(fields=["name_key", *BY_END, "variant", "outcome", "listed"], name="seat_name")),
        migrations.AddIndex("seat", models.Index(fields=["outcome", *BY_END, "variant", "listed"], name="seat_outcome")),
    ]
