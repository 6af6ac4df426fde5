"""A match report: what the choices of a match cost, and how far its results were luck. Plain values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import permutations
from math import hypot, prod
from operator import itemgetter
from typing import Any, NamedTuple

from games.explanations.fact import Fact, facts_from_data

# Incremented whenever the same record gives another report. Older reports are hidden and made again.
REPORT_VERSION = 4
MAX_KEY_MOMENTS = 5
MIN_CHANCE_LOSS = 0.02  # of the chance to win the match; less is neither a key moment nor a mistake
MAX_CHANCE_ERROR = 0.0185  # standard error of stated chances; most have less (``TARGET_CHANCE_ERROR``)
DECIMALS = 2
CHANCE_DECIMALS = 4


class Choice(NamedTuple):
    """One of several legal moves that a player made, judged with the knowledge of the seat.

    ``seq`` is the number of the event, from 1. ``made`` and ``best`` are moves in notation. ``loss`` is the number of
    points that ``made`` gains less than the best moves, and ``chance_loss`` the part of the chance to win the match.
    Both are estimates and may be below 0. ``chance`` is the chance after ``made``. ``checks`` is the number of new
    playouts of each move that judged the choice after others had found the best move, 0 if it was not checked, and
    ``error`` the standard error of their chances. ``facts`` explain a mistake: what makes ``best`` better.
    """

    seq: int
    seat: int
    loss: float
    made: str
    best: str
    chance_loss: float = 0.0
    chance: float = 0.0
    checks: int = 0
    error: float = 1.0
    facts: tuple[Fact, ...] = ()

    @property
    def certain_loss(self) -> float:
        """The loss without errors of the estimate: 0 or more, and 0 for the best move."""
        return 0.0 if self.made == self.best else max(0.0, self.loss)

    @property
    def best_chance(self) -> float:
        """The chance to win the match after ``best``."""
        return self.chance + self.chance_loss

    @property
    def is_mistake(self) -> bool:
        """Whether the choice was checked and cost a part of the chance that matters, more than its error."""
        is_costly = self.chance_loss >= max(MIN_CHANCE_LOSS, self.error)
        return self.checks > 0 and self.made != self.best and is_costly

    @property
    def is_clear_mistake(self) -> bool:
        """Whether its chances are certain, and the loss matters even if it is smaller by its error."""
        is_certain = self.error <= MAX_CHANCE_ERROR
        return self.is_mistake and is_certain and self.chance_loss >= MIN_CHANCE_LOSS + self.error


class RoundReport(NamedTuple):
    """A round, with values in points for each seat; more is better in every game.

    ``result`` is the score of the seat's side in the round minus the average of all seats. It has three parts:

    - ``luck``: what bots would have made of the same deal. It is right within two ``error`` 19 times in 20.
    - ``choices``: what the choices of the other sides cost minus what those of the own side did, on average.
    - ``rest``: what nobody could know, such as the hidden tiles, and the errors of the other two.
    """

    number: int
    result: tuple[float, ...]
    luck: tuple[float, ...]
    error: tuple[float, ...]
    choices: tuple[float, ...]

    @property
    def play(self) -> tuple[float, ...]:
        """The part of the result that is not luck: ``choices`` and ``rest``."""
        return tuple(round(result - luck, DECIMALS) for result, luck in zip(self.result, self.luck, strict=True))

    @property
    def rest(self) -> tuple[float, ...]:
        columns = zip(self.result, self.luck, self.choices, strict=True)
        return tuple(round(result - luck - choices, DECIMALS) for result, luck, choices in columns)


class PlayerReport(NamedTuple):
    """The choices of a seat: the points ``lost`` by them, their number, how many were ``best``, and the lost chance.

    Totals are 0 or more. ``chance_lost`` adds up the chances of all choices, so it may exceed 1.
    """

    lost: float
    choices: int
    best: int
    chance_lost: float

    @property
    def percent_lost(self) -> int:
        """The lost chance as a whole percentage."""
        return round(100 * self.chance_lost)

    @property
    def average_loss(self) -> float:
        """Return the points lost per choice."""
        return self.lost / self.choices if self.choices else 0.0

    @property
    def best_share(self) -> float:
        """Return the share of choices that were best, 0 to 1."""
        return self.best / self.choices if self.choices else 0.0


class Report(NamedTuple):
    """A match report.

    ``curve`` is the score of each side after each event (by number) that changed it, and ``chances`` are the whole
    percentages of the chances of the seats to win.
    """

    choices: tuple[Choice, ...]
    rounds: tuple[RoundReport, ...]
    curve: tuple[tuple[int, tuple[int, ...]], ...]
    chances: tuple[tuple[int, tuple[int, ...]], ...] = ()

    def chances_at(self, version: int) -> tuple[int, ...] | None:
        """Return the chances of the seats after the event with that number, None if there are none yet."""
        number = bisect_right(self.chances, version, key=itemgetter(0))
        return self.chances[number - 1][1] if number else None

    @property
    def key_moments(self) -> tuple[Choice, ...]:
        """Return the clear mistakes that cost most of the chance to win, in that order."""
        mistakes = [choice for choice in self.choices if choice.is_clear_mistake]
        return tuple(sorted(mistakes, key=lambda choice: (-choice.chance_loss, choice.seq))[:MAX_KEY_MOMENTS])

    def player_report(self, seat: int) -> PlayerReport:
        choices = [choice for choice in self.choices if choice.seat == seat]
        return PlayerReport(
            round(max(0.0, sum(choice.loss for choice in choices)), DECIMALS),
            len(choices),
            sum(choice.made == choice.best for choice in choices),
            round(max(0.0, sum(choice.chance_loss for choice in choices)), CHANCE_DECIMALS),
        )

    def seats_with_opposite_losses(self, seats: int) -> tuple[int, int] | None:
        """Return two seats of which the first lost more points, and the second more of the chance.

        Only what readers see counts: whole points and whole percentages. Of several pairs the clearest is returned.
        """
        players = [self.player_report(seat) for seat in range(seats)]
        points, percents = [round(player.lost) for player in players], [player.percent_lost for player in players]
        pairs = {
            (one, other): (points[one] - points[other], percents[other] - percents[one])
            for one, other in permutations(range(seats), 2)
        }
        disagreements = {pair: differences for pair, differences in pairs.items() if min(differences) > 0}
        return max(disagreements, key=lambda pair: prod(disagreements[pair]), default=None)

    @property
    def match_total(self) -> RoundReport | None:
        """Return all rounds together as one with number 0, None if no round was finished."""
        if not self.rounds:
            return None
        return RoundReport(
            0,
            _sums([row.result for row in self.rounds]),
            _sums([row.luck for row in self.rounds]),
            tuple(round(hypot(*column), DECIMALS) for column in zip(*(row.error for row in self.rounds), strict=True)),
            _sums([row.choices for row in self.rounds]),
        )

    def to_data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return self._asdict()


def _sums(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(round(sum(column), DECIMALS) for column in zip(*rows, strict=True))


def _choice_from_data(row: Sequence[Any]) -> Choice:
    choice = Choice(*row)
    return choice._replace(facts=facts_from_data(choice.facts))


def report_from_data(data: Mapping[str, Sequence[Any]]) -> Report:
    """Read the result of ``Report.to_data``, before or after serialization as JSON."""
    return Report(
        tuple(map(_choice_from_data, data["choices"])),
        tuple(RoundReport(number, *map(tuple, columns)) for number, *columns in data["rounds"]),
        tuple((seq, tuple(points)) for seq, points in data["curve"]),
        tuple((seq, tuple(chances)) for seq, chances in data["chances"]),
    )
