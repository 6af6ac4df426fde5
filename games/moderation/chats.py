"""Acts of moderators on the chats of a table: slow mode, closing, and opening them again."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from games.broadcast import announcements
from games.chat import limits
from games.enums import ChatLimit
from games.models import Match
from games.moderation.acts import authorize_and_lock

PERMISSION = "hide_message"
ACT_OF_LIMIT = {
    ChatLimit.NONE: ModerationAct.Act.OPEN_CHAT,
    ChatLimit.SLOW: ModerationAct.Act.SLOW_CHAT,
    ChatLimit.CLOSED: ModerationAct.Act.CLOSE_CHAT,
}


def has_limit(_moderator: User, match: Match) -> bool:
    """Return True if the chats of a match are slow or closed."""
    return limits.limit_of(match) != ChatLimit.NONE


def slow_chats(*, moderator: User, match: Match, reason: str, evidence: str = "") -> None:
    """Slow the chats of a table and its rematches. Raises PermissionDenied, ValidationError."""
    _limit_chats(moderator, match, ChatLimit.SLOW, reason, evidence)


def close_chats(*, moderator: User, match: Match, reason: str, evidence: str = "") -> None:
    """Close the chats of a table and its rematches. Raises PermissionDenied, ValidationError."""
    _limit_chats(moderator, match, ChatLimit.CLOSED, reason, evidence)


def open_chats(*, moderator: User, match: Match, reason: str) -> None:
    """Open slow or closed chats again. Raises PermissionDenied, ValidationError."""
    _limit_chats(moderator, match, ChatLimit.NONE, reason, "")


@transaction.atomic
def _limit_chats(moderator: User, match: Match, limit: ChatLimit, reason: str, evidence: str) -> None:
    row = authorize_and_lock(moderator, PERMISSION, match.pk, reason)
    if limits.limit_of(row) == limit:
        raise ValidationError(_("The chats of this table are already like that."), code="limit")
    limits.set_limit(row, limit)
    announcements.touch_table(row.pk)
    act, target = ACT_OF_LIMIT[limit], f"match:{row.slug}"
    moderation_log.log_act(moderator=moderator, act=act, user=None, target=target, reason=reason, evidence=evidence)
