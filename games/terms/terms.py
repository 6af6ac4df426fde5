"""The terms of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from games.engine.decide import new_match
from games.engine.options import FULL
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.variants import rules_for
from games.errors import Refused
from games.models import Match
from games.words import offered_variants
from games.words.length import length_of

HOST_DELAYS = frozenset(Match.Delay) - {Match.Delay.BOARD}  # boards are opened by the site alone


@dataclass(frozen=True, slots=True)
class Terms:
    """The agreement of the players at a table. Missing options take their defaults.

    An empty ``absence`` is the usual one: a rated match ends if the rulebook says so, otherwise a bot plays on.
    """

    variant: str
    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    clock: str = Match.Clock.NORMAL
    visibility: str = Match.Visibility.PUBLIC
    rated: bool = False
    delay: str = Match.Delay.NONE
    absence: str = ""
    talk: str = Match.Talk.FREE

    @classmethod
    def from_match(cls, match: Match) -> Self:
        """Return the terms under which a match was opened."""
        return cls(
            match.variant,
            match.seat_count,
            match.options,
            match.clock,
            match.visibility,
            match.rated,
            match.delay,
            match.absence,
            match.talk,
        )

    def rated_objections(self) -> list[str]:
        """Return the refusal codes of the reasons why a match with these terms cannot be rated."""
        reasons = {"rated_is_full": length_of(self.options) != FULL, "rated_has_clock": self.clock == Match.Clock.NONE}
        return [code for code, applies in reasons.items() if self.rated and applies]

    def fault_for_programs(self) -> str:
        """Return why no host can choose this game, clock, number of seats or these options, "" if one can."""
        rules = offered_variants().get(self.variant)
        if rules is None:
            return f"variant should be {_alternatives(sorted(offered_variants()))}"
        if self.clock not in Match.Clock.values:
            return f"clock should be {_alternatives(Match.Clock.values)}"
        if self.seats not in rules.seat_counts:
            return f"seats should be {_alternatives(rules.seat_counts)}"
        if unknown := self.options.keys() - {option.name for option in rules.options}:
            return f"{self.variant} has no option {_alternatives(sorted(unknown))}"
        for option in rules.options:
            choices = option.choices if not option.seats or self.seats in option.seats else (option.default,)
            if self.options.get(option.name, option.default) not in choices:
                return f"options.{option.name} should be {_alternatives(choices)}"
        return ""

    def columns(self) -> dict[str, object]:
        """Return the fields of a match under these terms, also of a board, which no host can choose.

        Raises Refused ``bad_request``, ``rated_is_full`` or ``rated_has_clock``.
        """
        is_valid = (
            self.clock in Match.Clock.values
            and self.visibility in Match.Visibility.values
            and self.delay in HOST_DELAYS
            and self.absence in ("", *Match.Absence.values)
            and self.talk in Match.Talk.values
        )
        if not is_valid:
            raise Refused("bad_request")
        try:
            start_event = new_match(offered_variants()[self.variant], self.seats, self.options)
        except (KeyError, Refusal):
            raise Refused("bad_request") from None
        for code in self.rated_objections():
            raise Refused(code)
        return {
            "variant": start_event.variant,
            "seat_count": start_event.seats,
            "options": dict(start_event.options),
            "clock": self.clock,
            "visibility": self.visibility,
            "rated": self.rated,
            "delay": self.delay,
            "absence": self.absence or usual_absence_policy(rules_for(start_event.variant), rated=self.rated),
            "talk": self.talk,
        }


def usual_absence_policy(rules: Rules, *, rated: bool) -> str:
    """Return the consequence of an absence if the players agreed on nothing else."""
    return Match.Absence.FORFEIT if rated and rules.absence_rule else Match.Absence.HOLD


def _alternatives(values: Iterable[object]) -> str:
    return " or ".join(map(str, values))
