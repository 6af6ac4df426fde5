from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        import_module("accounts.mail")  # its counters exist before the first mail
        import_module("accounts.receivers")
        import_module("accounts.url_converters")
        import_module("accounts.sanctions.wording")
