from __future__ import annotations

from importlib import import_module

from django.db import migrations, models

lasting = import_module("accounts.migrations.0012_lasting_acts")
ACTS = {
    "mute": "muted",
    "suspend": "suspended",
    "lift": "lifted a sanction",
    "stop": "stopped a match",
    "void": "declared a match void",
    "remove": "removed from a seat",
    "hide": "hid a message",
    "show": "showed a message again",
}


class Migration(migrations.Migration):
    dependencies = [("accounts", "0013_push")]

    operations = [
        # PostgreSQL alters no column on which a trigger depends.
        migrations.RunPython(lasting.unprotect_log, lasting.protect_log),
        migrations.AlterField("moderationact", "act", models.CharField(choices=list(ACTS.items()), max_length=30)),
        migrations.AlterField("moderationact", "target", models.CharField(max_length=1200)),
        migrations.AddIndex("moderationact", models.Index(fields=["target"], name="act_target")),
        migrations.RunPython(lasting.protect_log, lasting.unprotect_log),
    ]
