"""Finds puzzles: choices in which one move is clearly best, but not the obvious one.

Fast playouts rule most choices out. The two judges of ``games.puzzles.judging`` have to confirm the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random
from statistics import fmean

from games import bots
from games.bots.outcomes import sample_outcomes
from games.engine.decide import decide
from games.engine.events import Event
from games.engine.moves import Move
from games.engine.outcome import standard_error
from games.engine.playout import Playout
from games.engine.replay import decisions
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.puzzles import SOLVER_SEAT, EvaluatedMove, Puzzle
from games.puzzles.judging import JUDGES, MIN_MARGIN_POINTS, Judgement, judge_solution

MIN_LEGAL_MOVES = 3
# Possible positions for fast playouts, first a few and then more, and the standard errors by which the best move has
# to beat the second one there. Playouts of bots that look ahead take a hundred times as long.
QUICK_STAGES = ((12, 1.0), (48, 3.0))
MAX_SAMPLES = 240  # possible positions for each judge
DECIMALS = 2


def find_puzzles(events: Sequence[Event], seed: str) -> Iterator[Puzzle]:
    """Yield the puzzles in a match, at most one per round. The same match always has the same ones."""
    last_round = 0
    for seq, state, _facts in decisions(events):
        chance = Random(f"{seed} {seq - 2}")  # noqa: S311 (repeatable on purpose)
        if state.round.number != last_round and (puzzle := puzzle_from(state, events[: seq - 1], chance)) is not None:
            last_round = state.round.number
            yield puzzle


def puzzle_from(state: State, events: Sequence[Event], chance: Random) -> Puzzle | None:
    """Return a position as a puzzle, None if it is not suitable."""
    if state.match_over or state.round.to_move != SOLVER_SEAT:
        return None
    view = view_for(rules_for(state.setup.variant), state, SOLVER_SEAT)
    if len(view.legal) < MIN_LEGAL_MOVES:
        return None
    ranked: Sequence[Move] = view.legal
    for samples, standard_errors in QUICK_STAGES:
        ranked, margin, error = _rank_by_fast_playouts(view, chance, samples)
        if margin < max(MIN_MARGIN_POINTS, standard_errors * error):
            return None
        if ranked[0] == _obvious_move(view, chance):
            return None
    judgement = confirm_solution(view, ranked, chance)
    return _puzzle_of(view, events, ranked[0], judgement) if judgement else None


def confirm_solution(view: View, ranked: Sequence[Move], chance: Random) -> Judgement | None:
    """Return what the judge ``strong`` finds of the first move, None unless both judges confirm it."""
    judgements: dict[str, Judgement] = {}
    for rivals in (ranked[1:2], ranked[2:]):  # most solutions that fail do so against the second move
        for judge, level in JUDGES.items():
            judgement = judge_solution(view, ranked[0], rivals, level, chance, max_samples=MAX_SAMPLES, gives_up=True)
            if not judgement.holds or judgement.margin.points < MIN_MARGIN_POINTS:
                return None
            judgements[judge] = judgement.with_margins_of(judgements.get(judge))
    return judgements["strong"]


def _puzzle_of(view: View, events: Sequence[Event], solution: Move, judgement: Judgement) -> Puzzle:
    """Return the puzzle. Other moves have the value of the solution without its margin over them."""
    evaluated = [EvaluatedMove(view.rules.move_text(solution), round(judgement.points, DECIMALS), 0.0)]
    evaluated += [
        EvaluatedMove(
            view.rules.move_text(move),
            round(judgement.points - margin.points, DECIMALS),
            round(margin.error, DECIMALS),
        )
        for move, margin in sorted(judgement.margins.items(), key=lambda item: item[1].points)
    ]
    margin, error = round(judgement.margin.points, DECIMALS), round(judgement.margin.error, DECIMALS)
    return Puzzle(tuple(events), tuple(evaluated), margin, error, judgement.samples)


def _rank_by_fast_playouts(view: View, chance: Random, samples: int) -> tuple[Sequence[Move], float, float]:
    """Return the moves, best first, the margin of the best over the second in points, and its standard error."""
    player = bots.bot_for_variant(view.rules.key)
    positions = list(islice(player.sample_positions(view, chance), samples))
    rows = sample_outcomes(player, positions[0].numbers(view.legal), positions, SOLVER_SEAT, chance)
    columns = zip(*rows, strict=True)
    points = {move: [outcome.points for outcome in column] for move, column in zip(view.legal, columns, strict=True)}
    best, second, *rest = sorted(points, key=lambda move: -fmean(points[move]))
    margins = [better - worse for better, worse in zip(points[best], points[second], strict=True)]
    return (best, second, *rest), fmean(margins), standard_error(margins)


def _obvious_move(view: View, chance: Random) -> Move:
    """Return the move that the bot makes without looking ahead."""
    player = bots.bot_for_variant(view.rules.key)
    game = next(player.sample_positions(view, chance))
    moves = game.numbers(view.legal)
    move: Move = game.move(player.candidate_moves(game, moves, chance)[0])
    return move


class BotRound(Playout):
    """The first round of a match among bots."""

    def play_first_round(self) -> list[Event]:
        """Return the events from the start to before the end of the round."""
        self._deal()
        while self.state.round.to_move is not None:
            self._move(self.state.round.to_move)
        return self.events

    def _move(self, seat: int) -> None:
        view = view_for(self.rules, self.state, seat)
        text = bots.choose_move(view, "strong", self.chance.getrandbits(32))
        self._apply(decide(self.rules, self.state, seat, self.rules.parse_move(self.state, text)))


def puzzles_from_bot_rounds(variant: str, seed: str) -> Iterator[Puzzle]:
    """Yield the puzzles of rounds between bots, endlessly, with every number of seats in turn."""
    rules = rules_for(variant)
    for number, seats in enumerate(cycle(rules.seat_counts)):
        name = f"{seed} {number}"
        yield from find_puzzles(BotRound(rules, seats, {}, name).play_first_round(), name)
