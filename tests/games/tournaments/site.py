"""Tournaments on the site, for tests: people who enter, a clock that runs when it is told, and matches that end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import User
from games.models import Match, Seat, Tournament, TournamentTable
from games.services import play
from games.tournaments import clock, entering
from games.tournaments.announcing import Announcement, announce
from games.tournaments.core.proposal import propose
from games.tournaments.levels import level_raws
from tests.games.tables import person

START = datetime(2026, 3, 14, 18, tzinfo=UTC)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def announced(**terms: Any) -> Tournament:
    """Announce a tournament, a Swiss of duels unless ``terms`` say otherwise."""
    usual: dict[str, Any] = {
        "format": "swiss",
        "variant": "kozel",
        "seats": 2,
        "starts_at": START,
        "options": {"length": "quick"},
    }
    return announce(Announcement(**(usual | terms)), now=START - 10 * MINUTE)


def arena(**terms: Any) -> Tournament:
    return announced(format="arena", minutes=30, **terms)


def duplicate(**terms: Any) -> Tournament:
    return announced(**({"format": "duplicate", "rounds": 4, "options": {}} | terms))


def entrants(tournament: Tournament, *names: str) -> list[User]:
    people = [person(name) for name in names]
    for user in people:
        entering.enter(tournament=tournament, user=user, now=START - 5 * MINUTE)
    return people


def run_clock(now: datetime, people: Sequence[User] = (), *, passes: int = 1, **deadlines: bool) -> None:
    """Run passes of the clock at one moment, with these people at open pages of their tournaments."""
    for _ in range(passes):
        for tournament in Tournament.objects.all():
            for user in people:
                entering.note_seen(tournament_id=tournament.pk, user_id=user.pk, now=now)
        run_pass(now, **deadlines)


def run_pass(now: datetime, **deadlines: bool) -> None:
    """Do what the scheduler does in a tick."""
    work = clock.run_due(now=now, **deadlines)
    for task in work.pairings:
        clock.store_proposal(task=task, proposal=propose(task), now=now)
    for levels_task in work.levels:
        clock.store_levels(task=levels_task, levels=level_raws(levels_task), now=now)
    for tournament_id, number in work.tables:
        clock.begin_table(tournament_id=tournament_id, number=number, now=now)


def begin_round(now: datetime, people: Sequence[User]) -> None:
    """Pair a round, and begin its tables."""
    run_clock(now, people, passes=2)


def running_matches() -> list[Match]:
    return list(Match.objects.filter(status="running").order_by("pk"))


def end_matches() -> None:
    """End all matches: the person with the lowest id wins, the others share what is left."""
    for match in running_matches():
        seats = list(Seat.objects.filter(match=match, user__isnull=False).order_by("-user"))
        play.end_match_against(match_id=match.pk, seat=seats[0].index)
    Seat.objects.update(last_seen=None)  # nobody looks at the results, unless a test says so


def tables_of(tournament: Tournament) -> list[TournamentTable]:
    return list(tournament.tables.order_by("number"))
