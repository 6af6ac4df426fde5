from __future__ import annotations

from typing import Any

from django.db import migrations


def take_hiding(apps: Any, editor: Any) -> None:
    """Let trainees hide no message alone: each of their acts waits for a second person."""
    groups = apps.get_model("auth", "Group").objects.using(editor.connection.alias)
    for group in groups.filter(name="Trainees"):
        group.permissions.remove(*group.permissions.filter(codename="hide_message"))


class Migration(migrations.Migration):
    dependencies = [("games", "0045_review_chat"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [migrations.RunPython(take_hiding, migrations.RunPython.noop)]
