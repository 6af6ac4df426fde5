"""Collects the texts for translators. Replaces Django's command, whose files would change in every run."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages

# The administration is in English only.
IGNORED = ["node_modules", ".venv", "admin*", "games/models", "moderation_act.py", "previews.py"]
# Lines at the start of a catalogue that hold dates or nothing. A new one is marked as fuzzy, and pybabel skips those.
REMOVED_LINE = re.compile(
    r'^(#(, fuzzy)?|"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Report-Msgid-Bugs-To): .*)\n',
    re.MULTILINE,
)
HEAD_END = "\n\n"


class Command(makemessages.Command):
    # A guess from a similar text would have its placeholders, with which no catalogue compiles.
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        options |= {"no_location": True, "no_obsolete": True, "all": not options["locale"]}
        options["ignore_patterns"] += IGNORED
        super().handle(*args, **options)
        for path in settings.LOCALE_PATHS[0].glob("*/LC_MESSAGES/django.po"):
            head, rest = path.read_text(encoding="utf-8").split(HEAD_END, 1)
            path.write_text(REMOVED_LINE.sub("", head + "\n") + HEAD_END[1:] + rest, encoding="utf-8")
