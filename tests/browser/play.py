"""A match played by people in several windows."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.browser.player import Player

TIMEOUT_SECONDS = 60
POLL_MS = 50


class Match:
    """A match as its players' windows show it. Nobody acts before all windows show the same revision."""

    def __init__(self, *players: Player) -> None:
        self.players = players
        self.revision = 0
        self.compared: set[int] = set()  # the revisions at which everybody waited until mirrors had compared them
        self.wait(*players)
        self.first = self.revision

    def wait(self, *players: Player) -> None:
        """Wait until these windows show the same new revision, and mirrored ones have compared it."""
        end = time.monotonic() + TIMEOUT_SECONDS
        mirrors = [player.mirror for player in players if player.mirror]
        while time.monotonic() < end:
            # Mirrors report what they have compared, so the pages need not be read before.
            if all(max(mirror.compared, default=0) > self.revision for mirror in mirrors):
                revisions = {player.read().revision for player in players}
                new = max(revisions)
                if new > self.revision and revisions == {new} and all(new in mirror.compared for mirror in mirrors):
                    self.revision = new
                    self.compared |= {new} if mirrors else set()
                    return
            players[0].page.wait_for_timeout(POLL_MS)
        raise AssertionError(f"nothing new after {self.revision}: {[player.read() for player in players]}")

    def wait_again(self) -> None:
        """Wait until all windows show what some of them show already."""
        self.revision -= 1
        self.wait(*self.players)

    def play_until(self, done: Callable[[], bool], *players: Player) -> None:
        """Let these players, or all, play until the condition holds."""
        while not done():
            self.step(*players)

    def step(self, *players: Player) -> None:
        """Let one of these players act, and wait until all of them see the result."""
        players = players or self.players
        actor = next((player for player in players if player.state.is_own_turn or player.state.round_is_over), None)
        before = actor and (actor.state.version, actor.state.round_is_over)
        if actor:
            actor.act()
        self.wait(*players)
        # A player who leaves or returns also makes a revision, which is not the result of the move.
        while actor and (actor.state.version, actor.state.round_is_over) == before:
            self.wait(*players)
        assert not any(player.state.scrolls_sideways for player in players)
        assert all(len(player.board_positions) < 2 for player in players), [
            player.board_positions for player in players
        ]
