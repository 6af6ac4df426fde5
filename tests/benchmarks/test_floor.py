"""The bare server of the benchmarks speaks to the same players as the site does."""

from __future__ import annotations

from pathlib import Path

from benchmarks.floor import Site
from benchmarks.players import Screen


def test_a_player_reads_the_moves_off_a_frame_and_sees_the_one_that_was_made(tmp_path: Path) -> None:
    site, screen = Site(tmp_path, size=4000), Screen("http://localhost", "2-one")
    screen.take(site.frame(site.table("2-one"), 0), 1.0)
    assert (screen.version, screen.status, screen.bytes) == (1, "running", 4000)
    assert screen.moves
    site.take(site.table("2-one"), 0, {"v": 1, "move": screen.moves[0]})
    screen.take(site.frame(site.table("2-one"), 0), 2.0)
    assert (screen.version, screen.moves) == (2, [])
