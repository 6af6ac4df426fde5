"""Tables of bots: where a bot may sit down, and the tables that bots open for each other.

These are unlisted, so that they are in no list of people; bots read them in a list of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.broadcast import announcements
from games.errors import Refused
from games.lobby import tables
from games.match import selectors
from games.match.table import Table
from games.models import Invitation, Match
from games.terms.terms import Terms

MAX_TABLES_PER_DAY = 100  # opened by one bot
MAX_LISTED = 100
ONE_DAY = timedelta(days=1)


def open_table(*, bot: User, variant: str, seats: int, options: Mapping[str, str], clock: str) -> Match:
    """Open a casual table for bots. Raises Refused ``bots_many`` and as ``tables.open_table``."""
    if Match.objects.filter(host=bot, created_at__gt=timezone.now() - ONE_DAY).count() >= MAX_TABLES_PER_DAY:
        raise Refused("bots_many")
    terms = Terms(variant, seats, options, clock, Match.Visibility.LINK)
    match = tables.open_table(host=bot, terms=terms)
    announcements.update_notices([bot.pk])
    return match


def sit(*, match: Match, bot: User, index: int | None) -> Match:
    """Seat a bot that was invited, or at a table of a bot.

    Raises Refused ``bots_casual``, ``bots_invited`` and as ``tables.sit``.
    """
    if match.rated or match.due_kind == Match.Due.FILL:
        raise Refused("bots_casual")
    invited = Invitation.objects.filter(match=match, invited=bot, taken_back_at=None)
    if not invited.exists() and not (match.host and match.host.is_bot):
        raise Refused("bots_invited")
    match = tables.sit(match=match, user=bot, index=index)
    announcements.update_notices([bot.pk])
    return match


def open_tables() -> list[Table]:
    """Return the open tables of bots, newest first."""
    return _newest(Match.objects.filter(host__bot_owner__isnull=False))


def invited_tables(bot: User) -> list[Table]:
    """Return the open tables to which a bot has an invitation, newest first."""
    return _newest(Match.objects.filter(invitations__invited=bot, invitations__taken_back_at=None))


def _newest(matches: QuerySet[Match]) -> list[Table]:
    return selectors.read_open_tables(
        matches.filter(status=Match.Status.OPEN, rated=False).order_by("-pk")[:MAX_LISTED]
    )
