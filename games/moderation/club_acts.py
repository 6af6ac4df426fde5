"""Acts of moderators on clubs. Each needs a permission and a reason, and is logged."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from games.clubs import joining, locks, notices
from games.clubs.wording import neutral_name
from games.models import Club

Act = ModerationAct.Act


def has_own_name(club: Club) -> bool:
    return bool(club.name_key)


@transaction.atomic
def hide_club_name(*, moderator: User, club: Club, reason: str) -> None:
    """Replace the name of a club. Raises PermissionDenied, ValidationError if it has none, Refused ``no_club``."""
    row = _lock(moderator, "hide_message", club, reason)
    if not has_own_name(row):
        raise ValidationError(_("This club has no name of its own."), code="nameless")
    row.name, row.name_key = neutral_name(row.pk), ""
    _hide(moderator, row, reason)


@transaction.atomic
def hide_club_text(*, moderator: User, club: Club, reason: str) -> None:
    """Take away the text of a club. Raises PermissionDenied, ValidationError if it has none, Refused ``no_club``."""
    row = _lock(moderator, "hide_message", club, reason)
    if not row.text:
        raise ValidationError(_("This club has no text."), code="empty")
    row.text = ""
    _hide(moderator, row, reason)


@transaction.atomic
def close_club(*, moderator: User, club: Club, reason: str, now: datetime) -> None:
    """Close a club. Its tournaments go on. Raises PermissionDenied, ValidationError, Refused ``no_club``."""
    row = _lock(moderator, "stop_match", club, reason)
    notices.send_closure(row, locks.leader_ids(row.pk), reason)
    joining.close(row, now)
    target = f"club:{row.slug}"
    moderation_log.log_act(moderator=moderator, act=Act.CLOSE_CLUB, user=None, target=target, reason=reason)


def _hide(moderator: User, row: Club, reason: str) -> None:
    """Save the club, tell its leaders, and log the act."""
    row.save()
    notices.send_hidden_text(row, locks.leader_ids(row.pk), reason)
    target = f"club:{row.slug}"
    moderation_log.log_act(moderator=moderator, act=Act.HIDE_CLUB_TEXT, user=None, target=target, reason=reason)


def _lock(moderator: User, permission: str, club: Club, reason: str) -> Club:
    row = locks.lock_with_leaders(club.pk)
    people = set(row.members.values_list("user", flat=True))
    moderation_log.authorize(moderator=moderator, permission=f"games.{permission}", reason=reason, parties=people)
    return row
