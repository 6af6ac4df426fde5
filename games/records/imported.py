"""An uploaded match, and its table and views after each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from games.engine.events import MatchStarted, RoundDealt, RoundEnded, SecretRevealed
from games.engine.evolve import fold
from games.engine.notation import export_match
from games.engine.replay import match_start
from games.engine.state import State
from games.engine.transcript import Entry, write
from games.match.moments import EPOCH, MILLISECOND
from games.match.table import AgreedTerms, Person, Table
from games.records.players import Player
from games.review.past import Past, Step, steps_of


@dataclass(frozen=True, slots=True)
class Imported:
    """The events of an uploaded match, also cut into steps, and the players named by the record."""

    entries: tuple[Entry, ...]
    past: Past
    players: tuple[Player, ...] = ()

    @classmethod
    def of(cls, entries: tuple[Entry, ...], players: tuple[Player, ...] = ()) -> Self:
        rows = [(entry.event, None if entry.at is None else EPOCH + entry.at * MILLISECOND) for entry in entries]
        return cls(entries, Past(tuple(steps_of(rows))), players)

    @property
    def start(self) -> MatchStarted:
        return match_start([entry.event for entry in self.entries])

    @property
    def is_whole(self) -> bool:
        """Return whether the record contains the secret of its match, which is revealed at the end."""
        return any(isinstance(entry.event, SecretRevealed) for entry in self.entries)

    def table(self, step: Step, people: tuple[Person, ...]) -> Table:
        """Return the table after a step, without address, clocks and chat."""
        start = self.start
        return Table(
            match_id=0,
            slug="",
            agreed=AgreedTerms(start.variant, start.options),
            people=people,
            commitment=start.commitment,
            version=step.version,
            revision=step.version,
            round=step.round,
        )

    def position(self, step: Step) -> State:
        first, *events = (entry.event for entry in self.entries[: step.version])
        deal = max((at for at, event in enumerate(events) if isinstance(event, RoundDealt)), default=0)
        ended = (event for event in events[:deal] if isinstance(event, RoundEnded))
        return fold((first, *ended, *events[deal:]))

    def states(self, within: Sequence[Step]) -> Iterator[State]:
        """Yield the position after each of these steps."""
        return map(self.position, within)

    @property
    def about(self) -> dict[str, Any]:
        players = [{"name": name} | ({"bot": bot} if bot else {}) for name, bot in self.players]
        return {"players": players} if players else {}

    def data(self) -> dict[str, Any]:
        """Return the record as JSON data, like the record of a match of the site."""
        rows = ((seq, entry.event, _time_text(entry.at)) for seq, entry in enumerate(self.entries, 1))
        return export_match(rows, self.about)

    def transcript(self) -> str:
        return write(self.entries, self.about)


def _time_text(at: int | None) -> str:
    return "" if at is None else (EPOCH + at * MILLISECOND).isoformat(timespec="milliseconds")
