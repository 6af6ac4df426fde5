"""Which languages the site is offered in: those in which nothing is left to translate, or to compile."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

UNFINISHED = re.compile(r'^#, .*\bfuzzy\b|^msgstr(?:\[\d+\])? ""\n(?!")', re.MULTILINE)
"""In a catalogue: a text marked as doubtful, or one without a translation."""


def complete(languages: Iterable[tuple[str, str]], folder: Path) -> list[tuple[str, str]]:
    """Return English, in which the texts are written, and the languages whose catalogue below this folder is complete.

    In any other, people would read English sentences on pages that claim to be in their language.
    """
    return [(code, name) for code, name in languages if code == "en" or is_complete(folder / code / "LC_MESSAGES")]


def is_complete(catalogue: Path) -> bool:
    """Return whether a catalogue is compiled and has a translation for each text."""
    texts, compiled = catalogue / "django.po", catalogue / "django.mo"
    return texts.exists() and compiled.exists() and not UNFINISHED.search(texts.read_text(encoding="utf-8") + "\n")
