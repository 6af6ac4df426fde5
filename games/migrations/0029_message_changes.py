from __future__ import annotations

from typing import Any

from django.db import migrations, models


def count_hiding(apps: Any, editor: Any) -> None:
    messages = apps.get_model("games", "Message").objects.using(editor.connection.alias)
    messages.filter(hidden=True).update(changes=1)


class Migration(migrations.Migration):
    dependencies = [("games", "0028_push")]

    operations = [
        migrations.AddField("message", "changes", models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(count_hiding, migrations.RunPython.noop),
    ]
