"""Finds texts of one language on the pages, frames and mails of another, by the catalogues in locale/."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from babel.messages.catalog import Message
from django.conf import settings

from scripts.check_translations import PLACEHOLDER, TAG, forms_of, read_catalogue
from tests.unmarked_texts import PLACEHOLDER as HOLE
from tests.unmarked_texts import TextCollector

LANGUAGES = [code for code, _name in settings.LANGUAGES]
INLINE_ELEMENTS = frozenset(
    {"a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "small", "span", "strong", "sub", "sup", "time"}
)
VALUE = ".{1,80}?"  # what replaces a placeholder
WORD = re.compile(r"[^\W\d_]+")
# No other language of the site has these words, so they also show texts that are in no catalogue.
ENGLISH_WORDS = re.compile(r"\b(?:the|and|you|your|this|with|of)\b", re.IGNORECASE)


class PageTexts(TextCollector):
    """Collects the texts of a page outside ``translate="no"``, also joined where elements are inside a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.block: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE_ELEMENTS:
            self.end_block()
        super().handle_starttag(tag, attrs)
        # Scripts show the texts of these attributes; a move is in notation.
        self.texts += [normalised(value) for name, value in attrs if is_shown_by_scripts(name) and value]

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        if tag not in INLINE_ELEMENTS:
            self.end_block()

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        self.block.append(HOLE if self.open_elements_without_text else data)

    def add_text(self, label: str, text: str) -> None:
        if not self.open_elements_without_text and WORD.search(text):
            self.texts.append(normalised(text))

    def end_block(self) -> None:
        self.add_text("", "".join(self.block))
        self.block.clear()


def is_shown_by_scripts(attribute: str) -> bool:
    return attribute.startswith("data-") and attribute != "data-move"


def normalised(text: str) -> str:
    return " ".join(text.split())


def texts_of(html: str) -> set[str]:
    """Return the texts of a page or fragment, those of spoken attributes included."""
    page = PageTexts()
    page.feed(html)
    page.close()
    page.end_block()
    return set(page.texts)


class ForeignTexts:
    """The texts of a language that have several words and are different in another language.

    A text that occurs in the other language's own catalogue is left out.
    """

    def __init__(self, language: str, foreign: str) -> None:
        own = {form for message in messages(language) for form in forms_in(language, message)}
        catalogue = "\n".join(normalised(TAG.sub("", form)) for form in own)
        candidates = {form for message in messages(foreign) for form in forms_in(foreign, message)} - own
        several_words = sorted(filter(has_several_words, candidates))
        self.shared = {text for text in several_words if is_found(text, catalogue)}
        self.texts = [text for text in several_words if text not in self.shared]

    def found_in(self, texts: Iterable[str]) -> list[str]:
        content = "\n".join(texts)
        return [text for text in self.texts if is_found(text, content)]


@cache
def foreign_texts(language: str, foreign: str = "en") -> ForeignTexts:
    return ForeignTexts(language, foreign)


@cache
def messages(language: str) -> list[Message]:
    """Return the texts of a language, those of English from any catalogue."""
    catalogue = read_catalogue(language if language != "en" else LANGUAGES[-1])
    return [message for message in catalogue if message.id]


def forms_in(language: str, message: Message) -> list[str]:
    return forms_of(message.id if language == "en" else message.string)


def has_several_words(text: str) -> bool:
    return bool(WORD.search(PLACEHOLDER.sub("", TAG.sub("", text)))) and len(text.split()) > 1


@cache
def parts_of(text: str) -> list[str]:
    """Return what is between the placeholders of a text."""
    return PLACEHOLDER.split(normalised(TAG.sub("", text)))


def is_found(text: str, content: str) -> bool:
    # Most texts are ruled out by their longest part, which is much faster than a pattern.
    return max(parts_of(text), key=len) in content and bool(pattern_of(text).search(content))


@cache
def pattern_of(text: str) -> re.Pattern[str]:
    """Return a pattern that finds the text in another, or only as a whole line if no two of its words are together."""
    parts = parts_of(text)
    pattern = VALUE.join(map(bounded, parts))
    if max(len(WORD.findall(part)) for part in parts) > 1:
        return re.compile(pattern.removeprefix(VALUE).removesuffix(VALUE))
    return re.compile(f"^{pattern}$", re.MULTILINE)


def bounded(part: str) -> str:
    """Return a pattern of a text that does not begin or end within a word."""
    pattern = re.escape(part)
    before, after = [r"(?<!\w)" if part[:1].isalnum() else "", r"(?!\w)" if part[-1:].isalnum() else ""]
    return before + pattern + after


def english_texts(language: str, texts: Iterable[str]) -> list[str]:
    """Return the English texts among these texts of another language, and those with English words."""
    texts = list(texts)
    return foreign_texts(language).found_in(texts) + [text for text in texts if ENGLISH_WORDS.search(text)]
