"""The scores of matches that are over, on their rows: what a list of matches shows stands where it looks."""

from __future__ import annotations

import json

from django.db import migrations, models


def fill_in(apps, schema_editor):
    """Write for the matches that are over what ``games.services.results.settle`` writes since."""
    event = apps.get_model("games", "MatchEvent").objects
    matches = apps.get_model("games", "Match").objects.filter(finished_at__isnull=False)
    tells = event.filter(match=models.OuterRef("pk"), kind__in=("round_dealt", "round_ended")).order_by("-seq")
    told = matches.annotate(told=models.Subquery(tells.values("data")[:1])).exclude(told=None)
    for match in told.only("pk").iterator(chunk_size=500):
        match.standing = json.dumps({"standing": json.loads(match.told)["standing"]}, separators=(",", ":"))
        match.save(update_fields=["standing"])


class Migration(migrations.Migration):

    dependencies = [("games", "0007_due_shown")]

    operations = [
        migrations.AddField("match", "standing", models.TextField(blank=True, default="", editable=False)),
        # Last: PostgreSQL alters no table whose rows were changed in the same transaction.
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
