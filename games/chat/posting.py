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
from games.access import can_see, is_over_for, require_not_muted, require_not_suspended
from games.broadcast import announcements
from games.chat import limits, raids
from games.chat.phrases import READY_PHRASES
from games.conduct import ledger
from games.conduct.texts import flood_text
from games.engine.variants import rules_for
from games.enums import ChatLimit, ConductKind
from games.errors import Refused
from games.match import match_rows
from games.models import Match, Message, MutedTable, Seat
from games.services import inbound

MAX_LINE_CHARACTERS = 300
MAX_LINES, RATE_WINDOW = 5, timedelta(seconds=10)  # lines that a person may write in this time, in all chats together
CHAT_CLOSES_AFTER = timedelta(hours=1)  # after the end of a match
ALLOWED_FORMAT_CHARACTERS = "\u200c\u200d"  # format characters that some scripts and emoji need
VISIBLE_CATEGORIES = frozenset("LNPS")  # Unicode categories

# Returns a line by a person at a match, without its text. Raises Refused if they cannot write there.
MessageFactory = Callable[[int, User], Message]


def post_message(*, match: Match, user: User, text: str = "", phrase: str = "") -> Message:
    """Post a line in the players' chat if the user has a seat, otherwise in the spectator chat.

    A ``phrase`` is the key of a preset phrase, which readers see in their language.

    Raises Refused ``no_name`` (a visitor), ``no_table`` (the user may not see it), ``finished`` (long ago),
    ``ended`` (a deleted account), ``suspended``, ``muted``, ``bad_request`` (no or too much text), ``too_fast``,
    ``phrases_only``, ``chat_closed``, ``chat_slow``, ``many_guests`` (``games.chat.limits``).
    """
    return _post_or_charge(match, user, text, phrase, _new_table_message)


def post_in_review(*, match: Match, user: User, text: str = "", phrase: str = "") -> Message:
    """Post a line in the review chat. Raises the errors of ``post_message``, and Refused ``not_finished``."""
    return _post_or_charge(match, user, text, phrase, _new_review_message)


def _post_or_charge(match: Match, user: User, text: str, phrase: str, new_message: MessageFactory) -> Message:
    """Post a line; writing too fast costs conduct points."""
    try:
        return _post(match, user, text, phrase, new_message)
    except Refused as refusal:
        if refusal.code == "too_fast":
            raise _charge_flood(match, user, refusal) from None
        raise


@transaction.atomic
def mute_table(*, match: Match, user_id: int, muted: bool) -> None:
    """Mute the chats of a table and its rematches for a person, or unmute them. Raises Refused ``ended``."""
    if not lock_person(user_id):
        raise Refused("ended")
    first_match_id = match.series_id or match.pk
    if muted:
        MutedTable.objects.get_or_create(user_id=user_id, match_id=first_match_id)
    else:
        MutedTable.objects.filter(user=user_id, match=first_match_id).delete()
    announcements.recheck_sockets([user_id])


@transaction.atomic
def _post(match: Match, user: User, text: str, phrase: str, new_message: MessageFactory) -> Message:
    if user.pk is None:
        raise Refused("no_name")
    # Locked before the table, so that two lines of one person cannot pass the rate limit together.
    if not lock_person(user.pk):
        raise Refused("ended")
    message = new_message(match.pk, user)
    require_not_suspended(user.pk)
    require_not_muted(user.pk, match, message.room)
    limits.require_within_limits(match, user, message.room)
    if not phrase and message.room != Message.Room.SPECTATORS and allows_only_phrases(match):
        raise Refused("phrases_only")
    message.phrase, message.text = (phrase, phrase_text(phrase)) if phrase else ("", clean_text(text))
    _require_rate_limit(user)
    message.save()
    raids.stop_raid(match, user, message.room)
    announcements.announce_chat_line(message)
    return message


def _new_table_message(match_id: int, user: User) -> Message:
    name = Seat.objects.filter(match_id=match_id, user_id=user.pk).values_list("name", flat=True).first()
    if name is None:
        return _new_spectator_message(match_id, user)
    match_rows.lock_rows([match_id])
    _require_open_chat(Match.objects.defer("secret").get(pk=match_id))
    return Message(match_id=match_id, user=user, name=name)


