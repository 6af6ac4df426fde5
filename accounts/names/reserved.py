"""Reserved names: those of roles such as moderator, of the site and of its bots, and names that look like them."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterator
from functools import cache

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.names.confusables import skeleton
from accounts.names.spelling import remove_accents

# No name may contain these words: they claim to speak for the site, or describe no person.
ROLE_WORDS = frozenset(
    {
        *("root", "staff", "support", "helpdesk", "sysadmin", "sysop", "system", "webmaster", "postmaster"),
        *("mod", "mods", "owner", "owners", "official", "operator", "referee", "spectator", "spectators", "security"),
        *("bot", "bots", "deleted", "suspended", "superuser", "developer", "developers", "hostmaster", "noreply"),
        *("rendszergazda", "üzemeltető", "ügyfélszolgálat", "hivatalos", "személyzet"),
        *("správce", "správca", "podpora", "oficiální", "oficiálny", "supporto", "assistenza", "ufficiale"),
        *("obsługa", "oficjalny", "właściciel", "поддержка", "διαχειριστής", "συντονιστής"),
    }
)
ROLE_STEMS = ("admin", "amministra", "moderat", "админ", "адмін", "модерат")  # of roles, in many languages
HARMLESS_WORDS = ("badminton", "бадминтон", "бадмінтон")  # harmless words that contain a stem
ROLE_PREFIXES = ("the", "real", "site", "game", "domino", "dominoes", "super", "head", "chief")  # of a role
# Reserved as whole names; within a longer name they are harmless.
RESERVED_NAMES = frozenset(
    {
        *("domino", "dominoes", "the dominoes", "dominoes team", "domino online", "site", "the site", "site team"),
        *("team", "the team", "the house", "help", "info", "contact", "abuse", "service", "computer", "dealer"),
        *("server", "the server", "host", "the host", "game host", "user", "users", "console", "umpire", "arbiter"),
        *("guest", "guests", "visitor", "visitors", "player", "players", "you", "nobody", "everybody", "anonymous"),
    }
)
BOT_NAMES = ("Ada", "Bruno", "Clara", "Dario", "Emil", "Flora", "Gusto", "Hedda", "Ivo", "Juno", "Kito", "Luna")
DIGITS = "0123456789"
LOOKALIKE_LETTERS = str.maketrans("0134578@$!|€ß", "oieastbasiieb")
IGNORED_AT_EDGES = DIGITS + "!?|$€#"
WORD_SEPARATORS = re.compile(r"[\s_.,:;+*~()\[\]-]+")
CAMEL_CASE_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])")


def refuse_reserved_name(name: str) -> None:
    """Raises ValidationError for a name that claims a role, or is that of the site or a bot."""
    reserved = _skeletons_without_accents(RESERVED_NAMES | {str(settings.SITE_NAME)})
    if claims_role(name) or _skeleton_without_accents(name) in reserved:
        raise ValidationError(_("This name could be mistaken for the site’s own. Choose another."), code="reserved")
    if _skeleton_without_accents(name) in _skeletons_without_accents(frozenset(BOT_NAMES)):
        text = _("A bot has this name. Add something, for example %(name)s.") % {"name": f"{name} {random_number()}"}
        raise ValidationError(text, code="bot")


def claims_role(name: str) -> bool:
    """Return True if a name, read carelessly, claims to be the site, its moderators or a bot."""
    plain = unicodedata.normalize("NFKC", name)
    words = {word for text in (plain, CAMEL_CASE_BOUNDARY.sub(" ", plain)) for word in WORD_SEPARATORS.split(text)}
    readings = set(_readings(name))
    if any(text in _skeletons_without_accents(ROLE_WORDS) or text.startswith(_stem_skeletons()) for text in readings):
        return True
    return any(_names_role(reading) for word in words for reading in _readings(word))


def _readings(text: str) -> Iterator[str]:
    """Yield the readings of a text: as it is, without digits around it, and with digits and signs as letters."""
    for part in (text, text.strip(IGNORED_AT_EDGES)):
        yield _skeleton_without_accents(part)
        yield _skeleton_without_accents(part.translate(LOOKALIKE_LETTERS))


def _names_role(word: str) -> bool:
    """Return True if a word contains the name of a role, perhaps after a prefix ("thestaff")."""
    if any(stem in word for stem in _stem_skeletons()) and not word.startswith(_harmless_skeletons()):
        return True
    stems = {word, *(word.removeprefix(prefix) for prefix in _prefix_skeletons())}
    return not stems.isdisjoint(_skeletons_without_accents(ROLE_WORDS))


def random_number() -> int:
    """Return a number to append to a name that is taken."""
    return secrets.randbelow(90) + 10


def _skeleton_without_accents(text: str) -> str:
    """Return the skeleton without accents."""
    return remove_accents(skeleton(text))


@cache
def _skeletons_without_accents(names: frozenset[str]) -> frozenset[str]:
    return frozenset(map(_skeleton_without_accents, names))


@cache
def _harmless_skeletons() -> tuple[str, ...]:
    return tuple(map(_skeleton_without_accents, HARMLESS_WORDS))


@cache
def _prefix_skeletons() -> tuple[str, ...]:
    return tuple(map(_skeleton_without_accents, ROLE_PREFIXES))


@cache
def _stem_skeletons() -> tuple[str, ...]:
    return tuple(map(_skeleton_without_accents, ROLE_STEMS))
