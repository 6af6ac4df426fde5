"""Talking at the table, and among its spectators."""

from __future__ import annotations

import unicodedata
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import header, live
from games.access import can_see, require_not_muted, require_not_suspended
from games.errors import Refused
from games.models import Match, Message, Seat

LONGEST = 300
LINES, WITHIN = 5, timedelta(seconds=10)
LINGER = timedelta(hours=1)
JOINERS = "\u200c\u200d"
"""Format characters that some scripts and emoji need."""
VISIBLE = frozenset("LNPS")


@transaction.atomic
def post_message(*, match: Match, user: User, text: str) -> Message:
    """Write a line and announce it: at the table who sits there, everybody else among the spectators.

    Raises Refused ``no_name`` (a visitor), ``no_table`` (not to be seen by the user), ``finished`` (long ago),
    ``suspended``, ``muted``, ``bad_request`` (no or too long a text), ``too_fast``.
    """
    if user.pk is None:
        raise Refused("no_name")
    name = Seat.objects.filter(match_id=match.pk, user_id=user.pk).values_list("name", flat=True).first()
    if name is None:
        message = _message_of_spectator(match.pk, user)
    else:
        header.lock([match.pk])
        message = Message(match_id=match.pk, user=user, name=name)
    require_not_suspended(user.pk)
    require_not_muted(user.pk)
    message.text = clean_text(text)
    _require_slowness(match, user)
    message.save()
    live.touch_room(message)
    return message


def _message_of_spectator(match_id: int, user: User) -> Message:
    """Spectators lock only themselves, not the table: however many write, no move waits for them."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user.pk)
    match = Match.objects.defer("secret").get(pk=match_id)
    if not can_see(user, match):
        raise Refused("no_table")
    if not takes_lines(match):
        raise Refused("finished")
    return Message(match_id=match_id, user=user, name=user.name or user.username, room=Message.Room.SPECTATORS)


def takes_lines(match: Match) -> bool:
    """Tell whether spectators may write: until an hour after they saw the end, not under matches of long ago."""
    if match.status in Match.UNFINISHED:
        return True
    ended = match.shown_at or match.finished_at
    return match.status != Match.Status.VOID and ended is not None and timezone.now() < ended + LINGER


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
