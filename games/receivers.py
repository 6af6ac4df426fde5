"""What happens at the tables when a person is sanctioned, signs up, or blocks or follows somebody."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from accounts.models import Sanction
from accounts.sanctions import moderation_log
from accounts.sanctions.measures import SUSPENDING_KINDS
from accounts.signals import (
    access_ended,
    account_created,
    blocks_changed,
    follows_changed,
    sanction_imposed,
    sanction_lifted,
)
from games.broadcast import announcements
from games.clubs import joining
from games.models import Entry, Match, Seat, Tournament
from games.moderation import acts
from games.moderation.cases import parties
from games.services import naming


@receiver(sanction_imposed)
def on_sanction_imposed(sanction: Sanction, **_kwargs: Any) -> None:
    """Remove a suspended person from all tables, by the rules of leaving, and from tournaments.

    Others lead the clubs of a suspended person. A removed name is replaced everywhere.

    Raises ValidationError, which undoes the sanction, if the moderator plays at one of these tables.
    """
    if sanction.kind in SUSPENDING_KINDS:
        tables = Match.objects.filter(status__in=Match.UNFINISHED, seats__user=sanction.user_id)
        moderation_log.require_impartial(
            sanction.moderator_id, parties.people_of_matches(tables.values_list("pk", flat=True))
        )
        acts.leave_all_tables(sanction.user)
        entries = Entry.objects.filter(user=sanction.user_id, tournament__stage__in=Tournament.UNFINISHED)
        entries.exclude(status=Entry.Status.GONE).update(leaving="removed")
        joining.end_lead_of_suspended(sanction.user_id, timezone.now())
    elif sanction.kind == Sanction.Kind.RENAMING:
        naming.replace_name_everywhere(sanction.user_id, sanction.facts["former"], sanction.facts["given"])


@receiver(sanction_lifted)
def on_sanction_lifted(sanction: Sanction, **_kwargs: Any) -> None:
    """Restore the former name wherever it was replaced."""
    if sanction.kind == Sanction.Kind.RENAMING:
        naming.replace_name_everywhere(sanction.user_id, sanction.facts["given"], sanction.facts["former"])


@receiver(access_ended)
def on_access_ended(user_id: int, code: str, session: str, **_kwargs: Any) -> None:
    announcements.close_sockets(user_id, code, session)


@receiver(account_created)
def on_account_created(user_id: int, **_kwargs: Any) -> None:
    """Show at the tables that a guest has signed up."""
    seats = Seat.objects.filter(user=user_id, match__status__in=Match.UNFINISHED)
    for match_id in seats.order_by("match").values_list("match", flat=True):
        announcements.touch_table(match_id)
    announcements.touch_lobby()


@receiver(blocks_changed)
def on_blocks_changed(user_ids: Iterable[int], **_kwargs: Any) -> None:
    """Make the sockets of both people recheck what they may see and whose chat lines they receive."""
    announcements.recheck_sockets(user_ids)


@receiver(follows_changed)
def on_follows_changed(user_ids: Iterable[int], **_kwargs: Any) -> None:
    """Make the open lobbies of followers update the order of their tables."""
    announcements.recheck_sockets(user_ids)
