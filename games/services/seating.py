"""Takes and frees seats at open tables, in the caller's transaction."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import ngettext_lazy

from accounts import blocks, selectors
from accounts.addresses import address_hash
from accounts.models import User
from accounts.names.confusables import look_alike
from accounts.names.reserved import BOT_NAMES
from games.access import require_not_suspended
from games.broadcast import announcements
from games.conduct import ledger
from games.enums import DAILY_CLOCKS, DEFAULT_BOT_LEVEL, START_STAGES
from games.errors import Refused
from games.fair_dealing import dealing
from games.models import Match, Seat
from games.site_switches import require_new_matches
from games.terms.terms import Terms

MAX_TABLES_PER_PERSON = 3
MAX_DAILY_TABLES_PER_PERSON = 20
MAX_OPEN_DAILY_TABLES_PER_HOST = 3


def lock_person(user: User) -> None:
    """Lock the person before any table, so that two requests of one person cannot pass the limits together.

    Raises Refused ``ended`` (the account was deleted), ``suspended``.
    """
    if not selectors.lock_person(user.pk):
        raise Refused("ended")
    require_not_suspended(user.pk)


def require_table_limit(user_id: int, clock: str, *, new: int = 0) -> None:
    """Raise Refused ``too_many_tables`` for a person at too many tables, counting ``new`` additional ones.

    Daily tables have a limit of their own.
    """
    daily = Q(match__clock__in=DAILY_CLOCKS)
    limit, clock_filter = (
        (MAX_DAILY_TABLES_PER_PERSON, daily) if clock in DAILY_CLOCKS else (MAX_TABLES_PER_PERSON, ~daily)
    )
    count = seats_counted_for_limit(user_id).filter(clock_filter).count() + new - 1
    if count >= limit:
        text = ngettext_lazy(
            "You are already in {count} match. Finish or leave it first.",
            "You are already in {count} matches. Finish or leave one first.",
            count,
        )
        raise Refused("too_many_tables", format_lazy(text, count=count))


def require_may_open_table(host: User, clock: str) -> None:
    """Raise Refused ``days_need_account``, ``too_many_open``.

    Daily tables stay open for a week while nobody is present, so only accounts open them, and only a few.
    """
    if clock not in DAILY_CLOCKS:
        return
    if host.is_guest:
        raise Refused("days_need_account")
    tables = Match.objects.filter(host=host, status=Match.Status.OPEN, clock__in=DAILY_CLOCKS)
    if tables.count() >= MAX_OPEN_DAILY_TABLES_PER_HOST:
        raise Refused("too_many_open")


def require_no_pause(table: Match, user_id: int) -> None:
    """Raise Refused ``paused`` if the table is rated and the person is paused from rated play."""
    if table.rated:
        ledger.require_no_pause(user_id)


def unfinished_seats(user_id: int) -> QuerySet[Seat]:
    """Return the person's seats at unfinished tables, including held ones."""
    seats = Seat.objects.filter(user_id=user_id, match__status__in=Match.UNFINISHED)
    return seats.exclude(state=Seat.State.FORFEITED)


def seats_counted_for_limit(user_id: int) -> QuerySet[Seat]:
    """Return the seats that count for the limits: a held one counts only if no other person plays there."""
    players = Seat.objects.filter(match=OuterRef("match"), user__isnull=False, bot="")
    return unfinished_seats(user_id).filter(Q(bot="") | ~Exists(players))


def lock_open_table(match_id: int, *, starting: bool = False) -> Match:
    """Lock an open table; ``starting`` allows one whose start has begun. Raises Refused ``not_open``, ``starting``."""
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status != Match.Status.OPEN:
        raise Refused("not_open")
    if is_starting(table) and not starting:
        raise Refused("starting")
    return table


def is_starting(table: Match) -> bool:
    """Return whether the start has begun: from then on no seat changes hands."""
    return table.status == Match.Status.OPEN and table.due_kind in START_STAGES


def create_table(*, host: User | None, terms: Terms) -> Match:
    """Create an empty table. The site commits to its secret before it knows any player's part of the shuffle.

    Raises Refused ``matches_paused``, or ``bad_request`` for terms that no host can choose, such as those of boards.
    """
    require_new_matches()
    if terms.fault_for_programs():
        raise Refused("bad_request")
    secret = dealing.new_secret()
    table = Match.objects.create(host=host, secret=secret, commitment=dealing.commitment(secret), **terms.columns())
    Seat.objects.bulk_create(Seat(match=table, index=index) for index in range(terms.seats))
    return table


