"""A match played by people in several windows."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.browser.player import Player

PATIENCE_SECONDS = 60
POLL_MS = 50


class Match:
    """A match as the windows of its people show it. Nobody acts before the windows are level."""

    def __init__(self, *players: Player) -> None:
        self.players = players
        self.revision = 0
        self.wait(*players)
        self.first = self.revision

    def wait(self, *players: Player) -> None:
        """Wait until these windows show the same new revision and mirrored ones have compared it."""
        end = time.monotonic() + PATIENCE_SECONDS
        mirrors = [player.mirror for player in players if player.mirror]
        while time.monotonic() < end:
            # Mirrors report what they have compared, so the pages need not be asked before.
            if all(max(mirror.compared, default=0) > self.revision for mirror in mirrors):
                revisions = {player.look().revision for player in players}
                new = max(revisions)
                if new > self.revision and revisions == {new} and all(new in mirror.compared for mirror in mirrors):
                    self.revision = new
                    return
            players[0].page.wait_for_timeout(POLL_MS)
        raise AssertionError(f"nothing new after {self.revision}: {[player.look() for player in players]}")

    def wait_again(self) -> None:
        """Wait until all windows show what some of them have shown already."""
        self.revision -= 1
        self.wait(*self.players)

    def play_until(self, done: Callable[[], bool], *players: Player) -> None:
        """Let these people play, everybody if none are named, until what they see is this."""
        while not done():
            self.step(*players)

    def step(self, *players: Player) -> None:
        """Let one of these people do what there is to do, and wait until all of them see what came of it."""
        players = players or self.players
        actor = next((player for player in players if player.seen.mine or player.seen.resting), None)
        before = actor and (actor.seen.version, actor.seen.resting)
        if actor:
            actor.act()
        self.wait(*players)
        # Somebody who goes away or comes back makes a revision, too; it is not what came of the act.
        while actor and (actor.seen.version, actor.seen.resting) == before:
            self.wait(*players)
        assert not any(player.seen.wide for player in players)
        assert all(len(player.lenses) < 2 for player in players), [player.lenses for player in players]
