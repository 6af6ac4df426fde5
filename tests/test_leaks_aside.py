"""Announcements and the log contain no tile."""

from __future__ import annotations

import logging
from random import Random

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.broadcast import announcements as broadcast_announcements
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.errors import Refused
from games.services.moves import make_move
from tests.test_leaks import TABLES, make_random_move, spelled_tiles
from tests.viewers import impossible_moves, start_rated_match
from tests.worlds import folded_state

pytestmark = pytest.mark.seed(1)

MOVES = 60
WORDS = {"type", "revision"}


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[broadcast_announcements.Announcement]:
    """Return a list that receives everything that is announced."""
    announcements: list[broadcast_announcements.Announcement] = []
    monkeypatch.setattr(broadcast_announcements, "_publish", announcements.extend)
    return announcements


@pytest.mark.django_db
@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_announcements_and_log_contain_no_tile(
    rules: Rules,
    seats: int,
    announced: list[broadcast_announcements.Announcement],
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    chance = Random(f"aside {seats}")
    with caplog.at_level(logging.INFO):
        with django_capture_on_commit_callbacks(execute=True):
            match = start_rated_match(rules, seats)
        for _ in range(MOVES):
            with django_capture_on_commit_callbacks(execute=True):
                make_random_move(match, chance)
        user_id = match.seats.get(index=0).user_id
        for move in impossible_moves(folded_state(match), 0):
            with pytest.raises((Refused, Refusal)):
                make_move(match_id=match.pk, user_id=user_id, move=move, version=match.version)
    assert len(announced) > MOVES // 2
    assert {word for _group, message in announced for word in message} <= WORDS
    assert all(type(message.get("revision", 0)) is int for _group, message in announced)
    assert spelled_tiles(caplog.text, rules) == set()
