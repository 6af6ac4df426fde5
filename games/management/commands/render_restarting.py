"""``manage.py render_restarting``: write the pages that the proxy shows while no process answers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.template.loader import render_to_string
from django.utils import translation


class Command(BaseCommand):
    help = "Write the pages that the proxy shows while no process answers, next to the collected static files."

    def handle(self, **options: Any) -> None:
        folder = settings.STATIC_ROOT / "restarting"
        folder.mkdir(parents=True, exist_ok=True)
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                (folder / f"{language}.html").write_text(render_to_string("restarting.html"), encoding="utf-8")
