"""What names look like, beside the names, so that no two accounts look the same."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("accounts", "0002_blocks")]

    operations = [
        migrations.AddField("user", "name_skeleton", models.CharField(max_length=60, editable=False, default="")),
        migrations.AddField("user", "username_skeleton", models.CharField(max_length=60, editable=False, default="")),
        migrations.AddIndex(
            "user",
            models.Index(fields=["name_skeleton"], name="account_name", condition=models.Q(is_guest=False)),
        ),
        migrations.AddIndex(
            "user",
            models.Index(fields=["username_skeleton"], name="account_username", condition=models.Q(is_guest=False)),
        ),
    ]
