"""The outcomes of moves, by playouts to the end of the round.

Bots choose a move with a bonus for winning the match, and some look only a few turns ahead. Here nothing is added:
points are those of the score, and the chance to win the match is a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any

from games.bots.determinization import sample_determinizations
from games.bots.winning import winning_chances
from games.engine.events import RoundEnded, Standing
from games.engine.outcome import Outcome
from games.engine.state import replace_fields
from games.engine.variants import rules_for
from games.engine.view import View

if TYPE_CHECKING:
    from games.bots.player import BotPlayer
    from games.engine.simulation.simulation import Simulation


def sample_outcomes(
    player: BotPlayer[Any], moves: Sequence[int], games: Iterable[Any], seat: int, random: Random
) -> Iterator[list[Outcome]]:
    """Yield the outcome of every move for each position; all moves are tried in the same positions."""
    for game in games:
        ends = [player.finish_round(game.copy(), move, random) for move in moves]
        yield [outcome_for(game, end, seat) for end in ends]


def sample_chances(player: BotPlayer[Any], view: View, random: Random) -> Iterator[list[float]]:
    """Yield the chances of all seats to win the match in playouts of random positions that agree with the view."""
    for state in sample_determinizations(view.rules, view, random):
        game = player.simulation(replace_fields(state, forfeited=view.forfeited))
        end = player.finish_round(game, player.rollout_move(game, random), random)
        yield winning_chances(end.final_state())


def outcome_for(start: Simulation, end: Simulation, seat: int) -> Outcome:
    """Return the outcome for ``seat`` of a playout between two positions, the last after the end of the round."""
    final = end.final_state()
    points = points_in_round(start.standing, final.rounds[-1])
    return Outcome(lead_over_others(final.setup.variant, points, start.sides[seat]), winning_chances(final)[seat])


def lead_over_others(variant: str, points_by_side: Sequence[float], side: int) -> float:
    """Return the points of a side minus the average of the others; negated in games where points are bad.

    >>> lead_over_others("kozel", (0, 20, 10), 0)
    15.0
    """
    sign = -1 if rules_for(variant).are_points_bad else 1
    opponents = [points for other, points in enumerate(points_by_side) if other != side]
    return sign * (points_by_side[side] - fmean(opponents))


def points_in_round(standing: Sequence[Standing], round_end: RoundEnded) -> list[int]:
    """Return the points of each side since ``standing``, a score of the same round, by moves and at its end.

    All points count, before any rule of the standing forgets or doubles them.
    """
    rows = zip(standing, round_end.before, round_end.points, strict=True)
    return [before.points - earlier.points + points.total for earlier, before, points in rows]
