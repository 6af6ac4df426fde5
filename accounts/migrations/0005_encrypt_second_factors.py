"""The secrets of second factors, which were stored as they are."""

from __future__ import annotations

from allauth.mfa.utils import decrypt, encrypt
from django.db import migrations

from infrastructure.batches import in_batches

ENCRYPTED = "gAAAA"
"""How every text begins that is encrypted: by the version of Fernet."""


def changed(value, change, *, encrypted):
    if isinstance(value, list):
        return [changed(each, change, encrypted=encrypted) for each in value]
    return change(value) if value.startswith(ENCRYPTED) is encrypted else value


def rewrite(apps, schema_editor, change, *, encrypted):
    authenticators = apps.get_model("mfa", "Authenticator").objects.using(schema_editor.connection.alias)

    def write(batch):
        for row in batch:
            found = {key: row.data[key] for key in ("secret", "seed", "migrated_codes") if row.data.get(key)}
            row.data |= {key: changed(value, change, encrypted=encrypted) for key, value in found.items()}
        authenticators.bulk_update(batch, ["data"])

    in_batches(authenticators.filter(type__in=["totp", "recovery_codes"]), write)


def lock_up(apps, schema_editor):
    rewrite(apps, schema_editor, encrypt, encrypted=False)


def lay_open(apps, schema_editor):
    rewrite(apps, schema_editor, decrypt, encrypted=True)


class Migration(migrations.Migration):

    atomic = False
    dependencies = [("accounts", "0004_fill_skeletons"), ("mfa", "0003_authenticator_type_uniq")]
    operations = [migrations.RunPython(lock_up, lay_open)]
