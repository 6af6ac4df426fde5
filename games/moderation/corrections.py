"""Acts of moderators on the results of finished matches, and how to undo them. ``acts`` has the other acts."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from games.models import Match
from games.moderation import reversals
from games.moderation.acts import authorize_and_lock, notify_players

Act = ModerationAct.Act


def can_reinstate_match(_moderator: User, match: Match) -> bool:
    """Return True if a void match was finished before, so that it can count again."""
    return match.status == Match.Status.VOID and reversals.VOID_KEY in match.reversals


def has_rating_changes(_moderator: User, match: Match) -> bool:
    """Return True if a match changed ratings and nobody took the changes back."""
    return match.rated and match.status == Match.Status.FINISHED and reversals.RATINGS_KEY not in match.reversals


def has_reversed_rating_changes(_moderator: User, match: Match) -> bool:
    """Return True if a moderator took back the rating changes of a match."""
    return match.status != Match.Status.VOID and reversals.RATINGS_KEY in match.reversals


@transaction.atomic
def restore_match(*, moderator: User, match: Match, reason: str) -> None:
    """Make a void match count again, and notify its players. Raises PermissionDenied, ValidationError."""
    row = authorize_and_lock(moderator, "void_match", match.pk, reason)
    if not can_reinstate_match(moderator, row):
        text = _("This match was not over when it was declared void, so it cannot count again.")
        raise ValidationError(text, code="not_void")
    notify_players("match_restored", row, reason, reversals.undo_void(row))
    _log(moderator, Act.RESTORE, row, reason)


@transaction.atomic
def take_ratings_back(*, moderator: User, match: Match, reason: str, evidence: str = "") -> None:
    """Take back the rating changes of a match, and notify its players; the result stays.

    Raises PermissionDenied, ValidationError if there is nothing to take back.
    """
    row = authorize_and_lock(moderator, "take_ratings_back", match.pk, reason)
    if not has_rating_changes(moderator, row):
        raise ValidationError(_("This match has changed no ratings."), code="no_ratings")
    notify_players("ratings_taken", row, reason, reversals.take_ratings_back(row))
    _log(moderator, Act.TAKE_RATINGS, row, reason, evidence)


@transaction.atomic
def restore_ratings(*, moderator: User, match: Match, reason: str) -> None:
    """Undo ``take_ratings_back``, and notify the players. Raises PermissionDenied, ValidationError."""
    row = authorize_and_lock(moderator, "take_ratings_back", match.pk, reason)
    if not has_reversed_rating_changes(moderator, row):
        raise ValidationError(_("Nothing was taken back."), code="no_ratings")
    notify_players("ratings_given", row, reason, reversals.restore_ratings(row))
    _log(moderator, Act.GIVE_RATINGS, row, reason)


def _log(moderator: User, act: str, match: Match, reason: str, evidence: str = "") -> None:
    target = f"match:{match.slug}"
    moderation_log.log_act(moderator=moderator, act=act, user=None, target=target, reason=reason, evidence=evidence)
