"""Collects all texts that a window shows, and the pages that are wider than it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.browser.visitor import Visitor
from tests.foreign_texts import english_texts, texts_of

SCRIPT = Path(__file__).with_suffix(".js")


class TextReader:
    """Reads the pages of a window from now on, and every change of them.

    ``wide_pages``: the paths of pages that could be scrolled sideways at any time.
    """

    def __init__(self, visitor: Visitor) -> None:
        self.texts: set[str] = set()
        self.wide_pages: set[str] = set()
        visitor.page.expose_binding("reportTexts", self.on_report)
        visitor.page.add_init_script(path=SCRIPT)

    def on_report(self, source: dict[str, Any], html: str, is_too_wide: bool) -> None:
        self.texts |= texts_of(html)
        if is_too_wide:
            self.wide_pages.add(urlsplit(source["page"].url).path)

    def english_texts(self, language: str) -> list[str]:
        """Return the English texts of the catalogue that were shown, and all others with English words."""
        return english_texts(language, self.texts)
