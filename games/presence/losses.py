"""Players whose connections broke in this process: when many break at once, the site is at fault and clocks stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Protocol

from infrastructure.runtime import PerProcess

WINDOW = timedelta(seconds=10)
MIN_ADDRESSES = 8  # fewer at once may be one family, or one person with several devices
MAX_SHARE = 1 / 4  # of the addresses with players; more is a fault of the site, or of the network in front of it
NO_CLOSE_FRAME = 1006  # close code of a broken connection; a page that is left or closed sends another one


class PlayerSocket(Protocol):
    """A socket of a match, of a player while ``seated``."""

    address: str
    user_id: int | None
    seated: bool


class Losses:
    """Broken connections of players within ``WINDOW``.

    Spectators do not count, and each address and each account counts once. Otherwise one visitor could stop the clocks
    of all matches by dropping sockets.
    """

    def __init__(self) -> None:
        self.open: set[PlayerSocket] = set()
        self.lost: dict[str, tuple[datetime, int]] = {}
        """When each address was lost and with which account, oldest first."""

    @contextmanager
    def counted(self, socket: PlayerSocket) -> Iterator[None]:
        """Count a socket for as long as it is served."""
        self.open.add(socket)
        try:
            yield
        finally:
            self.open.discard(socket)

    def add(self, socket: PlayerSocket, now: datetime) -> None:
        """Note that a connection broke."""
        if not socket.seated or socket.user_id is None:
            return
        self._forget_before(now - WINDOW)
        if socket.address not in self.lost and socket.user_id not in {user_id for _at, user_id in self.lost.values()}:
            self.lost[socket.address] = now, socket.user_id

    def since(self, now: datetime) -> datetime | None:
        """Return when a loss of many players began, or None if only a few are missing."""
        self._forget_before(now - WINDOW)
        if len(self.lost) < MIN_ADDRESSES:
            return None
        players = self.lost.keys() | {socket.address for socket in self.open if socket.seated}
        if len(self.lost) <= MAX_SHARE * len(players):
            return None
        return next(at for at, _user_id in self.lost.values())

    def _forget_before(self, moment: datetime) -> None:
        for address, (at, _user_id) in list(self.lost.items()):
            if at > moment:
                break
            del self.lost[address]


losses = PerProcess(Losses)
