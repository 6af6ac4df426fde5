"""Check the translations in locale/: ``python scripts/check_translations.py [LANGUAGE ...]``.

Prints each fault with its text, and exits with 1 if there are any. A wrong placeholder, tag or quote would break a
page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parent.parent / "locale"
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd]|%%|\{\w*\}")
TAG = re.compile(r"<[^>]+>")
FORBIDDEN_CHARACTERS = '"<>&'  # templates do not escape translations
# Hungarian suffixes and articles depend on the sound of the value.
HUNGARIAN_SUFFIX = re.compile(r"(?:%\(\w+\)[a-z]|\{\w+\})-?[a-záéíóöőúüű]")
HUNGARIAN_ARTICLE = re.compile(r"\b[Aa]z? [„(]?(?:%\(\w+\)[a-z]|\{\w+\})")


class Fault(NamedTuple):
    language: str
    english: str
    problem: str

    def __str__(self) -> str:
        return f"{self.language}: {self.english!r}: {self.problem}"


def read_catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file)


def faults_of(language: str) -> Iterator[Fault]:
    """Yield the faults of a language's catalogue, missing translations included."""
    catalogue = read_catalogue(language)
    for message in catalogue:
        if message.id:
            english, forms = forms_of(message.id), forms_of(message.string)
            for problem in problems_of_message(message, forms, catalogue.num_plurals):
                yield Fault(language, english[0], problem)
            for number, form in enumerate(forms):
                for problem in problems_of_form(language, english, form, is_first=number == 0):
                    yield Fault(language, english[0], problem)


def forms_of(text: str | Sequence[str] | None) -> list[str]:
    return [text or ""] if isinstance(text, str | None) else list(text)


def problems_of_message(message: Message, forms: Sequence[str], plural_count: int) -> Iterator[str]:
    if message.fuzzy:
        yield "is marked as fuzzy"
    expected = plural_count if message.pluralizable else 1
    if len(forms) != expected:
        yield f"has {len(forms)} plural forms instead of {expected}"


def problems_of_form(language: str, english: Sequence[str], form: str, *, is_first: bool) -> Iterator[str]:
    """Yield the problems of a translation, or of one plural form; only the first may leave out what English does."""
    if not form.strip():
        yield "has no translation"
        return
    models = [english[-1], english[0]] if is_first else [english[-1]]
    if sorted(PLACEHOLDER.findall(form)) not in [sorted(PLACEHOLDER.findall(model)) for model in models]:
        yield f"other placeholders than in English: {form}"
    if sorted(TAG.findall(form)) != sorted(TAG.findall(english[-1])):
        yield f"other tags than in English: {form}"
    words, english_words = TAG.sub("", form), TAG.sub("", english[-1])
    for character in FORBIDDEN_CHARACTERS:
        if character in words and character not in english_words:
            yield f"contains {character}: {form}"
    yield from _typographic_problems(language, words, english_words)


def _typographic_problems(language: str, text: str, english: str) -> Iterator[str]:
    if (text[0].isspace(), text[-1].isspace()) != (english[0].isspace(), english[-1].isspace()):
        yield f"other spaces at its ends than in English: {text!r}"
    if "  " in text and "  " not in english:
        yield f"two spaces: {text}"
    if "'" in text and "'" not in english:
        yield f"a straight apostrophe instead of ’: {text}"
    if "..." in text:
        yield f"three dots instead of …: {text}"
    if text.endswith(":") != english.endswith(":"):
        yield f"a colon at the end only in one of the two: {text}"
    if language == "hu" and (HUNGARIAN_SUFFIX.search(text) or HUNGARIAN_ARTICLE.search(text)):
        yield f"a suffix or an article at a placeholder: {text}"


def main() -> int:
    languages = sys.argv[1:] or sorted(path.name for path in LOCALE.iterdir())
    faults = [fault for language in languages for fault in faults_of(language)]
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults in {', '.join(languages)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
