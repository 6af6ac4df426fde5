"""The last lines of a person, whatever the chat: the pace of writing asks for them at every line."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0008_match_standing"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.AddIndex("message", models.Index(fields=["user", "-at"], name="message_pace"))]
