"""Players whose connections broke in this process: when many break at once, the site is at fault and clocks stop."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.presence.pages import pages
from infrastructure.runtime import PerProcess

LOSS_WINDOW = timedelta(seconds=10)
MIN_LOST_ADDRESSES = 8  # fewer at once may be one family, or one person with several devices
MAX_LOST_SHARE = 1 / 4  # of the addresses with players; more is the fault of the site or of its network
NO_CLOSE_FRAME = 1006  # close code of a broken connection; a page that is closed sends another one


class LostConnections:
    """Broken connections of players within ``LOSS_WINDOW``.

    Spectators do not count, and each address and each account counts once. Otherwise one visitor could stop the clocks
    of all matches by dropping sockets.
    """

    def __init__(self) -> None:
        # When each address was lost and with which account, oldest first.
        self.lost: dict[str, tuple[datetime, int]] = {}

    def add(self, address: str, user_id: int, now: datetime) -> None:
        """Note that the connection of a player broke."""
        self._forget_before(now - LOSS_WINDOW)
        if address not in self.lost and user_id not in {lost_id for _at, lost_id in self.lost.values()}:
            self.lost[address] = now, user_id

    def mass_loss_since(self, now: datetime) -> datetime | None:
        """Return when a loss of many players began, or None if only a few are missing."""
        self._forget_before(now - LOSS_WINDOW)
        if len(self.lost) < MIN_LOST_ADDRESSES:
            return None
        if len(self.lost) <= MAX_LOST_SHARE * len(self.lost.keys() | pages().player_addresses()):
            return None
        return next(at for at, _user_id in self.lost.values())

    def _forget_before(self, moment: datetime) -> None:
        for address, (at, _user_id) in list(self.lost.items()):
            if at > moment:
                break
            del self.lost[address]


lost_connections = PerProcess(LostConnections)
