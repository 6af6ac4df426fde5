"""Acts of moderators on tournaments. Each needs a permission and a reason, and is logged."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from games.models import Entry, Tournament
from games.tournaments import commits, entering, notices
from games.tournaments.commits import STAFF
from games.tournaments.core import commands

Act = ModerationAct.Act


@transaction.atomic
def cancel_tournament(*, moderator: User, tournament: Tournament, reason: str, now: datetime) -> None:
    """Cancel a tournament that is not over: nothing counts. Matches that are played go on.

    Raises PermissionDenied, ValidationError, Refused ``tournament_over``.
    """
    locked = commits.lock(tournament.pk)
    _authorize(moderator, "stop_match", locked.row, reason)
    locked.carry_out(commands.Cancel(STAFF, STAFF), now)
    notices.send_cancellation(locked.row, STAFF, reason)
    _log(moderator, Act.CANCEL_TOURNAMENT, locked.row, reason)


@transaction.atomic
def remove_entry(*, moderator: User, entry: Entry, reason: str, now: datetime) -> None:
    """Take a person, and a partner with them, off a tournament for good. What they have played stays.

    Raises PermissionDenied, ValidationError if they have left.
    """
    locked = commits.lock(entry.tournament_id)
    _authorize(moderator, "empty_seat", locked.row, reason)
    entry = locked.row.entries.get(pk=entry.pk)
    if entry.status == Entry.Status.GONE:
        raise ValidationError(_("This person has left the tournament."), code="gone")
    entering.take_out(locked, entry, entering.FINAL_REASON, now)
    locked.touch()
    notices.send_removal(entry, reason)
    _log(moderator, Act.REMOVE_ENTRY, locked.row, reason, user=entry.user)


@transaction.atomic
def hide_name(*, moderator: User, tournament: Tournament, reason: str) -> None:
    """Take away the name that the host has given. Raises PermissionDenied, ValidationError if there is none."""
    locked = commits.lock(tournament.pk)
    _authorize(moderator, "hide_message", locked.row, reason)
    if not locked.row.name:
        raise ValidationError(_("This tournament has no name."), code="nameless")
    locked.row.name = ""
    locked.touch()
    notices.send_hidden_name(locked.row, reason)
    _log(moderator, Act.HIDE_NAME, locked.row, reason, user=locked.row.host)


def _authorize(moderator: User, permission: str, row: Tournament, reason: str) -> None:
    people = row.entries.filter(user__isnull=False).values_list("user", flat=True)
    moderation_log.authorize(
        moderator=moderator, permission=f"games.{permission}", reason=reason, parties={row.host_id, *people} - {None}
    )


def _log(moderator: User, act: str, row: Tournament, reason: str, user: User | None = None) -> None:
    target = f"tournament:{row.slug}"
    moderation_log.log_act(moderator=moderator, act=act, user=user, target=target, reason=reason)
