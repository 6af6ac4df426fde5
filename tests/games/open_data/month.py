"""October 2026 for tests: matches for the files, and matches that must stay out of them."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import time_machine

from accounts.models import User
from games.engine.replay import decisions
from games.engine.variants import rules_for
from games.match import record
from games.match_reports import reports
from games.match_reports.choices import find_choice
from games.match_reports.report import Choice, Report
from games.models import BoardDay, Match, Message
from games.services import board_days
from tests.games import tables
from tests.games.daily_boards.days import open_today, play_boards

PLAYED_AT = datetime(2026, 10, 15, 12, tzinfo=UTC)
CLOSED_AT = datetime(2026, 10, 16, 0, 20, tzinfo=UTC)
EXPORTED_AT = datetime(2026, 11, 2, tzinfo=UTC)
PLANTED = "Planted"  # in every name, address, chat line and text of a player


def planted_person(name: str) -> User:
    text = f"{PLANTED}{name}"
    person = tables.person(text, email=f"{text}@example.org".lower(), language="hu")
    User.objects.filter(pk=person.pk).update(username=f"{text}-{person.pk}".lower())
    return person


def play_match(people: list[User], *, variant: str = "kozel", bots: int = 0, **columns: Any) -> Match:
    """Play a match to its end, with a line of chat and a report."""
    columns = {"rated": True, "options": {"length": "quick"}} | columns
    match = tables.running_table(people, bots=bots, variant=variant, **columns)
    tables.play_until(match, lambda _state: False)
    Message.objects.create(match=match, user=people[0], name=people[0].name, text=f"{PLANTED} line", room="table")
    store_report(match)
    match.refresh_from_db()
    return match


def store_report(match: Match) -> None:
    """Store a report in which the last legal move would always have been better."""
    rules, choices = rules_for(match.variant), []
    for position in map(find_choice, decisions(record.events(match.pk))):
        if position is not None:
            best = rules.move_text(rules.legal_moves(position.state)[-1])
            move = rules.move_text(position.move)
            choices.append(Choice(position.seq, position.seat, 1.5, move, best, 0.02, 0.5))
    reports.store_report(match.pk, Report(tuple(choices), (), ()).to_data(), 0.1)


def close_without_levels(day: BoardDay) -> None:
    """Close a day without the results of bots, which take seconds."""
    while day.closed_at is None:
        board_days.close_next_boards(day, CLOSED_AT)
        day.refresh_from_db()


def make_month() -> list[Match]:
    """Play two rated matches and two daily boards, which belong into the files."""
    with time_machine.travel(PLAYED_AT, tick=False) as clock:
        ann, ben, eve = map(planted_person, ("Ann", "Ben", "Eve"))
        matches = [play_match([ann, ben]), play_match([ben, eve, ann], variant="all_fives")]
        day = open_today(now=PLAYED_AT)
        boards = play_boards(ann, 2, PLAYED_AT)
        clock.move_to(CLOSED_AT)
        close_without_levels(day)
    for board in boards:
        store_report(board)
    return matches + boards


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """Return the records of all games."""
    texts = [gzip.decompress(path.read_bytes()).decode() for path in sorted(folder.glob("*.jsonl.gz"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def contents_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a month by name, without their compression."""
    return {
        path.name: gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in folder.iterdir()
    }
