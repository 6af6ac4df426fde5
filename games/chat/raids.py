"""Raids: many newcomers of one network address write in a spectator chat at once.

The chat becomes slow at once, which stops the newcomers, and a case opens in which all their lines can be hidden.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from games.chat import limits
from games.enums import ChatLimit, ChatRoom
from games.models import Match, Message
from games.moderation.cases import reporting

MIN_WRITERS = 6  # newcomers of one address who write within the window
WINDOW = timedelta(minutes=1)
SLOW_DURATION = timedelta(minutes=15)


def stop_raid(match: Match, writer: User, room: str) -> None:
    """Slow the spectator chat and open a case if this writer's line is part of a raid."""
    if room != ChatRoom.SPECTATORS or not limits.is_newcomer(writer):
        return
    now = timezone.now()
    newcomers = limits.neighbours(writer).filter(date_joined__gt=now - limits.NEWCOMER_AGE)
    lines = Message.objects.filter(match=match, room=room, at__gt=now - WINDOW, user__in=newcomers.values("pk"))
    by_writer = {line.user_id: line for line in lines.order_by("pk")}
    if len(by_writer) < MIN_WRITERS:
        return
    if not limits.limit_chats_unless_limited(match, ChatLimit.RAID, now + SLOW_DURATION):
        return
    with translation.override("en"):
        words = _("%(count)d people who joined today from one network address wrote within a minute.")
        reporting.report_raid(match=match, lines=[*by_writer.values()], words=words % {"count": len(by_writer)})
