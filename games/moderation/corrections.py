"""Acts of moderators on the results of matches that are over, each with its undoing. ``moderation`` has the others."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct, User
from accounts.sanctions import log
from games.models import Match
from games.moderation import reversals
from games.moderation.acts import locked, tell_players
from games.moderation.cases import parties

VOID, TAKE = "games.void_match", "games.take_ratings_back"
Act = ModerationAct.Act


def can_restore(_moderator: User, match: Match) -> bool:
    """Return whether a void match was over before, so that it can count again."""
    return match.status == Match.Status.VOID and reversals.VOID in match.reversals


def has_ratings(_moderator: User, match: Match) -> bool:
    """Return whether there is anything that a match did to ratings and that can be taken back."""
    return match.rated and match.status == Match.Status.FINISHED and reversals.RATINGS not in match.reversals


def has_lost_ratings(_moderator: User, match: Match) -> bool:
    """Return whether a moderator took back what the match did to ratings."""
    return match.status != Match.Status.VOID and reversals.RATINGS in match.reversals


@transaction.atomic
def restore_match(*, moderator: User, match: Match, reason: str) -> None:
    """Let a void match count again, and tell its players. Raises PermissionDenied, ValidationError if it cannot."""
    _require(moderator, VOID, match, reason)
    table = locked(match.pk)
    if not can_restore(moderator, table):
        text = _("Only a match that was over when it was declared void can count again.")
        raise ValidationError(text, code="not_void")
    tell_players("match_restored", table, reason, reversals.undo_void(table))
    _log(moderator, Act.RESTORE, table, reason)


@transaction.atomic
def take_ratings_back(*, moderator: User, match: Match, reason: str, evidence: str = "") -> None:
    """Take back what a match did to ratings, and tell its players; the result stays.

    Raises PermissionDenied, ValidationError where there is nothing to take back.
    """
    _require(moderator, TAKE, match, reason)
    table = locked(match.pk)
    if not has_ratings(moderator, table):
        raise ValidationError(_("This match has changed no ratings."), code="no_ratings")
    tell_players("ratings_taken", table, reason, reversals.take_ratings_back(table))
    _log(moderator, Act.TAKE_RATINGS, table, reason, evidence)


@transaction.atomic
def give_ratings_back(*, moderator: User, match: Match, reason: str) -> None:
    """Undo ``take_ratings_back``, and tell the players. Raises PermissionDenied, ValidationError."""
    _require(moderator, TAKE, match, reason)
    table = locked(match.pk)
    if not has_lost_ratings(moderator, table):
        raise ValidationError(_("Nothing was taken back."), code="no_ratings")
    tell_players("ratings_given", table, reason, reversals.undo_ratings(table))
    _log(moderator, Act.GIVE_RATINGS, table, reason)


def _require(moderator: User, permission: str, match: Match, reason: str) -> None:
    concerned = parties.of_matches([match.pk])
    log.require(moderator=moderator, permission=permission, reason=reason, parties=concerned)


def _log(moderator: User, act: str, match: Match, reason: str, evidence: str = "") -> None:
    target = f"match:{match.slug}"
    log.write(moderator=moderator, act=act, user=None, target=target, reason=reason, evidence=evidence)
