from __future__ import annotations

import json
from typing import Any

from django.db import migrations, models

from infrastructure.batches import in_batches, store

OUTCOMES = {"won": "won", "lost": "lost", "left": "left", "timeout": "ran out of time", "stopped": "stopped"}


def tell_late_from_left(apps: Any, editor: Any) -> None:
    """Write for those whose time was up what is written at the end of new matches."""
    seats, events = (
        apps.get_model("games", name).objects.using(editor.connection.alias) for name in ("Seat", "MatchEvent")
    )

    def write(batch: list[Any]) -> None:
        ends = events.filter(
            match__in=[seat.match_id for seat in batch], kind="match_ended"
        )
        late = {
            (match_id, end["seat"])
            for match_id, data in ends.values_list("match_id", "data")
            if (end := json.loads(data))["reason"] == "timeout"
        }
        found = [seat for seat in batch if (seat.match_id, seat.index) in late]
        for seat in found:
            seat.outcome = "timeout"
        store(found, ["outcome"])

    in_batches(seats.filter(outcome="left"), write)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("games", "0031_invitations")]

    operations = [
        migrations.AddField("match", "void_reason", models.CharField(blank=True, default="", max_length=300)),
        migrations.AddField("seat", "removed", models.BooleanField(default=False)),
        migrations.AlterField(
            "seat", "outcome", models.CharField(blank=True, choices=list(OUTCOMES.items()), max_length=8)
        ),
        migrations.RunPython(tell_late_from_left, migrations.RunPython.noop),
    ]
