"""An uploaded match, and its table and views after each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from games.engine.events import MatchStarted, RoundDealt, RoundEnded, SecretRevealed
from games.engine.evolve import fold
from games.engine.notation import export_match
from games.engine.replay import start_event
from games.engine.state import State
from games.engine.transcript import Entry, write
from games.match.moments import moment_of
from games.match.table import AgreedTerms, Person, Table
from games.records.players import RecordPlayer
from games.review.match_steps import MatchSteps, Step, steps_from_events


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """The events of an uploaded match, also cut into steps, and the players named by the record."""

    entries: tuple[Entry, ...]
    match_steps: MatchSteps
    players: tuple[RecordPlayer, ...] = ()

    @classmethod
    def from_entries(cls, entries: tuple[Entry, ...], players: tuple[RecordPlayer, ...] = ()) -> Self:
        rows = [(entry.event, None if entry.at is None else moment_of(entry.at)) for entry in entries]
        return cls(entries, MatchSteps(tuple(steps_from_events(rows))), players)

    @property
    def start_event(self) -> MatchStarted:
        return start_event([entry.event for entry in self.entries])

    @property
    def is_complete(self) -> bool:
        """Return whether the record contains the secret of its match, which is revealed at the end."""
        return any(isinstance(entry.event, SecretRevealed) for entry in self.entries)

    def table_after(self, step: Step, people: tuple[Person, ...]) -> Table:
        """Return the table after a step, without address, clocks and chat."""
        start = self.start_event
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

    def position_after(self, step: Step) -> State:
        start_event, *events = (entry.event for entry in self.entries[: step.version])
        last_deal = max((index for index, event in enumerate(events) if isinstance(event, RoundDealt)), default=0)
        round_ends = (event for event in events[:last_deal] if isinstance(event, RoundEnded))
        return fold((start_event, *round_ends, *events[last_deal:]))

    def states_after(self, steps: Sequence[Step]) -> Iterator[State]:
        """Yield the position after each of these steps."""
        return map(self.position_after, steps)

    @property
    def about(self) -> dict[str, Any]:
        players = [{"name": name} | ({"bot": bot} if bot else {}) for name, bot in self.players]
        return {"players": players} if players else {}

    def to_data(self) -> dict[str, Any]:
        """Return the record as JSON data, like the record of a match of the site."""
        rows = ((seq, entry.event, _time_text(entry.at)) for seq, entry in enumerate(self.entries, 1))
        return export_match(rows, self.about)

    def to_transcript(self) -> str:
        return write(self.entries, self.about)


def _time_text(at: int | None) -> str:
    return "" if at is None else moment_of(at).isoformat(timespec="milliseconds")
