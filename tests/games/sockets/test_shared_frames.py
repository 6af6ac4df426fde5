"""Rendered positions are reused until the next move, whatever else changes at the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.match import snapshots
from games.match.snapshots import Snapshot
from games.models import Match
from games.rendering.zones import Frame
from games.sockets import shared_frames
from games.sockets.shared_frames import Display
from tests.games import tables


@pytest.fixture
def snapshot() -> Snapshot:
    match = tables.running_table([tables.person("Ann"), tables.person("Bob")])
    return snapshots.current_snapshot(match.pk)


def frame(snapshot: Snapshot) -> Frame:
    return shared_frames.rendered_match(snapshot).frame(0, Display("en"))


def with_player_away(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot after a change without a move: one player is away."""
    first, *rest = snapshot.table.people
    people = (replace(first, away=True), *rest)
    return replace(snapshot, table=replace(snapshot.table, people=people, revision=snapshot.table.revision + 1))


def test_change_without_a_move_reuses_the_board(snapshot: Snapshot) -> None:
    before, after = frame(snapshot), frame(with_player_away(snapshot))
    assert after.shared.by_name["board"] is before.shared.by_name["board"]
    assert after.shared.by_name["seats"] != before.shared.by_name["seats"]


def test_move_renders_the_board(snapshot: Snapshot) -> None:
    before = frame(snapshot).shared.by_name["board"]
    match = Match.objects.get(pk=snapshot.table.match_id)
    tables.make_first_move(match)
    after = frame(snapshots.current_snapshot(match.pk))
    assert after.shared.by_name["board"] != before


@pytest.mark.parametrize("other", [{"open_hands": True}, {"state": None}])
def test_open_hands_or_no_state_are_another_position(snapshot: Snapshot, other: dict[str, bool | None]) -> None:
    assert with_player_away(snapshot).has_position_of(snapshot)
    assert not with_player_away(snapshot).has_position_of(replace(snapshot, **other))  # type: ignore[arg-type]
