"""The lists show the scores of the last finished round immediately, without storing them separately."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.broadcast import announcements as broadcast_announcements
from games.engine.variants import rules_for
from games.lobby import open_tables
from games.lobby.rendering import table_lines
from games.models import Match
from games.rendering.standing import score_mark
from games.services import play
from games.words.lookup import words_for
from tests.games import tables


@pytest.fixture
def announced_groups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the groups that receive announcements."""
    groups: list[str] = []
    monkeypatch.setattr(
        broadcast_announcements,
        "_publish",
        lambda announcements: groups.extend(group for group, _message in announcements),
    )
    return groups


@pytest.fixture
def match() -> Match:
    return tables.running_table([tables.person("Ann")], bots=3)


def round_and_scores() -> tuple[str, list[str]]:
    """Return the round and the scores in the list."""
    (line,) = table_lines(open_tables.load_lists().running, "en")
    return line.round, [score for _seat, score in line.seats]


def scores(match: Match) -> list[str]:
    """Return the scores at the table itself."""
    state, rules = tables.state_of(match), rules_for(match.variant)
    words = words_for(match.variant, "en")
    return [score_mark(rules.standing_text(state.standing[side]), words) for side in state.setup.sides]


@pytest.mark.stack
def test_a_finished_round_is_in_the_list_before_the_next_is_dealt(match: Match) -> None:
    for number in (1, 2, 3):
        tables.play_round(match)
        assert round_and_scores() == (f"Round {number}", scores(match))
        play.start_next_round(tables.locked_row(match), timezone.now())
        assert round_and_scores() == (f"Round {number + 1}", scores(match))


def test_lobby_is_updated_by_rounds_but_not_by_moves(
    match: Match, announced_groups: list[str], django_capture_on_commit_callbacks: Any
) -> None:
    while tables.locked_row(match).to_move is not None:
        assert broadcast_announcements.LOBBY_GROUP not in announced_groups
        with django_capture_on_commit_callbacks(execute=True):
            tables.make_first_move(match)
    assert announced_groups.count(broadcast_announcements.LOBBY_GROUP) == 1
    with django_capture_on_commit_callbacks(execute=True):
        play.start_next_round(tables.locked_row(match), timezone.now())
    assert announced_groups.count(broadcast_announcements.LOBBY_GROUP) == 2


def test_reading_the_lobby_writes_nothing(match: Match) -> None:
    with CaptureQueriesContext(connection) as queries:
        open_tables.load_lists()
    assert all(query["sql"].startswith("SELECT") for query in queries)
