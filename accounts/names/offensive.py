"""Refuses offensive names, by a short list for each language of the site, with digits and signs read as letters.

Whole words cannot hit ordinary names that contain them; stems are only words that ordinary names do not contain. Words
with accents need them: without, many are ordinary names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.names.spelling import remove_accents

WHOLE_WORDS_BY_LANGUAGE = {
    "English": """
        cunt cunts whore whores slut sluts bitch bitches nazi nazis rapist kike kikes twat wanker pedo paedo
        pedophile paedophile retard shit dickhead asshole
    """,
    "Hungarian": """
        fasz faszom faszfej faszkalap picsa picsába buzik buzeráns szopd baszd baszdmeg bazmeg bazdmeg ribanc
        kisgeci gecik kocsog
    """,
    "Czech and Slovak": """
        piča píča pičo píčo pičus curak zmrd zmrdi mrdka kokot kokoti kokote buzerant buzeranti hovno jebat jebem
        kurvy kurvo
    """,
    "Italian": """
        cazzo cazzi stronzo stronza stronzi puttana puttane frocio froci coglione coglioni merda zoccola vaffanculo
    """,
    "Polish": """
        chuj chuje chuju pizda pizdo cipa ciota pedał pedały dziwka gówno jebać
    """,
}
STEMS = """
    nigger nigga fuck faggot hitler motherfuck cocksuck siegheil kurva kurwa kurwy seggfej vaffancul pierdol
    skurwysyn zajeb
"""
PHRASES = (
    "death to",
    "gas all",
    "gas the",
    "hang all",
    "heil",
    "kill all",
    "kill jews",
    "kill the jews",
    "white power",
)
SIGNS_AS_LETTERS = str.maketrans("0134578@$!|€", "oieastbasiie")
DIGITS = "0123456789"
MIN_SPELLED_LETTERS = 3  # single letters in a row that are read as a word: "f u c k"
CAMEL_CASE_BOUNDARY = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")


def refuse_offensive_name(name: str) -> None:
    """Raises ValidationError for an offensive name."""
    if is_offensive(name):
        raise ValidationError(_("This name can offend others. Choose another."), code="offensive")


def is_offensive(name: str) -> bool:
    """Return True if a name has an offensive word or phrase.

    >>> [is_offensive(name) for name in ("N1gger", "Fuck you all", "f.u.c.k", "Scunthorpe", "Niger", "Pina")]
    [True, True, True, False, False, False]
    """
    return any(map(_reading_is_offensive, _readings(unicodedata.normalize("NFKC", name))))


def _readings(name: str) -> Iterator[list[str]]:
    """Yield the words of a name, as they are or split at capitals, with digits left out or read as letters."""
    for text in (name, CAMEL_CASE_BOUNDARY.sub(" ", name)):
        for letters in (text.translate(SIGNS_AS_LETTERS), text.translate(str.maketrans("", "", DIGITS))):
            yield _join_spelled(re.findall(r"[^\W\d_]+", letters.casefold()))


def _join_spelled(words: list[str]) -> list[str]:
    """Return the words, with runs of single letters joined to one."""
    joined: list[str] = []
    for is_letter, run in groupby(words, lambda word: len(word) == 1):
        group = list(run)
        joined += ["".join(group)] if is_letter and len(group) >= MIN_SPELLED_LETTERS else group
    return joined


def _reading_is_offensive(words: list[str]) -> bool:
    plain = [remove_accents(word) for word in words]
    if any(_offensive_words_pattern().fullmatch(word) for word in (*words, *plain)):
        return True
    if any(_offensive_stems_pattern().search(word) for word in plain):
        return True
    return bool(_offensive_phrases_pattern().search(" ".join(plain)))


def _pattern(text: str) -> str:
    """Return a pattern for a text in which letters may be repeated: "fuuuck", but not "Niger" for a double g."""
    return "".join(f"{letter}{{{len([*run])},}}" for letter, run in groupby(text))


@cache
def _offensive_words_pattern() -> re.Pattern[str]:
    return re.compile("|".join(map(_pattern, " ".join(WHOLE_WORDS_BY_LANGUAGE.values()).split())))


@cache
def _offensive_stems_pattern() -> re.Pattern[str]:
    return re.compile("|".join(map(_pattern, STEMS.split())))


@cache
def _offensive_phrases_pattern() -> re.Pattern[str]:
    return re.compile("|".join(rf"\b{_pattern(phrase)}\b" for phrase in PHRASES))
