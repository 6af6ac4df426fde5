"""The index of the chat knows the two rooms: a long talk of spectators does not slow the table's down."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0005_audience")]

    operations = [
        migrations.RemoveIndex(model_name="message", name="message_match"),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["match", "room", "-at"], name="message_room"),
        ),
    ]
