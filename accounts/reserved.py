"""Names that nobody has: those of offices, of the site and of its bots, also written so that they only look alike."""

from __future__ import annotations

import re
import secrets
import unicodedata
from functools import cache

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.confusables import skeleton, without_accents

OFFICES = frozenset(
    {
        *("root", "staff", "support", "helpdesk", "sysadmin", "sysop", "system", "webmaster", "postmaster"),
        *("mod", "mods", "owner", "owners", "official", "operator", "referee", "spectator", "spectators", "security"),
        *("bot", "bots", "deleted", "suspended"),
        *("rendszergazda", "üzemeltető", "ügyfélszolgálat", "hivatalos", "személyzet"),
        *("správce", "správca", "podpora", "oficiální", "oficiálny", "supporto", "assistenza", "ufficiale"),
        *("obsługa", "oficjalny", "właściciel", "поддержка", "διαχειριστής", "συντονιστής"),
    }
)
"""Words that no name may contain: they would seem to speak for the site, or to be no person's."""
STEMS = ("admin", "amministra", "moderat", "админ", "адмін", "модерат")
"""No word in a name begins so: offices do, in many languages."""
TITLES = frozenset(
    {
        *("domino", "dominoes", "the dominoes", "dominoes team", "domino online", "site", "the site", "site team"),
        *("team", "the team", "the house", "help", "info", "contact", "abuse", "service", "computer", "dealer"),
        *("guest", "guests", "visitor", "visitors", "player", "players", "you", "nobody", "everybody", "anonymous"),
    }
)
"""What nobody is called as a whole; within a longer name it says nothing."""
BOT_NAMES = ("Ada", "Bruno", "Clara", "Dario", "Emil", "Flora", "Gusto", "Hedda", "Ivo", "Juno", "Kito", "Luna")
DIGITS = "0123456789"
READ_AS_LETTERS = str.maketrans("013457@$", "oieastas")
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
    """Return whether a name, read with half an eye, claims to be the site, its moderators or a bot."""
    words = BETWEEN_WORDS.split(CAMEL.sub(" ", unicodedata.normalize("NFKC", name)))
    read = {_read(word.strip(DIGITS)) for word in (*words, name)}
    read |= {_read(word.translate(READ_AS_LETTERS)) for word in (*words, name)}
    return not read.isdisjoint(_all_read(OFFICES)) or any(word.startswith(_stems()) for word in read)


def any_number() -> int:
    """Return what may stand behind a name that is taken."""
    return secrets.randbelow(90) + 10


def _read(text: str) -> str:
    """Return a skeleton without accents: how it is read with half an eye."""
    return without_accents(skeleton(text))


@cache
def _all_read(names: frozenset[str]) -> frozenset[str]:
    return frozenset(map(_read, names))


@cache
def _stems() -> tuple[str, ...]:
    return tuple(map(_read, STEMS))
