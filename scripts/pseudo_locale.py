"""Write catalogues of a pretend language for all languages of the site: ``python -m scripts.pseudo_locale FOLDER``.

Its texts are the English ones with each vowel accented and doubled, so they are about a third longer. On a page, a
word without an accent cannot be translated. The site reads the folder that ``LOCALE_DIR`` names.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

from scripts.check_translations import LOCALE, PLACEHOLDER, TAG, forms_of, read_catalogue

KEPT = re.compile(f"({PLACEHOLDER.pattern}|{TAG.pattern})")
ACCENTS = str.maketrans({vowel: accented * 2 for vowel, accented in zip("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ", strict=True)})


def pseudo_text(english: str) -> str:
    """Return a text of the pretend language, with the placeholders and tags of the English one.

    >>> pseudo_text("%(name)s won <b>2</b> points")
    '%(name)s wóón <b>2</b> póóíínts'
    """
    parts = KEPT.split(english)
    return "".join(part if number % 2 else part.translate(ACCENTS) for number, part in enumerate(parts))


def write_catalogue(language: str, folder: Path) -> None:
    catalogue = read_catalogue(language)
    for message in catalogue:
        if message.id:
            english = forms_of(message.id)
            first, last = pseudo_text(english[0]), pseudo_text(english[-1])
            plural_forms = (first, *[last] * (catalogue.num_plurals - 1))
            message.string = plural_forms if message.pluralizable else first
            message.flags.discard("fuzzy")
    target = folder / language / "LC_MESSAGES"
    target.mkdir(parents=True, exist_ok=True)
    with (target / "django.po").open("wb") as file:
        write_po(file, catalogue)
    with (target / "django.mo").open("wb") as file:
        write_mo(file, catalogue)


if __name__ == "__main__":
    for catalogue_folder in LOCALE.iterdir():
        write_catalogue(catalogue_folder.name, Path(sys.argv[1]))
