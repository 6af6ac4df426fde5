"""Limits of a table's chats: slow mode, closed chats, and many new guests of one address.

A limit belongs to the first match of a series and covers its rematches.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Trace, User
from games.enums import ChatLimit, ChatRoom
from games.errors import Refused
from games.models import Match, Message

SLOW_INTERVAL = timedelta(seconds=20)  # between two lines of a person in slow mode
NEWCOMER_AGE = timedelta(days=1)  # since a person joined; newcomers who only watch cannot write in slow mode
GUESTS_WINDOW = timedelta(minutes=10)
MAX_WRITING_GUESTS = 20  # new guests of one address within the window; if there are more, those who watch cannot write


def limit_of(match: Match) -> str:
    """Return the limit of the chats of a match, which a moderator may have changed since the match was loaded."""
    first_match = match if match.series_id is None else _limit_rows().get(pk=match.series_id)
    is_over = first_match.chat_limit_until is not None and first_match.chat_limit_until <= timezone.now()
    return ChatLimit.NONE if is_over else first_match.chat_limit


def set_limit(match: Match, limit: str) -> None:
    """Limit the chats of a match and its rematches until a moderator opens them."""
    Match.objects.filter(pk=match.series_id or match.pk).update(chat_limit=limit, chat_limit_until=None)


def limit_chats_unless_limited(match: Match, limit: str, until: datetime) -> bool:
    """Limit the chats of a match and its rematches for a while. Return False if they are limited already."""
    is_open = Q(chat_limit=ChatLimit.NONE) | Q(chat_limit_until__lte=timezone.now())
    rows = Match.objects.filter(is_open, pk=match.series_id or match.pk)
    return bool(rows.update(chat_limit=limit, chat_limit_until=until))


def _limit_rows() -> QuerySet[Match]:
    return Match.objects.only("series", "chat_limit", "chat_limit_until")


def is_newcomer(user: User) -> bool:
    return user.date_joined > timezone.now() - NEWCOMER_AGE


def require_within_limits(match: Match, user: User, room: str) -> None:
    """Raises Refused ``chat_closed``, ``chat_slow`` or ``many_guests`` if the person cannot write there now."""
    limit = limit_of(_limit_rows().get(pk=match.pk))
    if limit == ChatLimit.CLOSED:
        raise Refused("chat_closed")
    if limit == ChatLimit.SLOW or (limit == ChatLimit.RAID and room != ChatRoom.TABLE):
        _require_slow(match, user, room)
    if room == ChatRoom.SPECTATORS and user.is_guest and _comes_with_many(user):
        raise Refused("many_guests")


def neighbours(user: User) -> QuerySet[User]:
    """Return the people seen at a network address of this person, including the person."""
    own = Trace.objects.filter(user=user, kind=Trace.Kind.ADDRESS).values("mark")
    return User.objects.filter(Q(traces__kind=Trace.Kind.ADDRESS, traces__mark__in=own) | Q(pk=user.pk)).distinct()


def _require_slow(match: Match, user: User, room: str) -> None:
    if room != ChatRoom.TABLE and is_newcomer(user):
        raise Refused("chat_slow", _("This chat is slow now: people who joined today cannot write in it."))
    recent = Message.objects.filter(match=match, user=user, at__gt=timezone.now() - SLOW_INTERVAL)
    if recent.exists():
        raise Refused("chat_slow")


def _comes_with_many(user: User) -> bool:
    """Return True if a new guest is one of many from one address. They can play, and write at their own tables."""
    since = timezone.now() - GUESTS_WINDOW
    if user.date_joined <= since:
        return False
    return neighbours(user).filter(is_guest=True, date_joined__gt=since).count() > MAX_WRITING_GUESTS
