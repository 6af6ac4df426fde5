"""The spectator chat, which players can read only after their match.

It is not part of the table: a line changes no revision, frame or delayed view. Code that shows it must check
``SpectatorChat.is_open_to`` first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from games.match import selectors, series
from games.match.table import ChatLine
from games.models import Match, Message, Seat


@dataclass(frozen=True, slots=True)
class SpectatorChat:
    """The last lines, oldest first, and the players who may not read them yet. ``frames`` is a cache by language."""

    lines: tuple[ChatLine, ...]
    players: frozenset[int]
    frames: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def is_open_to(self, user_id: int | None) -> bool:
        return user_id not in self.players


def load_spectator_chat(match_id: int) -> SpectatorChat:
    # Lines are read before seats, so that nobody who sat down before a line was written is missed.
    series_id = Match.objects.values_list("series_id", flat=True).get(pk=match_id)
    lines = selectors.chat_lines(
        match_id, room=Message.Room.SPECTATORS, earlier=series.earlier_match_ids(match_id, series_id)
    )
    seated = Seat.objects.filter(match_id=match_id, match__status__in=Match.UNFINISHED, user__isnull=False)
    return SpectatorChat(lines, frozenset(seated.values_list("user_id", flat=True)))
