"""What a record says beside its events (``notation.ABOUT``): whose match it was, how it ended, what choices cost.

Names are those that the site shows today, so nobody is named who has deleted their account since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accounts.names.rules import DELETED
from games.engine.events import Event, MatchEnded, RoundEnded
from games.engine.replay import match_start
from games.engine.variants import rules_for
from games.enums import Occupant, Status
from games.match import selectors
from games.match.table import Person
from games.match_reports import kept
from games.match_reports.report import VERSION, Report
from games.models import Match, Seat


def about(match_id: int, events: Sequence[Event], people: Iterable[Person] | None = None) -> dict[str, Any]:
    """Return what is said of a match as far as ``events`` go: without its end, nothing of how it ended.

    ``people`` are those at the table as the viewer may know it, if it goes on.
    """
    match = Match.objects.get(pk=match_id)
    said: dict[str, Any] = {"players": [_player(person) for person in people or people_of(match_id)]}
    ended = next((event for event in events if isinstance(event, MatchEnded)), None)
    if ended:
        said["result"] = {"reason": "void"} if match.status == Status.VOID else _result(events, ended)
        if report := kept.of(match):
            said["report"] = _report(report, match.seat_count)
    return said


def people_of(match_id: int) -> list[Person]:
    """Return who sat at the table of a match that is over."""
    seats = Seat.objects.filter(match=match_id).select_related("user").order_by("index")
    return [selectors.person(seat, 0, started=True) for seat in seats]


def name_of(person: Person) -> str:
    """Return the name in a record, "" for somebody who has deleted their account."""
    return "" if person.user_id is None and person.name == DELETED else person.name


def _player(person: Person) -> dict[str, str]:
    name = name_of(person)
    is_bot = person.kind == Occupant.BOT and person.user_id is None and name
    return {"name": name} | ({"bot": person.bot} if is_bot else {})


def _result(events: Sequence[Event], ended: MatchEnded) -> dict[str, Any]:
    """Return why the match ended, and for each seat its place, if it has one, and the points of its side."""
    said: dict[str, Any] = {"reason": ended.reason}
    if ended.places:
        said["places"] = list(ended.places)
    start = match_start(events)
    rounds = [event for event in events if isinstance(event, RoundEnded)]
    if rounds:
        sides = rules_for(start.variant).sides(start.seats, dict(start.options))
        said["points"] = [rounds[-1].standing[side].points for side in sides]
    return said


def _report(report: Report, seats: int) -> dict[str, Any]:
    return {
        "version": VERSION,
        "players": [report.player(seat)._asdict() for seat in range(seats)],
        "rounds": [each._asdict() for each in report.rounds],
        "choices": [choice._asdict() for choice in report.choices],
    }
