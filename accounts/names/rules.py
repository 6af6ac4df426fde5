"""The rules for names, which strangers see: visible characters, one script, no claim to an office, no offence."""

from __future__ import annotations

import re
import secrets
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import selectors
from accounts.names.combining_marks import limit_marks
from accounts.names.confusables import has_one_script
from accounts.names.offensive import refuse_offensive_name
from accounts.names.reserved import random_number, refuse_reserved_name
from accounts.names.spelling import has_stray_joiner, has_stray_mark, remove_accents, remove_joiners

MIN_LENGTH, MAX_LENGTH = 2, 20  # characters, not counting accents
MAX_ACCENTS = 10  # stored characters beyond the length
MAX_STORED_LENGTH = MAX_LENGTH + MAX_ACCENTS
MAX_CHECKED_LENGTH = 1000  # characters; a form can send a megabyte
MAX_INPUT_LENGTH = 60  # characters of a field: twenty letters with two accents each
MAX_SEARCH_KEY_LENGTH = 60
SUGGESTION_ATTEMPTS = 20
RECENT_GUESTS = 12
GUEST_PREFIX = "guest-"
GUEST_USERNAME_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"

# Invisible letters, symbols and marks that Unicode does not classify as spaces.
BLANK_CHARACTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0)))
)
MARK_CATEGORIES = frozenset({"Mn", "Mc"})  # vowel signs and accents; enclosing marks belong to no letter
ANIMALS = (
    # Translators: these animals begin the names suggested to guests: "Badger 86".
    gettext_lazy("Badger"),
    gettext_lazy("Bear"),
    gettext_lazy("Beaver"),
    gettext_lazy("Cat"),
    gettext_lazy("Falcon"),
    gettext_lazy("Fox"),
    gettext_lazy("Frog"),
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


def suggest_name() -> str:
    """Return a suggested name in the active language that no account has.

    Its animal is not that of one of the latest guests, who may soon sit at the same table.
    """
    recent = {name.rpartition(" ")[0] for name in selectors.latest_guest_names(RECENT_GUESTS)}
    animals = list(map(str, ANIMALS))
    animals = [animal for animal in animals if animal not in recent] or animals
    names = [f"{secrets.choice(animals)} {random_number()}" for _attempt in range(SUGGESTION_ATTEMPTS)]
    return next((name for name in names if not selectors.is_name_taken(name)), names[0])


def random_guest_username() -> str:
    """Return a random user name for a guest."""
    return GUEST_PREFIX + "".join(secrets.choice(GUEST_USERNAME_ALPHABET) for _place in range(12))


def clean_name(text: str, longest: int = MAX_LENGTH) -> str:
    """Return the name of a person, or of a group, in its normal form. Raises ValidationError."""
    if len(text) > MAX_CHECKED_LENGTH:
        raise _length_error(longest)
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if any(map(_is_invisible, remove_joiners(name))) or has_stray_joiner(name):
        raise ValidationError(_("Names cannot contain invisible characters."), code="invisible")
    visible = [character for character in remove_joiners(name) if unicodedata.category(character)[0] != "M"]
    if not MIN_LENGTH <= len(visible) <= longest:
        raise _length_error(longest)
    if not any(character.isalnum() for character in visible):
        raise ValidationError(_("Names need at least one letter or digit."), code="letters")
    if len(name) > longest + MAX_ACCENTS or name != limit_marks(name):
        raise ValidationError(_("This name has too many accents."), code="marks")
    refuse_reserved_name(name)
    refuse_offensive_name(name)
    refuse_mixed_scripts(name)
    return name


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character)[0] == "C" or character in BLANK_CHARACTERS


def _length_error(longest: int) -> ValidationError:
    limits = {"shortest": MIN_LENGTH, "longest": longest}
    return ValidationError(_("Names have %(shortest)d to %(longest)d characters.") % limits, code="length")


def name_search_key(name: str) -> str:
    """Return the name for searching: without case, accents and extra spaces."""
    plain = remove_accents(remove_joiners(" ".join(name.split())), "NFKD")
    return plain.casefold()[:MAX_SEARCH_KEY_LENGTH]


def refuse_mixed_scripts(name: str) -> None:
    """Raises ValidationError for letters of several scripts, which imitate others."""
    if not has_one_script(name):
        raise ValidationError(_("Use only one alphabet in a name; yours mixes several."), code="scripts")


def refuse_taken_name(name: str, *, by: int | None = None) -> None:
    """Raises ValidationError if the name, or one that looks like it, belongs to another person than ``by``.

    The suggestion contains the name, unless it is that of a suspended person or a removed one.
    """
    if selectors.is_name_taken(name, by=by):
        is_sanctioned_name = selectors.is_sanctioned_name(name, by=by)
        suggestion = suggest_name() if is_sanctioned_name else f"{name[: MAX_LENGTH - 3]} {random_number()}"
        text = _(
            "This name, or one that looks like it, belongs to somebody else. Choose another, for example %(name)s."
        )
        raise ValidationError(text % {"name": suggestion}, code="taken")


def refuse_guest_username(username: str) -> None:
    """Raises ValidationError for a user name that looks like a guest's."""
    if username.casefold().startswith(GUEST_PREFIX):
        raise ValidationError(_("This name could be mistaken for the site’s own. Choose another."), code="reserved")


def refuse_odd_characters(username: str) -> None:
    """Raises ValidationError for user names with other characters than letters, marks, digits and a few signs."""
    characters = (
        character for character in remove_joiners(username) if unicodedata.category(character) not in MARK_CATEGORIES
    )
    if has_stray_mark(username) or not re.fullmatch(r"[\w.+-]+", "".join(characters)):
        raise ValidationError(
            _("User names can contain only letters, digits and these characters: . + - _"), code="signs"
        )


username_validators = [
    refuse_odd_characters,
    refuse_guest_username,
    clean_name,
]
