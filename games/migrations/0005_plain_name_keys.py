"""Names of players are found without the strokes of their letters, as Łukasz by "lukasz"."""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.db.models import F, Q, Value
from django.db.models.functions import Replace

PLAIN_LETTERS = {"ł": "l", "đ": "d", "ø": "o"}


def write_plain_keys(apps: Any, _schema_editor: Any) -> None:
    key: Any = F("name_key")
    for letter, plain in PLAIN_LETTERS.items():
        key = Replace(key, Value(letter), Value(plain))
    struck = Q()
    for letter in PLAIN_LETTERS:
        struck |= Q(name_key__contains=letter)
    apps.get_model("games", "Seat").objects.filter(struck).update(name_key=key)


class Migration(migrations.Migration):
    dependencies = [("games", "0004_puzzles_to_the_end")]

    operations = [migrations.RunPython(write_plain_keys, migrations.RunPython.noop)]
