"""Days of boards for tests: accounts, boards that are played to their end, and the close."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from allauth.account.models import EmailAddress

from accounts.models import User
from games.bots.boards import scores_of_levels
from games.models import BoardDay, Match
from games.services import board_clock, board_days
from games.services.board_days import announce_day, open_day, play_next_board
from tests.games import tables
from tests.games.tables import play_until

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
ONE_DAY = timedelta(days=1)
VARIANT = "gamezz"


def account(name: str) -> User:
    """Return a person with an account whose address is confirmed, so that they are ranked."""
    person = tables.person(name)
    EmailAddress.objects.create(user=person, email=f"{name}@example.org".lower(), verified=True, primary=True)
    return person


def play_through(match: Match) -> None:
    play_until(match, lambda _state: False)
    match.refresh_from_db()


def play_boards(user: User, count: int, now: datetime, variant: str = VARIANT) -> list[Match]:
    """Play the next boards of a person."""
    matches = []
    for _board in range(count):
        matches.append(play_next_board(user=user, variant=variant, now=now))
        play_through(matches[-1])
    return matches


def open_today(variant: str = VARIANT, now: datetime = NOON) -> BoardDay:
    """Open today's boards and announce those of tomorrow, as the clock does."""
    announce_day(variant, now.date() + ONE_DAY)
    return open_day(variant, now)


def close(day: BoardDay, now: datetime) -> int:
    """Let the clock close a day, and return in how many steps."""
    steps = run_board_clock(now)
    day.refresh_from_db()
    assert day.closed_at is not None
    return steps


def run_board_clock(now: datetime) -> int:
    """Do what the ticker does until nothing is due, and return the number of steps."""
    steps = 0
    while (step := board_clock.do_due_step(now=now)) is not None:
        if step.task is not None:
            scores = scores_of_levels(step.task.start, step.task.secret, step.task.seat)
            board_days.store_levels(step.task, scores, now)
        steps += 1
    return steps
