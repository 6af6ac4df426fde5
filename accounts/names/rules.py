"""The rules for names, which strangers see: visible characters, one script, no claim to an office."""

from __future__ import annotations

import re
import secrets
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import selectors
from accounts.names.combining_marks import few_marks
from accounts.names.confusables import is_of_one_script
from accounts.names.reserved import any_number, refuse_reserved
from accounts.names.spelling import has_stray_joiner, has_stray_mark, without_joiners

MIN_LENGTH, MAX_LENGTH = 2, 20  # letters and signs, not counting accents
MAX_STORED = 30  # characters
MAX_CHECKED = 1000  # characters; a form can send a megabyte
MAX_TYPED = 60  # characters of a field: twenty letters with two accents each
MAX_KEY = 60
SUGGESTIONS = 20
GUEST_PREFIX = "guest-"
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"

# Invisible letters, signs and marks that Unicode does not classify as spaces.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0)))
)
MARKS = frozenset({"Mn", "Mc"})  # vowel signs and accents; enclosing marks belong to no letter
NOUNS = (
    # Translators: these animals begin the names suggested to guests: "Badger 86".
    gettext_lazy("Badger"),
    gettext_lazy("Beaver"),
    gettext_lazy("Falcon"),
    gettext_lazy("Fox"),
    gettext_lazy("Goat"),
    gettext_lazy("Hamster"),
    gettext_lazy("Hare"),
    gettext_lazy("Hedgehog"),
    gettext_lazy("Heron"),
    gettext_lazy("Lynx"),
    gettext_lazy("Marten"),
    gettext_lazy("Mole"),
    gettext_lazy("Otter"),
    gettext_lazy("Owl"),
    gettext_lazy("Raven"),
    gettext_lazy("Robin"),
    gettext_lazy("Seal"),
    gettext_lazy("Squirrel"),
    gettext_lazy("Swan"),
    gettext_lazy("Wolf"),
)


def suggested_name() -> str:
    """Return a suggested name in the active language that no account has."""
    names = [f"{secrets.choice(NOUNS)} {any_number()}" for _try in range(SUGGESTIONS)]
    return next((name for name in names if not selectors.is_name_taken(name)), names[0])


def guest_username() -> str:
    """Return a random user name for a guest."""
    return GUEST_PREFIX + "".join(secrets.choice(ALPHABET) for _place in range(12))


def clean_name(text: str) -> str:
    """Return the name in its normal form. Raises ValidationError."""
    if len(text) > MAX_CHECKED:
        raise _wrong_length()
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if any(map(_is_invisible, without_joiners(name))) or has_stray_joiner(name):
        raise ValidationError(_("Names cannot contain invisible characters."), code="invisible")
    seen = [sign for sign in without_joiners(name) if unicodedata.category(sign)[0] != "M"]
    if not MIN_LENGTH <= len(seen) <= MAX_LENGTH:
        raise _wrong_length()
    if not any(sign.isalnum() for sign in seen):
        raise ValidationError(_("Names need at least one letter or digit."), code="letters")
    if len(name) > MAX_STORED or name != few_marks(name):
        raise ValidationError(_("This name has too many accents."), code="marks")
    refuse_reserved(name)
    refuse_mixed_scripts(name)
    return name


def _is_invisible(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "C" or sign in BLANK


def _wrong_length() -> ValidationError:
    limits = {"shortest": MIN_LENGTH, "longest": MAX_LENGTH}
    return ValidationError(_("Names have %(shortest)d to %(longest)d characters.") % limits, code="length")


def search_key(name: str) -> str:
    """Return the name for searching: without case, accents and extra spaces."""
    decomposed = unicodedata.normalize("NFKD", without_joiners(" ".join(name.split())))
    plain = "".join(sign for sign in decomposed if unicodedata.category(sign)[0] != "M")
    return plain.casefold()[:MAX_KEY]


def refuse_mixed_scripts(name: str) -> None:
    """Raises ValidationError for letters of several scripts, which imitate others."""
    if not is_of_one_script(name):
        raise ValidationError(_("Use only one alphabet in a name; yours mixes several."), code="scripts")


def refuse_taken(name: str, *, by: int | None = None) -> None:
    """Raises ValidationError if the name, or one that looks like it, belongs to another person than ``by``."""
    if selectors.is_name_taken(name, by=by):
        longer = {"name": f"{name[: MAX_LENGTH - 3]} {any_number()}"}
        text = _(
            "This name, or one that looks like it, belongs to somebody else. Choose another, for example %(name)s."
        )
        raise ValidationError(text % longer, code="taken")


def refuse_guests(username: str) -> None:
    """Raises ValidationError for a user name that looks like a guest's."""
    if username.casefold().startswith(GUEST_PREFIX):
        raise ValidationError(_("This name could be mistaken for the site’s own. Choose another."), code="reserved")


def refuse_odd_signs(username: str) -> None:
    """Raises ValidationError for user names with other characters than letters, marks, digits and a few signs."""
    signs = (sign for sign in without_joiners(username) if unicodedata.category(sign) not in MARKS)
    if has_stray_mark(username) or not re.fullmatch(r"[\w.+-]+", "".join(signs)):
        raise ValidationError(
            _("User names can contain only letters, digits and these characters: . + - _"), code="signs"
        )


username_validators = [
    refuse_odd_signs,
    refuse_guests,
    clean_name,
]
