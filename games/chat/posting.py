"""Posting lines in the chats of players, spectators and reviewers."""

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
from accounts.names.combining_marks import limit_marks
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

MAX_LENGTH = 300  # characters of a line
LINES, WITHIN = 5, timedelta(seconds=10)  # lines that a person may write in this time, in all chats together
CHAT_CLOSES_AFTER = timedelta(hours=1)  # after the end of a match
JOINERS = "\u200c\u200d"  # format characters that some scripts and emoji need
VISIBLE = frozenset("LNPS")  # Unicode categories

# Returns a line by a person at a match, without its text. Raises Refused if they cannot write there.
MessageOf = Callable[[int, User], Message]


def post_message(*, match: Match, user: User, text: str = "", phrase: str = "") -> Message:
    """Post a line in the players' chat if the user has a seat, otherwise in the spectator chat.

    A ``phrase`` is the key of a quick phrase, which readers see in their language.

    Raises Refused ``no_name`` (a visitor), ``no_table`` (the user may not see it), ``finished`` (long ago),
    ``ended`` (a deleted account), ``suspended``, ``muted``, ``bad_request`` (no or too much text), ``too_fast``,
    ``phrases_only``.
    """
    return _post_or_charge(match, user, text, phrase, _message_at_match)


def post_in_review(*, match: Match, user: User, text: str = "", phrase: str = "") -> Message:
    """Post a line in the review chat. Raises the errors of ``post_message``, and Refused ``not_finished``."""
    return _post_or_charge(match, user, text, phrase, _message_in_review)


def _post_or_charge(match: Match, user: User, text: str, phrase: str, message_of: MessageOf) -> Message:
    """Post a line; writing too fast costs conduct points."""
    try:
        return _post(match, user, text, phrase, message_of)
    except Refused as refused:
        if refused.code == "too_fast":
            raise _charge_flood(match, user, refused) from None
        raise


@transaction.atomic
def mute_table(*, match: Match, user_id: int, muted: bool) -> None:
    """Mute the chats of a table and its rematches for a person, or unmute them. Raises Refused ``ended``."""
    if not lock_person(user_id):
        raise Refused("ended")
    first = match.series_id or match.pk
    if muted:
        MutedTable.objects.get_or_create(user_id=user_id, match_id=first)
    else:
        MutedTable.objects.filter(user=user_id, match=first).delete()
    announcements.recheck_sockets([user_id])


@transaction.atomic
def _post(match: Match, user: User, text: str, phrase: str, message_of: MessageOf) -> Message:
    if user.pk is None:
        raise Refused("no_name")
    # Locked before the table, so that two lines of one person cannot pass the rate limit together.
    if not lock_person(user.pk):
        raise Refused("ended")
    message = message_of(match.pk, user)
    require_not_suspended(user.pk)
    require_not_muted(user.pk, match, message.room)
    if not phrase and message.room != Message.Room.SPECTATORS and phrases_only(match):
        raise Refused("phrases_only")
    message.phrase, message.text = (phrase, phrase_text(phrase)) if phrase else ("", clean_text(text))
    _require_rate(user)
    message.save()
    announcements.touch_message(message)
    return message


def _message_at_match(match_id: int, user: User) -> Message:
    name = Seat.objects.filter(match_id=match_id, user_id=user.pk).values_list("name", flat=True).first()
    if name is None:
        return _message_of_spectator(match_id, user)
    match_rows.lock_rows([match_id])
    _require_open(Match.objects.defer("secret").get(pk=match_id))
    return Message(match_id=match_id, user=user, name=name)


def _message_of_spectator(match_id: int, user: User) -> Message:
    # Spectators do not lock the table, so moves never wait for them.
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
    """Return True if people may write here: until an hour after the end became public."""
    if match.status in Match.UNFINISHED:
        return True
    ended = match.public_at or match.finished_at
    return match.status != Match.Status.VOID and ended is not None and timezone.now() < ended + CHAT_CLOSES_AFTER


def phrases_only(match: Match) -> bool:
    """Return True if players may use only phrases: as agreed, or because partners could reveal their hands."""
    if match.talk == Match.Talk.PHRASES:
        return True
    running = Match.objects.filter(pk=match.pk, status=Match.Status.RUNNING, rated=True).exists()
    return running and rules_for(match.variant).has_partners(match.seat_count, match.options)


def phrase_text(phrase: str) -> str:
    """Return a phrase in English, for records and moderators. Raises Refused ``bad_request`` for an unknown key."""
    if phrase not in PHRASES:
        raise Refused("bad_request")
    with translation.override("en"):
        return str(PHRASES[phrase])


def clean_text(text: str) -> str:
    """Return the text as one line, without control and direction characters and excess accents."""
    # The table is locked meanwhile, and cleaning a megabyte would delay its moves.
    if len(text) > inbound.MAX_MESSAGE_LENGTH:
        raise _too_long()
    line = limit_marks(" ".join("".join(map(_harmless, text)).split()))
    if not any(unicodedata.category(character)[0] in VISIBLE for character in line):
        raise Refused("bad_request", _("The message is empty."))
    if len(line) > MAX_LENGTH:
        raise _too_long()
    return line


def _too_long() -> Refused:
    return Refused("bad_request", _("A message can have at most 300 characters."))


def _harmless(character: str) -> str:
    """Return a visible character, a space for white space, and "" for control, format and surrogate characters."""
    category = unicodedata.category(character)
    if character.isspace() or category in ("Zl", "Zp"):
        return " "
    return "" if category[0] == "C" and character not in JOINERS else character


def _require_rate(user: User) -> None:
    now = timezone.now()
    recent = Message.objects.filter(user_id=user.pk, at__gt=now - WITHIN).order_by("-at")
    times = list(recent.values_list("at", flat=True)[:LINES])
    if len(times) == LINES:
        seconds = ceil((times[-1] + WITHIN - now).total_seconds())
        text = ngettext_lazy(
            "You are writing very fast. Wait {seconds} second, then go on.",
            "You are writing very fast. Wait {seconds} seconds, then go on.",
            seconds,
        )
        raise Refused("too_fast", format_lazy(text, seconds=seconds))


@transaction.atomic
def _charge_flood(match: Match, user: User, refused: Refused) -> Refused:
    """Charge conduct points. Return the refusal with what it cost, or what the next time costs."""
    now = timezone.now()
    if not lock_person(user.pk) or user.is_guest:
        return refused
    cost = ledger.charge(user.pk, ConductKind.FLOOD, now, match_id=match.pk)
    points = cost or ledger.PRICES[ConductKind.FLOOD].points
    price = lazy(flood_text, str)(points, booked=bool(cost))
    return Refused("too_fast", format_lazy("{wait} {price}", wait=refused.text, price=price))
