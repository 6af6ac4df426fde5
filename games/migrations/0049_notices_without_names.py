from __future__ import annotations

from typing import Any

from django.db import migrations


def name_by_seat(apps: Any, editor: Any) -> None:
    """Replace the name of the player in each notice of a settled match by the seat, which loses it with the person."""
    database = editor.connection.alias
    seats = apps.get_model("games", "Seat").objects.using(database)
    notices = apps.get_model("accounts", "Notice").objects.using(database)
    for notice in notices.filter(kind="match_settled", facts__has_key="name").iterator():
        name, slug = notice.facts.pop("name"), notice.facts["path"].strip("/").rpartition("/")[2]
        seat = seats.filter(match__slug=slug, name=name).values_list("pk", flat=True).first()
        notice.facts |= {"seat": seat} if seat else {}
        notice.save(update_fields=["facts"])


class Migration(migrations.Migration):
    dependencies = [("games", "0048_drop_puzzle_day"), ("accounts", "0029_session_epoch")]

    operations = [migrations.RunPython(name_by_seat, migrations.RunPython.noop, elidable=True)]
