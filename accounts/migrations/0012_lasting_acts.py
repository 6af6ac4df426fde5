from __future__ import annotations

from typing import Any

from django.db import migrations

from accounts.append_only import protect, unprotect


def protect_log(apps: Any, editor: Any) -> None:
    protect(editor.connection, apps.get_model("accounts", "ModerationAct"))


def unprotect_log(apps: Any, editor: Any) -> None:
    unprotect(editor.connection, apps.get_model("accounts", "ModerationAct"))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_follows")]

    operations = [migrations.RunPython(protect_log, unprotect_log)]
