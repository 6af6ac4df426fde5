"""An uploaded match, and its table and views after each step."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import Self

from django.utils.translation import gettext as _

from games.engine.events import MatchStarted, RoundDealt, RoundEnded
from games.engine.evolve import fold
from games.engine.replay import started
from games.engine.transcript import Entry
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.match.moments import EPOCH, MILLISECOND
from games.match.table import Agreed, Person, Table
from games.review.past import Past, Step, steps_of

COLOURS = ("teal", "red", "blue", "orange")


@dataclass(frozen=True, slots=True)
class Imported:
    """What happened in an uploaded match, cut into steps."""

    entries: tuple[Entry, ...]
    past: Past

    @classmethod
    def of(cls, entries: tuple[Entry, ...]) -> Self:
        rows = [(entry.event, None if entry.at is None else EPOCH + entry.at * MILLISECOND) for entry in entries]
        return cls(entries, Past(tuple(steps_of(rows))))

    @property
    def start(self) -> MatchStarted:
        return started([entry.event for entry in self.entries])

    def table(self, step: Step) -> Table:
        """Return a table without names, clocks and chat. It has no address."""
        start = self.start
        people = tuple(
            Person(seat, _("Seat %(number)d") % {"number": seat + 1}, colour, "human")
            for seat, colour in zip(range(start.seats), cycle(COLOURS), strict=False)
        )
        return Table(
            match_id=0,
            slug="",
            agreed=Agreed(start.variant, start.options),
            people=people,
            commitment=start.commitment,
            version=step.version,
            revision=step.version,
            round=step.round,
        )

    def view(self, step: Step, seat: int | None, *, open_hands: bool) -> View:
        """Return what a seat (None: everybody) saw after a step, or all hands."""
        first, *events = (entry.event for entry in self.entries[: step.version])
        deal = max((at for at, event in enumerate(events) if isinstance(event, RoundDealt)), default=0)
        ended = (event for event in events[:deal] if isinstance(event, RoundEnded))
        state = fold((first, *ended, *events[deal:]))
        return view_for(rules_for(state.setup.variant), state, seat, open_hands=open_hands)
