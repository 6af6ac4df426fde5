"""What the history asks of the seats of matches that are over: columns, indexes, and the values of older matches."""

from __future__ import annotations

import json

from django.conf import settings
from django.db import migrations, models

from accounts.names import search_key

BY_END = ("-finished_at", "-match")


def fill_in(apps, schema_editor):
    """Write for the matches that are over what ``games.services.results.settle`` writes since."""
    event = apps.get_model("games", "MatchEvent").objects
    seats = apps.get_model("games", "Seat").objects
    ends = event.filter(kind="match_ended", match__finished_at__isnull=False).select_related("match")
    for end in ends.iterator(chunk_size=500):
        match, ended = end.match, json.loads(end.data)
        public = match.visibility == "public" and match.status != "void"
        for seat in seats.filter(match=match):
            seat.outcome, seat.finished_at = outcome(match, ended, seat), match.finished_at
            seat.variant, seat.listed = match.variant, public
            seat.name_key = search_key(seat.name) if seat.user_id else ""
            seat.save(update_fields=["outcome", "finished_at", "variant", "listed", "name_key"])


def outcome(match, ended, seat):
    if match.status == "void":
        return ""
    if ended["reason"] == "stopped":
        return "stopped"
    if seat.index == ended["seat"] or (seat.user_id and seat.bot):
        return "left"
    lost = seat.index in ended["losers"] if ended["losers"] else ended["places"][seat.index] > 1
    return "lost" if lost else "won"


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
        # Last: PostgreSQL alters no table whose rows were changed in the same transaction.
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
