"""Reserved names: those of offices, of the site and of its bots, and names that look like them."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterator
from functools import cache

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.names.confusables import skeleton, without_accents

# No name may contain these words: they claim to speak for the site, or are no person's.
OFFICES = frozenset(
    {
        *("root", "staff", "support", "helpdesk", "sysadmin", "sysop", "system", "webmaster", "postmaster"),
        *("mod", "mods", "owner", "owners", "official", "operator", "referee", "spectator", "spectators", "security"),
        *("bot", "bots", "deleted", "suspended", "superuser", "developer", "developers", "hostmaster", "noreply"),
        *("rendszergazda", "üzemeltető", "ügyfélszolgálat", "hivatalos", "személyzet"),
        *("správce", "správca", "podpora", "oficiální", "oficiálny", "supporto", "assistenza", "ufficiale"),
        *("obsługa", "oficjalny", "właściciel", "поддержка", "διαχειριστής", "συντονιστής"),
    }
)
STEMS = ("admin", "amministra", "moderat", "админ", "адмін", "модерат")  # of offices in many languages
ORDINARY = ("badminton", "бадминтон", "бадмінтон")  # harmless words that contain a stem
PREFIXES = ("the", "real", "site", "game", "domino", "dominoes", "super", "head", "chief")  # of an office
# Reserved as whole names; within a longer name they are harmless.
TITLES = frozenset(
    {
        *("domino", "dominoes", "the dominoes", "dominoes team", "domino online", "site", "the site", "site team"),
        *("team", "the team", "the house", "help", "info", "contact", "abuse", "service", "computer", "dealer"),
        *("server", "the server", "host", "the host", "game host", "user", "users", "console", "umpire", "arbiter"),
        *("guest", "guests", "visitor", "visitors", "player", "players", "you", "nobody", "everybody", "anonymous"),
    }
)
BOT_NAMES = ("Ada", "Bruno", "Clara", "Dario", "Emil", "Flora", "Gusto", "Hedda", "Ivo", "Juno", "Kito", "Luna")
DIGITS = "0123456789"
READ_AS_LETTERS = str.maketrans("0134578@$!|€ß", "oieastbasiieb")
AROUND_WORDS = DIGITS + "!?|$€#"
BETWEEN_WORDS = re.compile(r"[\s_.,:;+*~()\[\]-]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def refuse_reserved(name: str) -> None:
    """Raises ValidationError for a name that claims an office, or is the site's or a bot's."""
    if claims_office(name) or _read(name) in _all_read(TITLES | {str(settings.SITE_NAME)}):
        raise ValidationError(_("This name could be mistaken for the site’s own. Choose another."), code="reserved")
    if _read(name) in _all_read(frozenset(BOT_NAMES)):
        text = _("A bot has this name. Add something, for example %(name)s.") % {"name": f"{name} {any_number()}"}
        raise ValidationError(text, code="bot")


def claims_office(name: str) -> bool:
    """Return True if a name, read carelessly, claims to be the site, its moderators or a bot."""
    plain = unicodedata.normalize("NFKC", name)
    words = {word for text in (plain, CAMEL.sub(" ", plain)) for word in BETWEEN_WORDS.split(text)}
    read = set(_readings(name))
    if not read.isdisjoint(_all_read(OFFICES)) or any(text.startswith(_stems()) for text in read):
        return True
    return any(_is_office(reading) for word in words for reading in _readings(word))


def _readings(text: str) -> Iterator[str]:
    """Yield the readings of a text: as it is, without digits around it, and with digits and signs as letters."""
    for part in (text, text.strip(AROUND_WORDS)):
        yield _read(part)
        yield _read(part.translate(READ_AS_LETTERS))


def _is_office(word: str) -> bool:
    """Return True if a word contains the name of an office, perhaps after a prefix ("thestaff")."""
    if any(stem in word for stem in _stems()) and not word.startswith(_ordinary()):
        return True
    rests = {word, *(word.removeprefix(prefix) for prefix in _prefixes())}
    return not rests.isdisjoint(_all_read(OFFICES))


def any_number() -> int:
    """Return a number to append to a name that is taken."""
    return secrets.randbelow(90) + 10


def _read(text: str) -> str:
    """Return the skeleton without accents."""
    return without_accents(skeleton(text))


@cache
def _all_read(names: frozenset[str]) -> frozenset[str]:
    return frozenset(map(_read, names))


@cache
def _ordinary() -> tuple[str, ...]:
    return tuple(map(_read, ORDINARY))


@cache
def _prefixes() -> tuple[str, ...]:
    return tuple(map(_read, PREFIXES))


@cache
def _stems() -> tuple[str, ...]:
    return tuple(map(_read, STEMS))
