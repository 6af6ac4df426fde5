"""The chats of a table, of its spectators, and of those who review it together."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import timedelta
from math import ceil

from django.db import transaction
from django.utils import timezone, translation
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.models import User
from accounts.names.combining_marks import few_marks
from accounts.selectors import lock_person
from games.access import can_see, is_over, require_not_muted, require_not_suspended
from games.broadcast import announcements
from games.chat.phrases import PHRASES
from games.conduct import ledger
from games.conduct.texts import flood_text
from games.engine.variants import rules_for
from games.enums import ConductKind
from games.errors import Refused
from games.match import match_rows
from games.models import Match, Message, MutedTable, Seat
from games.services import inbound

LONGEST, LONGEST_SENT = 300, inbound.LONGEST
"""Characters of a line, and of what it is made from."""
LINES, WITHIN = 5, timedelta(seconds=10)
"""Lines that a person may write in this time, in all chats together."""
LINGER = timedelta(hours=1)
"""How long after its end people can write under a match."""
JOINERS = "\u200c\u200d"
"""Format characters that some scripts and emoji need."""
VISIBLE = frozenset("LNPS")

MessageOf = Callable[[int, User], Message]
"""Makes a line by a person at a match, without its text. Raises Refused where they cannot write."""


def post_message(*, match: Match, user: User, text: str = "", phrase: str = "") -> Message:
    """Write a line and announce it: in the chat of the table for its players, else in the spectator chat.

    With the key of a ``phrase`` the text is that phrase, in each reader's language.

    Raises Refused ``no_name`` (a visitor), ``no_table`` (the user may not see it), ``finished`` (long ago),
    ``ended`` (deleted meanwhile), ``suspended``, ``muted``, ``bad_request`` (no or too long a text), ``too_fast``,
    ``phrases_only``.
    """
    return _written(match, user, text, phrase, _message_at_match)


def post_in_review(*, match: Match, user: User, text: str = "", phrase: str = "") -> Message:
    """Write a line, likewise, to those who review the match. Raises Refused ``not_finished``, too."""
    return _written(match, user, text, phrase, _message_in_review)


def _written(match: Match, user: User, text: str, phrase: str, message_of: MessageOf) -> Message:
    try:
        return _post(match, user, text, phrase, message_of)
    except Refused as refused:
        if refused.code == "too_fast":
            raise _flooding(match, user, refused) from None
        raise


@transaction.atomic
def mute_table(*, match: Match, user_id: int, muted: bool) -> None:
    """Turn the chats of a table and of its rematches off for a person, or on again. Raises Refused ``ended``."""
    if not lock_person(user_id):
        raise Refused("ended")
    first = match.series_id or match.pk
    if muted:
        MutedTable.objects.get_or_create(user_id=user_id, match_id=first)
    else:
        MutedTable.objects.filter(user=user_id, match=first).delete()
    announcements.recheck([user_id])


@transaction.atomic
def _post(match: Match, user: User, text: str, phrase: str, message_of: MessageOf) -> Message:
    if user.pk is None:
        raise Refused("no_name")
    # The person before the table: two lines of one person cannot pass the rate limit together.
    if not lock_person(user.pk):
        raise Refused("ended")
    message = message_of(match.pk, user)
    require_not_suspended(user.pk)
    require_not_muted(user.pk, match, message.room)
    if not phrase and message.room != Message.Room.SPECTATORS and phrases_only(match):
        raise Refused("phrases_only")
    message.phrase, message.text = (phrase, english(phrase)) if phrase else ("", clean_text(text))
    _require_slowness(user)
    message.save()
    announcements.touch_room(message)
    return message


def _message_at_match(match_id: int, user: User) -> Message:
    return _message_at_table(match_id, user) or _message_of_spectator(match_id, user)


def _message_at_table(match_id: int, user: User) -> Message | None:
    name = Seat.objects.filter(match_id=match_id, user_id=user.pk).values_list("name", flat=True).first()
    if name is None:
        return None
    match_rows.lock([match_id])
    _require_open(Match.objects.defer("secret").get(pk=match_id))
    return Message(match_id=match_id, user=user, name=name)


def _message_of_spectator(match_id: int, user: User) -> Message:
    """Spectators do not lock the table: however many write, no move waits for them."""
    match = Match.objects.defer("secret").get(pk=match_id)
    if not can_see(user, match):
        raise Refused("no_table")
    _require_open(match)
    return Message(match_id=match_id, user=user, name=user.name or user.username, room=Message.Room.SPECTATORS)


def _message_in_review(match_id: int, user: User) -> Message:
    match = Match.objects.defer("secret").get(pk=match_id)
    if not can_see(user, match):
        raise Refused("no_table")
    if not is_over(user, match) or match.status == Match.Status.VOID:
        raise Refused("not_finished")
    return Message(match_id=match_id, user=user, name=user.name or user.username, room=Message.Room.REVIEW)


def _require_open(match: Match) -> None:
    if not takes_lines(match):
        raise Refused("finished", _("This match ended long ago, so its chat is closed."))


def takes_lines(match: Match) -> bool:
    """Return whether people may write here: until an hour after the end became public."""
    if match.status in Match.UNFINISHED:
        return True
    ended = match.public_at or match.finished_at
    return match.status != Match.Status.VOID and ended is not None and timezone.now() < ended + LINGER


def phrases_only(match: Match) -> bool:
    """Return whether no free text passes between the seats: as agreed, or as partners could tell what they hold."""
    if match.talk == Match.Talk.PHRASES:
        return True
    running = Match.objects.filter(pk=match.pk, status=Match.Status.RUNNING, rated=True).exists()
    return running and rules_for(match.variant).has_partners(match.seat_count, match.options)


def english(phrase: str) -> str:
    """Return a phrase as records and moderators read it. Raises Refused ``bad_request`` for an unknown key."""
    if phrase not in PHRASES:
        raise Refused("bad_request")
    with translation.override("en"):
        return str(PHRASES[phrase])


def clean_text(text: str) -> str:
    """Return the text as one line, without control and direction characters and piled-up accents."""
    # The table is locked meanwhile: to clean a megabyte would hold up its moves.
    if len(text) > LONGEST_SENT:
        raise _too_long()
    line = few_marks(" ".join("".join(map(_harmless, text)).split()))
    if not any(unicodedata.category(character)[0] in VISIBLE for character in line):
        raise Refused("bad_request", _("The message is empty."))
    if len(line) > LONGEST:
        raise _too_long()
    return line


def _too_long() -> Refused:
    return Refused("bad_request", _("A message can have at most 300 characters."))


def _harmless(character: str) -> str:
    """Keep visible characters; a line break becomes a space, anything else (control, format, surrogate) nothing."""
    category = unicodedata.category(character)
    if character.isspace() or category in ("Zl", "Zp"):
        return " "
    return "" if category[0] == "C" and character not in JOINERS else character


def _require_slowness(user: User) -> None:
    now = timezone.now()
    written = Message.objects.filter(user_id=user.pk, at__gt=now - WITHIN).order_by("-at")
    moments = list(written.values_list("at", flat=True)[:LINES])
    if len(moments) == LINES:
        seconds = ceil((moments[-1] + WITHIN - now).total_seconds())
        text = ngettext_lazy(
            "You are writing very fast. Wait {seconds} second, then go on.",
            "You are writing very fast. Wait {seconds} seconds, then go on.",
            seconds,
        )
        raise Refused("too_fast", format_lazy(text, seconds=seconds))


@transaction.atomic
def _flooding(match: Match, user: User, refused: Refused) -> Refused:
    """Write it into the ledger of conduct, and return the refusal that says so, or what the next time costs."""
    now = timezone.now()
    if not lock_person(user.pk) or user.is_guest:
        return refused
    cost = ledger.charge(user.pk, ConductKind.FLOOD, now, match_id=match.pk)
    points = cost or ledger.PRICES[ConductKind.FLOOD].points
    said = lazy(flood_text, str)(points, booked=bool(cost))
    return Refused("too_fast", format_lazy("{wait} {said}", wait=refused.text, said=said))
