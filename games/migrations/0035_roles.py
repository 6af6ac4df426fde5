from __future__ import annotations

from typing import Any

from django.db import migrations

NAMES = {"Helpers": "Chat moderators", "Moderators": "Match moderators"}


def rename(apps: Any, editor: Any, names: dict[str, str]) -> None:
    """Rename the groups with their members; where there is one of the new name already, it takes the members in."""
    groups = apps.get_model("auth", "Group").objects.using(editor.connection.alias)
    for before, after in names.items():
        group, other = (groups.filter(name=name).first() for name in (before, after))
        if group is None:
            continue
        if other is None:
            groups.filter(pk=group.pk).update(name=after)
        else:
            other.user_set.add(*group.user_set.all())
            group.delete()


def name_roles(apps: Any, editor: Any) -> None:
    rename(apps, editor, NAMES)


def name_as_before(apps: Any, editor: Any) -> None:
    rename(apps, editor, {after: before for before, after in NAMES.items()})


class Migration(migrations.Migration):
    dependencies = [("games", "0034_detectors"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [migrations.RunPython(name_roles, name_as_before)]