def _new_spectator_message(match_id: int, user: User) -> Message:
    # Spectators do not lock the table, so moves never wait for them.
    match = Match.objects.defer("secret").get(pk=match_id)
    if not can_see(user, match):
        raise Refused("no_table")
    _require_open_chat(match)
    return Message(match_id=match_id, user=user, name=user.name or user.username, room=Message.Room.SPECTATORS)


def _new_review_message(match_id: int, user: User) -> Message:
    match = Match.objects.defer("secret").get(pk=match_id)
    if not can_see(user, match):
        raise Refused("no_table")
    if not is_over_for(user, match) or match.status == Match.Status.VOID:
        raise Refused("not_finished")
    return Message(match_id=match_id, user=user, name=user.name or user.username, room=Message.Room.REVIEW)


def _require_open_chat(match: Match) -> None:
    if not _is_early_enough(match):
        raise Refused("finished", _("This match ended long ago, so its chat is closed."))


def is_chat_open(match: Match) -> bool:
    """Return True if people may write here: until an hour after the end became public, or a moderator closes it."""
    return _is_early_enough(match) and limits.limit_of(match) != ChatLimit.CLOSED


def _is_early_enough(match: Match) -> bool:
    if match.status in Match.UNFINISHED:
        return True
    ended_at = match.public_at or match.finished_at
    return match.status != Match.Status.VOID and ended_at is not None and timezone.now() < ended_at + CHAT_CLOSES_AFTER


def allows_only_phrases(match: Match) -> bool:
    """Return True if players may use only phrases: as agreed, or because partners could reveal their hands."""
    if match.talk == Match.Talk.PRESET_PHRASES:
        return True
    running = Match.objects.filter(pk=match.pk, status=Match.Status.RUNNING, rated=True).exists()
    return running and rules_for(match.variant).has_partners(match.seat_count, match.options)


def phrase_text(phrase: str) -> str:
    """Return a phrase in English, for records and moderators. Raises Refused ``bad_request`` for an unknown key."""
    if phrase not in READY_PHRASES:
        raise Refused("bad_request")
    with translation.override("en"):
        return str(READY_PHRASES[phrase])


def clean_text(text: str) -> str:
    """Return the text as one line, without control and direction characters and excess accents."""
    # The table is locked meanwhile, and cleaning a megabyte would delay its moves.
    if len(text) > inbound.MAX_MESSAGE_LENGTH:
        raise _too_long_refusal()
    line = limit_marks(" ".join(clean_characters(text).split()))
    if not any(unicodedata.category(character)[0] in VISIBLE_CATEGORIES for character in line):
        raise Refused("bad_request", _("The message is empty."))
    if len(line) > MAX_LINE_CHARACTERS:
        raise _too_long_refusal()
    return line


def _too_long_refusal() -> Refused:
    return Refused("bad_request", _("A message can have at most 300 characters."))


def clean_characters(text: str) -> str:
    """Return the text without control and direction characters, and with spaces for all white space."""
    return "".join(map(_clean_character, text))


def _clean_character(character: str) -> str:
    """Return a visible character, a space for white space, and "" for control, format and surrogate characters."""
    category = unicodedata.category(character)
    if character.isspace() or category in ("Zl", "Zp"):
        return " "
    return "" if category[0] == "C" and character not in ALLOWED_FORMAT_CHARACTERS else character


def _require_rate_limit(user: User) -> None:
    now = timezone.now()
    recent = Message.objects.filter(user_id=user.pk, at__gt=now - RATE_WINDOW).order_by("-at")
    times = list(recent.values_list("at", flat=True)[:MAX_LINES])
    if len(times) == MAX_LINES:
        seconds = ceil((times[-1] + RATE_WINDOW - now).total_seconds())
        text = ngettext_lazy(
            "You are writing very fast. Wait {seconds} second, then go on.",
            "You are writing very fast. Wait {seconds} seconds, then go on.",
            seconds,
        )
        raise Refused("too_fast", format_lazy(text, seconds=seconds))


@transaction.atomic
def _charge_flood(match: Match, user: User, refusal: Refused) -> Refused:
    """Charge conduct points. Return the refusal with what it cost, or what the next time costs."""
    now = timezone.now()
    if not lock_person(user.pk) or user.is_guest:
        return refusal
    cost = ledger.charge_points(user.pk, ConductKind.FLOOD, now, match_id=match.pk)
    points = cost or ledger.PRICES[ConductKind.FLOOD].points
    price = lazy(flood_text, str)(points, charged=bool(cost))
    return Refused("too_fast", format_lazy("{wait} {price}", wait=refusal.text, price=price))
