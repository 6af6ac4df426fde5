"""Whose match an uploaded record is: the names that it brings, or those of the match if it was played here."""

from __future__ import annotations

from itertools import cycle
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.names.rules import DELETED, MAX_STORED
from accounts.names.spelling import without_joiners
from games.engine.events import MatchStarted
from games.enums import BotLevel, Occupant
from games.match import disclosure
from games.match.table import Person
from games.models import Match
from games.records.about import people_of
from games.records.unreadable import Unreadable
from games.spectators import delayed

COLOURS = ("teal", "red", "blue", "orange")


class Player(NamedTuple):
    """Who had a seat: a name, "" for somebody who has deleted their account, and of a bot its level."""

    name: str
    bot: str = ""


def players_of(said: Any, seats: int) -> tuple[Player, ...]:
    """Return the players that a record names, none if it names nobody. Raises Unreadable."""
    if said is None:
        return ()
    if not isinstance(said, list) or len(said) != seats or not all(map(_is_player, said)):
        raise Unreadable(_("This record does not name one player for each seat."))
    return tuple(Player(each["name"], each.get("bot", "")) for each in said)


def people(start: MatchStarted, players: tuple[Player, ...]) -> tuple[Person, ...]:
    """Return who sits at the table of a record.

    A match of this site shows the names that it has here today, whatever the file says: who was deleted stays so.
    """
    shown = _played_here(start) or players
    if not shown:
        shown = tuple(Player(_("Seat %(number)d") % {"number": seat}) for seat in range(1, start.seats + 1))
    return tuple(
        Person(seat, name or DELETED, colour, Occupant.BOT if bot else Occupant.HUMAN, bot=bot)
        for seat, ((name, bot), colour) in enumerate(zip(shown, cycle(COLOURS), strict=False))
    )


def _played_here(start: MatchStarted) -> tuple[Player, ...]:
    match = Match.objects.filter(slug=start.match, commitment=start.commitment).first() if start.commitment else None
    if match is None:
        return ()
    if match.status in Match.UNFINISHED or not disclosure.is_public(match, timezone.now()):
        # A record holds the rounds that are over; it must not show early who has left since.
        seated = delayed.current(match.pk, None).table.people
    else:
        seated = tuple(people_of(match.pk))
    return tuple(Player(person.name, "" if person.user_id else person.bot) for person in seated)


def _is_player(said: Any) -> bool:
    if not isinstance(said, dict):
        return False
    name, bot = said.get("name"), said.get("bot", "")
    return (
        isinstance(name, str)
        and len(name) <= MAX_STORED
        and without_joiners(name).isprintable()
        and bot in ("", *BotLevel.values)
    )
