"""The outcomes of moves, by playouts to the end of the round.

Bots choose a move with a bonus for winning the match, and some look only a few turns ahead. Here nothing is added:
points are those of the score, and the chance to win the match is a number of its own. ``sample_outcomes`` is fast: it
follows the rollout policy. ``sample_bot_outcomes`` lets bots look ahead at every move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from games.bots.determinization import sample_determinizations
from games.bots.levels import Level
from games.bots.winning import winning_chances
from games.engine.decide import advance
from games.engine.events import RoundEnded, Standing
from games.engine.moves import Move
from games.engine.outcome import Outcome
from games.engine.state import State, replace_fields
from games.engine.variants import rules_for
from games.engine.view import View, view_for

if TYPE_CHECKING:
    from games.bots.player import BotPlayer
    from games.engine.simulation.simulation import Simulation


class Course(NamedTuple):
    """What happened after a move in a playout to the end of the round. Columns without a unit are 0 or 1.

    - ``next_stuck``: the next player began the turn with a draw or a pass.
    - ``replies``: points that moves of the other sides scored until the seat moved again.
    - ``plays_next``: the seat began its next turn with a tile. ``own_points``: the points of that turn.
    - ``goes_out``: the seat went out first.
    - ``opens``: the side of the seat opened an account.
    - ``points_at_end``, ``points_of_others``: points for the end of the round, of the side and of all others together.
    """

    next_stuck: float
    replies: float
    plays_next: float
    own_points: float
    goes_out: float
    opens: float
    points_at_end: float
    points_of_others: float


def sample_outcomes(
    player: BotPlayer[Any], moves: Sequence[int], games: Iterable[Any], seat: int, random: Random
) -> Iterator[list[Outcome]]:
    """Yield the outcome of every move for each position; all moves are tried in the same positions."""
    for game in games:
        ends = [player.finish_round(game.copy(), move, random) for move in moves]
        yield [outcome_for(game.standing, end.final_state(), seat) for end in ends]


def sample_chances(player: BotPlayer[Any], view: View, random: Random) -> Iterator[list[float]]:
    """Yield the chances of all seats to win the match in playouts of random positions that agree with the view."""
    for position in player.sample_positions(view, random):
        game = position.copy()
        game.start = replace_fields(game.start, forfeited=view.forfeited)
        end = player.finish_round(game, player.rollout_move(game, random), random)
        yield winning_chances(end.final_state())


def sample_courses(
    player: BotPlayer[Any], moves: Sequence[int], games: Iterable[Any], seat: int, random: Random
) -> Iterator[list[tuple[Outcome, Course]]]:
    """Yield the outcome and the course of every move for each position, from the playouts of ``sample_outcomes``."""
    for game in games:
        results = [follow_round(player, game.copy(), move, seat, random) for move in moves]
        yield [(outcome_for(game.standing, final, seat), course) for final, course in results]


def follow_round(
    player: BotPlayer[Any], game: Simulation, move: int, seat: int, random: Random
) -> tuple[State, Course]:
    """Make the move and play the round out as ``BotPlayer.finish_round`` does. Return the end and the course."""
    side = game.sides[seat]
    game.make_move(move)
    _finish_turn(player, game, seat, random)
    before, total = made_points(game, side)
    following = _make_next(player, game, random)
    while not game.over and game.to_move != seat:
        game.make_move(player.rollout_move(game, random))
    own, total_after = made_points(game, side)
    own_following = _make_next(player, game, random)
    _finish_turn(player, game, seat, random)
    own_after, _ = made_points(game, side)
    while not game.over:
        game.make_move(player.rollout_move(game, random))
    final = game.final_state()
    round_end = final.rounds[-1]
    gained = [points.total for points in round_end.points]
    opened = round_end.standing[side].opened and not round_end.before[side].opened
    return final, Course(
        following is not None and following < 0,
        (total_after - own) - (total - before),
        own_following is not None and own_following >= 0,
        own_after - own,
        round_end.reason == "out" and round_end.seat == seat,
        opened,
        gained[side],
        sum(gained) - gained[side],
    )


def _make_next(player: BotPlayer[Any], game: Simulation, random: Random) -> int | None:
    """Make the next move of a playout and return it; below 0 it is no tile. Return None after the end of the round."""
    if game.over:
        return None
    move = player.rollout_move(game, random)
    game.make_move(move)
    return move


def _finish_turn(player: BotPlayer[Any], game: Simulation, seat: int, random: Random) -> None:
    while not game.over and game.to_move == seat:
        game.make_move(player.rollout_move(game, random))


def made_points(game: Simulation, side: int) -> tuple[int, int]:
    """Return the points of a side by its moves up to now, and those of all sides."""
    standing = game.start.standing if game.over else game.standing
    return standing[side].points, sum(row.points for row in standing)


def sample_bot_outcomes(
    player: BotPlayer[Any], view: View, moves: Sequence[Move], level: Level, random: Random
) -> Iterator[list[Outcome]]:
    """Yield the outcome of every move of the viewer for random positions that agree with the view, without end.

    Bots of a level make all later moves, each with the knowledge of its seat.
    Raises ``ValueError`` for the view of a spectator.
    """
    rules, seat = view.rules, view.viewer
    if seat is None:
        raise ValueError("Spectators have no moves.")
    for state in sample_determinizations(rules, view, random):
        ends = [finish_round(player, advance(rules, state, seat, move)[1], level, random) for move in moves]
        yield [outcome_for(state.standing, end, seat) for end in ends]


def finish_round(player: BotPlayer[Any], state: State, level: Level, random: Random) -> State:
    """Return the end of the round if bots of a level play in all seats."""
    rules = rules_for(state.setup.variant)
    while (seat := state.round.to_move) is not None:
        view = view_for(rules, state, seat)
        move = player.choose_move(view, seat, random, level) if len(view.legal) > 1 else view.legal[0]
        state = advance(rules, state, seat, move)[1]
    return state


def outcome_for(standing: Sequence[Standing], final: State, seat: int) -> Outcome:
    """Return the outcome of a playout for ``seat``, from a score in the round to the state after its end."""
    points = points_in_round(standing, final.rounds[-1])
    return Outcome(
        lead_over_others(final.setup.variant, points, final.setup.sides[seat]), winning_chances(final)[seat]
    )


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
