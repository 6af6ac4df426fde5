"""The languages that the site offers: those whose catalogue is complete and compiled."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

# A text in a catalogue that is marked as fuzzy or has no translation.
UNTRANSLATED_ENTRY = re.compile(r'^#, .*\bfuzzy\b|^msgstr(?:\[\d+\])? ""\n(?!")', re.MULTILINE)


def complete_languages(languages: Iterable[tuple[str, str]], folder: Path) -> list[tuple[str, str]]:
    """Return English and the languages whose catalogue below this folder is complete.

    An incomplete one would mix English sentences into pages in another language.
    """
    return [(code, name) for code, name in languages if code == "en" or is_complete(folder / code / "LC_MESSAGES")]


def is_complete(catalogue: Path) -> bool:
    """Return whether a catalogue is compiled and has a translation for each text."""
    texts, compiled = catalogue / "django.po", catalogue / "django.mo"
    if not (texts.exists() and compiled.exists()):
        return False
    return not UNTRANSLATED_ENTRY.search(texts.read_text(encoding="utf-8") + "\n")
