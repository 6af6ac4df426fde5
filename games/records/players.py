"""The players of an uploaded record: those that it names, or the current ones if the match was played here."""

from __future__ import annotations

from itertools import cycle
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.names.rules import MAX_STORED_LENGTH
from accounts.names.spelling import remove_joiners
from games.engine.events import MatchStarted
from games.enums import BotLevel, Occupant
from games.match import disclosure
from games.match.table import Person
from games.models import Match
from games.records.about import people_of_match
from games.records.import_errors import UnreadableRecord
from games.spectators import delayed
from games.words.names import DELETED_NAME

SEAT_COLOURS = ("teal", "red", "blue", "orange")


class RecordPlayer(NamedTuple):
    """A player's name ("" for a deleted account), and the level of a bot."""

    name: str
    bot: str = ""


def parse_players(data: Any, seats: int) -> tuple[RecordPlayer, ...]:
    """Read the players of a record; it may name none. Raises UnreadableRecord."""
    if data is None:
        return ()
    if not isinstance(data, list) or len(data) != seats or not all(map(_is_valid_player, data)):
        raise UnreadableRecord(_("This record does not name one player for each seat."))
    return tuple(RecordPlayer(row["name"], row.get("bot", "")) for row in data)


def people_of_record(start: MatchStarted, players: tuple[RecordPlayer, ...]) -> tuple[Person, ...]:
    """Return the people at the table of a record.

    A match of this site shows its current names, whatever the file says: deleted names stay deleted.
    """
    players = _site_players(start) or players
    if not players:
        players = tuple(RecordPlayer(_("Seat %(number)d") % {"number": seat}) for seat in range(1, start.seats + 1))
    return tuple(
        Person(seat, name or DELETED_NAME, colour, Occupant.BOT if bot else Occupant.HUMAN, bot=bot)
        for seat, ((name, bot), colour) in enumerate(zip(players, cycle(SEAT_COLOURS), strict=False))
    )


def _site_players(start: MatchStarted) -> tuple[RecordPlayer, ...]:
    """Return the players of a match of this site, none for other matches."""
    match = Match.objects.filter(slug=start.match, commitment=start.commitment).first() if start.commitment else None
    if match is None:
        return ()
    if match.status in Match.UNFINISHED or not disclosure.are_all_events_public(match, timezone.now()):
        # A record contains finished rounds; it must not reveal early who has left since.
        people = delayed.snapshot_for(match.pk, None).table.people
    else:
        people = tuple(people_of_match(match.pk))
    return tuple(RecordPlayer(person.name, "" if person.user_id else person.bot) for person in people)


def _is_valid_player(row: Any) -> bool:
    if not isinstance(row, dict):
        return False
    name, bot = row.get("name"), row.get("bot", "")
    return (
        isinstance(name, str)
        and len(name) <= MAX_STORED_LENGTH
        and remove_joiners(name).isprintable()
        and bot in ("", *BotLevel.values)
    )
