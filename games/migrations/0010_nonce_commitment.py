"""Players commit to their nonces before the start, and open them at it."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget_early_nonces(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """At open tables nonces lie that were given before the site's commitment was shown: the pages draw new ones."""
    seats = apps.get_model("games", "Seat").objects.using(schema_editor.connection.alias)
    seats.filter(match__status="open").exclude(nonce="").update(nonce="")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0009_message_pace"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="nonce_commitment",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
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
                    ("commit", "the players commit to their nonces"),
                    ("reveal", "the players open their nonces"),
                    ("shown", "end shown to spectators"),
                ],
                default="",
                max_length=8,
            ),
        ),
        migrations.RunPython(forget_early_nonces, migrations.RunPython.noop),
    ]
