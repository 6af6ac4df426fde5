"""The bare server of the benchmarks speaks to the same people as the site does."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.floor import Site
from benchmarks.players import Screen


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, own=4000, shared=2500)


def screen_of(site: Site, slug: str, seat: int | None) -> Screen:
    screen = Screen("http://localhost", slug)
    screen.take(site.frame(site.table(slug), seat), 1.0)
    return screen


def test_a_player_reads_the_moves_off_a_frame(site: Site) -> None:
    screen = screen_of(site, "2-one", 0)
    assert (screen.version, screen.status) == (1, "running")
    assert len(screen.moves) == 7
    assert screen.bytes == 4000


def test_a_frame_shows_the_move_that_a_player_made(site: Site) -> None:
    screen = screen_of(site, "2-one", 0)
    site.take(site.table("2-one"), 0, {"v": 1, "move": screen.moves[0]})
    screen.take(site.frame(site.table("2-one"), 0), 2.0)
    assert screen.version == 2


def test_a_spectator_reads_no_moves(site: Site) -> None:
    screen = screen_of(site, "2-one", None)
    assert screen.moves == []
    assert screen.bytes == 2500
