"""The part of a record besides its events (``notation.ABOUT_FIELDS``): players, result and report.

Players have their current names, so nobody is named who has deleted their account since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.engine.events import Event, MatchEnded
from games.enums import Occupant, Status
from games.match import selectors
from games.match.table import Person
from games.match_reports import reports
from games.match_reports.report import REPORT_VERSION, Choice, Report
from games.models import Match, Seat
from games.records.result_data import result_data
from games.words.names import DELETED_NAME


def about_match(match_id: int, events: Sequence[Event], people: Iterable[Person] | None = None) -> dict[str, Any]:
    """Return the players of a match and, if ``events`` contain its end, the result and the report.

    ``people`` are the players of a running match as the viewer may know them.
    """
    match = Match.objects.get(pk=match_id)
    data: dict[str, Any] = {"players": [_player_data(person) for person in people or people_of_match(match_id)]}
    match_end = next((event for event in events if isinstance(event, MatchEnded)), None)
    if match_end:
        data["result"] = {"reason": "void"} if match.status == Status.VOID else result_data(events, match_end)
        if report := reports.report_of(match):
            data["report"] = _report_data(report, match.seat_count)
    return data


def people_of_match(match_id: int) -> list[Person]:
    """Return the players of a match that is over."""
    seats = Seat.objects.filter(match=match_id).select_related("user").order_by("index")
    return [selectors.person_in_seat(seat, 0, started=True) for seat in seats]


def _player_data(person: Person) -> dict[str, str]:
    """Return the name, "" for a deleted account, and the level of a bot."""
    if person.user_id is None and person.name == DELETED_NAME:
        return {"name": ""}
    is_bot = person.kind == Occupant.BOT and person.user_id is None and person.name
    return {"name": person.name} | ({"bot": person.bot} if is_bot else {})


def _report_data(report: Report, seats: int) -> dict[str, Any]:
    return {
        "version": REPORT_VERSION,
        "players": [report.player_report(seat)._asdict() for seat in range(seats)],
        "rounds": [row._asdict() for row in report.rounds],
        "choices": [_choice_data(choice) for choice in report.choices],
    }


def _choice_data(choice: Choice) -> dict[str, Any]:
    """Return a choice without the facts that explain it, which are for sentences only."""
    data = choice._asdict() | {"loss": choice.certain_loss}
    del data["facts"]
    return data
