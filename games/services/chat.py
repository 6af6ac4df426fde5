"""Talking at the table."""

from __future__ import annotations

import unicodedata
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import header, live
from games.access import require_not_muted, require_not_suspended
from games.errors import Refused
from games.models import Match, Message, Seat

LONGEST = 300
LINES, WITHIN = 5, timedelta(seconds=10)
JOINERS = "\u200c\u200d"
"""Format characters that some scripts and emoji need."""
VISIBLE = frozenset("LNPS")


@transaction.atomic
def post_message(*, match: Match, user: User, text: str) -> Message:
    """Write a line to a table where the user sits, and announce it.

    Raises Refused ``not_seated``, ``suspended``, ``muted``, ``bad_request`` (no or too long a text), ``too_fast``.
    """
    header.lock([match.pk])
    seat = Seat.objects.filter(match_id=match.pk, user_id=user.pk).first()
    if seat is None:
        raise Refused("not_seated")
    require_not_suspended(user.pk)
    require_not_muted(user.pk)
    line = clean_text(text)
    _require_slowness(match, user)
    message = Message.objects.create(match_id=match.pk, user=user, name=seat.name, text=line)
    live.touch(match.pk)
    return message


def clean_text(text: str) -> str:
    """Return the text as one line without control characters and without marks that turn its direction."""
    line = " ".join("".join(map(_harmless, text)).split())
    if not any(unicodedata.category(character)[0] in VISIBLE for character in line):
        raise Refused("bad_request", _("There is nothing to read in this message."))
    if len(line) > LONGEST:
        raise Refused("bad_request", _("A message has at most 300 characters."))
    return line


def _harmless(character: str) -> str:
    """Keep what can be seen; a break of line becomes a space; the rest (control, format, surrogate) goes."""
    category = unicodedata.category(character)
    if character.isspace() or category in ("Zl", "Zp"):
        return " "
    return "" if category[0] == "C" and character not in JOINERS else character


def _require_slowness(match: Match, user: User) -> None:
    since = timezone.now() - WITHIN
    if Message.objects.filter(match_id=match.pk, user_id=user.pk, at__gt=since).count() >= LINES:
        raise Refused("too_fast")
