from __future__ import annotations

from importlib import import_module

from django.db import migrations, models

lasting = import_module("accounts.migrations.0012_lasting_acts")
KINDS = {
    "warn": "warned",
    "mute": "muted",
    "pause": "paused from rated play",
    "suspend": "suspended",
    "close": "account closed",
    "rename": "renamed",
}
EVIDENCE = models.Index(fields=["evidence"], name="act_evidence", condition=~models.Q(evidence=""))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0027_settle")]

    operations = [
        migrations.RunPython(lasting.unprotect_log, lasting.protect_log),
        migrations.AddField("moderationact", "evidence", models.CharField(blank=True, default="", max_length=1200)),
        migrations.AddIndex("moderationact", EVIDENCE),
        migrations.RunPython(lasting.protect_log, lasting.unprotect_log),
        migrations.AlterField("sanction", "kind", models.CharField(choices=list(KINDS.items()), max_length=8)),
    ]
