"""Skeletons of the names that people have already. Those who look alike by now keep their names."""

from __future__ import annotations

from django.db import migrations

from accounts.confusables import skeleton
from infrastructure.batches import in_batches, store


def fill_in(apps, schema_editor):
    users = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)

    def write(batch):
        for user in batch:
            user.name_skeleton, user.username_skeleton = skeleton(user.name), skeleton(user.username)
        store(batch, ["name_skeleton", "username_skeleton"])

    in_batches(users.filter(username_skeleton="").only("name", "username"), write)


class Migration(migrations.Migration):

    atomic = False
    dependencies = [("accounts", "0003_skeletons")]
    operations = [migrations.RunPython(fill_in, migrations.RunPython.noop)]
