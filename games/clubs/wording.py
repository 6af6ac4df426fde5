"""The rules for names and texts of clubs, which strangers see."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.names.combining_marks import limit_marks
from accounts.names.offensive import is_offensive
from accounts.names.rules import clean_name, name_search_key
from games.chat.posting import clean_characters

MAX_NAME_LENGTH = 30  # characters, not counting accents
MAX_TEXT_LENGTH = 1000  # characters
MAX_TEXT_LINES = 20
MAX_INPUT_LENGTH = 2 * MAX_TEXT_LENGTH  # browsers send two characters for the end of a line


def clean_club_name(name: str) -> str:
    """Return the name in its normal form. The rules are those for names of people. Raises ValidationError."""
    return clean_name(name, MAX_NAME_LENGTH)


def club_name_key(name: str) -> str:
    return name_search_key(name)


def neutral_name(club_id: int) -> str:
    """Return the name of a club whose own name was taken away."""
    return f"Club {club_id}"


def clean_club_text(text: str) -> str:
    """Return the text as lines, without control and direction characters. Raises ValidationError."""
    if len(text) > MAX_INPUT_LENGTH:
        raise _too_long_error()
    lines = [limit_marks(" ".join(clean_characters(line).split())) for line in text.splitlines()]
    cleaned = "\n".join(lines).strip()
    if len(cleaned) > MAX_TEXT_LENGTH or cleaned.count("\n") >= MAX_TEXT_LINES:
        raise _too_long_error()
    if is_offensive(cleaned):
        raise ValidationError(_("This text can offend others. Write it differently."), code="offensive")
    return cleaned


def _too_long_error() -> ValidationError:
    return ValidationError(_("The text can have at most 1000 characters and 20 lines."), code="length")
