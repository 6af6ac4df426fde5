"""The scores of matches that are over, on their rows, where lists of matches look. ``fill_history`` fills them in."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("games", "0007_due_shown")]

    operations = [
        migrations.AddField("match", "standing", models.TextField(blank=True, default="", editable=False)),
    ]
