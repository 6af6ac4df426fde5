"""Quick games: people who wait are seated together, and bots take the seats that stay free."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from games import access
from games.errors import Refused
from games.fair_dealing import nonces
from games.lobby import tables as lobby_tables
from games.models import Match, Seat
from games.services import seating
from games.site_switches import current_switches
from games.terms.presets import usual_terms
from games.terms.terms import Terms
from games.words import offered_variants

FILL_AFTER = timedelta(seconds=20)


@transaction.atomic
def join_quick_game(*, user: User, variant: str = "", length: str = "") -> Match:
    """Seat the user at a quick table of this variant (default: the last one played), or open one.

    All its players want the same length (default: the shortest). Bots take the free seats 20 seconds after the first
    person sat down. Tables with a host are not joined. Two people are not seated together if one has blocked the
    other, or if their names look alike. A second request returns the same table; one for another variant or length
    leaves it.

    Raises Refused ``bad_request``, ``too_many_tables``, ``suspended``, ``bots_casual``.
    """
    seating.lock_person(user)
    if user.is_bot:
        raise Refused("bots_casual")
    rules = offered_variants().get(variant or last_played_variant(user.pk))
    if rules is None:
        raise Refused("bad_request")
    terms = usual_terms(rules, length)
    for waiting in _quick_tables().filter(seats__user=user):
        if (waiting.variant, waiting.options) == (rules.key, terms.columns()["options"]):
            return waiting
        lobby_tables.give_up_seat(waiting, user)
    table = _quick_table_with_room(terms, user) or _open_quick_table(terms, user)
    seats = seating.seats_of(table)
    seating.take_seat(seats, user, index=None, ready=True)
    seating.require_table_limit(user.pk, Match.Clock.NORMAL)
    return lobby_tables.start_if_agreed(table, seats)


def last_played_variant(user_id: int | None) -> str:
    """Return the variant that the user played last, or the first one that the site offers."""
    variant_keys = tuple(offered_variants())
    played = Seat.objects.filter(user_id=user_id, match__variant__in=variant_keys) if user_id else Seat.objects.none()
    return played.order_by("-match_id").values_list("match__variant", flat=True).first() or variant_keys[0]


def has_played(user_id: int, variant: str) -> bool:
    """Return True if a match of this variant has started with the user."""
    return Seat.objects.filter(user=user_id, match__variant=variant, match__started_at__isnull=False).exists()


@transaction.atomic
def fill_due_table(*, match_id: int) -> None:
    """Fill the table of a quick game with bots and start it: the wait is over (``Due.FILL``).

    While no match may start, the table waits for as long again.
    """
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status != Match.Status.OPEN or table.due_kind != Match.Due.FILL:
        return
    if current_switches().matches_paused:
        table.due_at = timezone.now() + FILL_AFTER
        table.save(update_fields=["due_at"])
        return
    seats = seating.seats_of(table)
    seating.fill_with_bots(seats)
    nonces.begin_start(table, seats)


def _quick_tables(*, skip_locked: bool = False) -> QuerySet[Match]:
    """Return a locking query of the tables at which people wait for a quick game."""
    tables = Match.objects.select_for_update(no_key=True, of=("self",), skip_locked=skip_locked)
    return tables.filter(status=Match.Status.OPEN, due_kind=Match.Due.FILL)


def _quick_table_with_room(terms: Terms, user: User) -> Match | None:
    free = Seat.objects.filter(match=OuterRef("pk"), user=None, bot="")
    tables = _quick_tables(skip_locked=True).filter(
        access.tables_without_blocked_people(user.pk),
        Exists(free),
        variant=terms.variant,
        options=terms.columns()["options"],
    )
    ids_of_tables_with_namesake = [
        seat.match_id for seat in _seats_of_quick_tables(terms.variant) if seating.has_similar_name([seat], user)
    ]
    return tables.exclude(pk__in=ids_of_tables_with_namesake).order_by("pk").first()


def _seats_of_quick_tables(variant: str) -> QuerySet[Seat]:
    return Seat.objects.filter(match__status=Match.Status.OPEN, match__due_kind=Match.Due.FILL, match__variant=variant)


def _open_quick_table(terms: Terms, user: User) -> Match:
    table = seating.create_table(host=user, terms=terms)
    table.due_kind, table.due_at = Match.Due.FILL, timezone.now() + FILL_AFTER
    return table
