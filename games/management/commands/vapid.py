"""``manage.py vapid``: a new key pair for web push."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from infrastructure.vapid import new_private_key, public_key_of


class Command(BaseCommand):
    help = "Print a new key pair for web push: the private key is a setting, the public one follows from it."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        private_key = new_private_key()
        self.stdout.write(f"VAPID_PRIVATE_KEY={private_key}\n# public key: {public_key_of(private_key)}")