def seats_of(table: Match) -> list[Seat]:
    return list(Seat.objects.filter(match=table).order_by("index"))


def is_free(seat: Seat) -> bool:
    """Return whether neither a person nor a bot has the seat."""
    return seat.user_id is None and not seat.bot


def is_seated(seats: Iterable[Seat], user: User) -> bool:
    return any(seat.user_id == user.pk for seat in seats)


def seat_of(seats: Iterable[Seat], user_id: int) -> Seat:
    """Return the seat of the user with this id. Raises Refused ``not_seated``."""
    for seat in seats:
        if seat.user_id == user_id:
            return seat
    raise Refused("not_seated")


def has_similar_name(seats: Iterable[Seat], user: User) -> bool:
    """Return whether a player's name looks like the user's name."""
    return any(look_alike(seat.name, str(user)) for seat in seats if not is_free(seat))


def is_ready_to_start(seats: Sequence[Seat]) -> bool:
    """Return whether all seats are taken and all people, at least one, are ready."""
    people = [seat for seat in seats if seat.user_id]
    return bool(people) and all(seat.ready for seat in people) and not any(map(is_free, seats))


def take_seat(
    seats: Sequence[Seat], user: User, *, index: int | None, ready: bool = False, address: str = "", mark: str = ""
) -> None:
    """Seat the user at ``index``, or on the first free seat, in the user's colour if it is free.

    ``address`` matters only where rating points depend on it. Without a request, ``mark`` is its keyed hash, in one
    scope for all seats of the table.

    Raises Refused ``already_seated``, ``name_taken``, ``bad_request``, ``seat_taken``, ``table_full``,
    ``bots_casual``.
    """
    if is_seated(seats, user):
        raise Refused("already_seated")
    if has_similar_name(seats, user):
        raise Refused("name_taken")
    if user.is_bot and Match.objects.filter(seats=seats[0], rated=True).exists():
        raise Refused("bots_casual")
    seat = _first_free_seat(seats) if index is None else _free_seat_at(seats, index)
    colours = _free_colours(seats)
    seat.user, seat.name = user, str(user)
    seat.colour = user.colour if user.colour in colours else _pop_random(colours)
    seat.ready, seat.last_seen, seat.left_at, seat.away = ready, timezone.now(), None, False
    seat.address = mark or seat_address_mark(address, seat.match_id)
    seat.save()
    # People whom the new player has blocked may be watching.
    announcements.recheck_sockets(blocks.blocked_ids(user.pk))


def seat_address_mark(address: str, match_id: int) -> str:
    """Return the keyed hash of an address for a seat of this match, "" for no address.

    It is comparable within the match, and with the answers to the rematch that led to it.
    """
    if not address:
        return ""
    old_match_id = Match.objects.filter(rematch=match_id).values_list("pk", flat=True).first()
    return address_hash(address, old_match_id or match_id)


def free_seat(seat: Seat) -> None:
    """Free the seat."""
    seat.user, seat.bot, seat.name, seat.colour = None, "", "", ""
    seat.nonce_commitment = seat.nonce = seat.address = ""
    seat.ready, seat.last_seen, seat.left_at, seat.away = False, None, None, False
    seat.save()


def fill_with_bots(seats: Sequence[Seat], level: str = DEFAULT_BOT_LEVEL) -> None:
    """Put a bot on every free seat, with a name and a colour of its own."""
    names = [name for name in BOT_NAMES if not any(look_alike(name, seat.name) for seat in seats)]
    colours = _free_colours(seats)
    for seat in filter(is_free, seats):
        seat_bot(seat, level=level, name=_pop_random(names), colour=_pop_random(colours))


def seat_bot(seat: Seat, *, level: str, name: str, colour: str) -> None:
    """Put a bot on a free seat. It gets no nonce: by choosing one, the site could choose a deal."""
    seat.bot, seat.name, seat.colour = level, name, colour
    seat.save()


def _free_colours(seats: Sequence[Seat]) -> list[str]:
    used = {seat.colour for seat in seats}
    return [colour for colour in User.Colour.values if colour not in used]


def _pop_random(texts: list[str]) -> str:
    return texts.pop(secrets.randbelow(len(texts)))


def _first_free_seat(seats: Sequence[Seat]) -> Seat:
    seat = next(filter(is_free, seats), None)
    if seat is None:
        raise Refused("table_full")
    return seat


def _free_seat_at(seats: Sequence[Seat], index: int) -> Seat:
    if not 0 <= index < len(seats):
        raise Refused("bad_request")
    if not is_free(seats[index]):
        raise Refused("seat_taken")
    return seats[index]
