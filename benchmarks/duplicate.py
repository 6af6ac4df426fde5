"""How many deals tell a strong player from a beginner: with deals of their own, and with the same deal.

``python -m benchmarks.duplicate kozel --boards 120``: two levels play the same boards in the seat of the person, among
the usual opponents. The difference of their mean raw results has the standard error ``deviation / sqrt(boards)``. It
tells them at 95 % once it is 1.96 standard errors. With ``--lost`` the levels are compared by the mean points that the
seat loses a choice, from the analysis of match reports. It judges the choices of all seats, so a board takes seconds.

``python -m benchmarks.duplicate --alike --boards 2000``: bots play 10,000 boards of the five games in two processes.
Moves and standings must be the same. A difference ends the benchmark with exit code 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import ceil
from multiprocessing import get_context
from statistics import correlation, fmean, variance
from typing import NamedTuple

from games.bots.boards import OPPONENT_LEVEL, board_moves, dealt_board, probe_board, probe_table
from games.bots.levels import LEVELS
from games.engine.deal import deal_source
from games.engine.decide import decide, new_match
from games.engine.events import MatchStarted
from games.engine.replay import Decision
from games.engine.rules import Rules
from games.engine.variants import registry, rules_for
from games.match_reports.choices import evaluate_choices, report_seed
from games.tournaments.core.duplicate import entropy, seat_of_board
from games.tournaments.core.shares import SIXTHS, raw_results

CONFIDENCE = 1.96  # standard errors of 95 %
SECRET = bytes(range(32)).hex()


class Comparison(NamedTuple):
    """Boards to tell two levels, their correlation on the same deal, and the difference in points."""

    own_deals: int
    same_deal: int
    correlation: float
    difference: float

    def text(self, unit: str) -> str:
        return (
            f"{self.difference:+.2f} points a {unit}; boards to tell the levels: own deals {self.own_deals}, "
            f"same deal {self.same_deal} (correlation {self.correlation:.2f})"
        )


def compare(better: Sequence[float], worse: Sequence[float]) -> Comparison:
    """Return how many boards tell two levels, from their results on the same boards.

    >>> compare([3, 5, 4, 8], [1, 3, 2, 7]).same_deal
    1
    """
    gaps = [one - other for one, other in zip(better, worse, strict=True)]
    difference = fmean(gaps)
    own, same = variance(better) + variance(worse), variance(gaps)
    return Comparison(
        boards_to_tell(own, difference), boards_to_tell(same, difference), correlation(better, worse), difference
    )


def boards_to_tell(spread: float, difference: float) -> int:
    """Return the boards after which a difference is 1.96 standard errors; 0 if there is none."""
    return max(1, ceil(CONFIDENCE**2 * spread / difference**2)) if difference else 0


def board_start(rules: Rules, seats: int, board: int, match: str = "") -> MatchStarted:
    """Start a board, which has the same deal in all matches."""
    options, text = rules.one_round, entropy(["one"])
    return new_match(rules, seats, options, match=match, source="benchmark", first=board, entropy=text)


def raw_rows(rules: Rules, seats: int, boards: int, levels: Sequence[str]) -> list[list[float]]:
    """Return the raw results of each level in points, board by board."""
    rows: list[list[float]] = [[] for _ in levels]
    for board in range(1, boards + 1):
        start, seat = board_start(rules, seats, board), seat_of_board(board, seats)
        for row, scores in zip(rows, probe_board(start, SECRET, seat, levels), strict=True):
            row.append(raw_results(scores, is_low_better=rules.are_points_bad)[seat] / SIXTHS)
    return rows


def loss_rows(rules: Rules, seats: int, boards: int, levels: Sequence[str]) -> list[list[float]]:
    """Return the mean points that each level lost a choice, for the boards on which all levels had a choice."""
    rows: list[list[float]] = [[] for _ in levels]
    for board in range(1, boards + 1):
        seat = seat_of_board(board, seats)
        matches = [(board_start(rules, seats, board, f"{level} {board}"), level) for level in levels]
        losses = [choice_losses(start, seat, level) for start, level in matches]
        if all(losses):
            for row, values in zip(rows, losses, strict=True):
                row.append(fmean(values))
    return rows


def choice_losses(start: MatchStarted, seat: int, level: str) -> list[float]:
    """Return the points that each choice of a level in a seat lost, as the report of the match states them."""
    choices = evaluate_choices(probe_decisions(start, seat, level), report_seed(start))
    return [choice.loss for choice in choices if choice.seat == seat]


def probe_decisions(start: MatchStarted, seat: int, level: str) -> Iterator[Decision]:
    """Yield the moves of a board with a level in a seat among the usual opponents."""
    rules, key = rules_for(start.variant), deal_source(start).round_key(SECRET, 1)
    levels, probes = probe_table(start, seat, level)
    state = dealt_board(start, key)
    for seq, (text, after) in enumerate(board_moves(state, key, levels, probes=probes), 1):
        assert state.round.to_move is not None
        yield Decision(seq, state, decide(rules, state, state.round.to_move, rules.parse_move(state, text)))
        state = after


def played_board(variant: str, seats: int, board: int) -> tuple[str, ...]:
    """Return the moves and the standing of a board that bots play."""
    rules = registry()[variant]
    start = board_start(rules, seats, board)
    key = deal_source(start).round_key(SECRET, 1)
    state, moves = dealt_board(start, key), list[str]()
    for text, position in board_moves(state, key, [OPPONENT_LEVEL] * seats):
        moves.append(text)
        state = position
    return *moves, str(state.standing)


def different_boards(rules: Rules, seats: int, boards: int) -> list[int]:
    """Return the boards that two processes play differently. Their sets have different orders."""
    play, numbers = partial(played_board, rules.key, seats), range(1, boards + 1)
    one, other = (ProcessPoolExecutor(1, mp_context=get_context("spawn")) for _ in range(2))
    with one, other:
        pairs = zip(one.map(play, numbers, chunksize=20), other.map(play, numbers, chunksize=20), strict=True)
        return [number for number, (first, second) in zip(numbers, pairs, strict=True) if first != second]


def comparison_text(rules: Rules, seats: int, boards: int, levels: Sequence[str], *, by_losses: bool) -> str:
    """Return the comparison of two levels, better first, as a line of text."""
    if by_losses:
        rows = loss_rows(rules, seats, boards, levels)
        text = f"{boards - len(rows[0])} of them without a choice: {compare(*rows).text('choice')}"
    else:
        text = compare(*raw_rows(rules, seats, boards, levels)).text("board")
    return f"{rules.key} {seats} seats, {boards} boards, {text}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", choices=sorted(registry()))
    parser.add_argument("--boards", type=int, default=120)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--better", choices=LEVELS, default="strong")
    parser.add_argument("--worse", choices=LEVELS, default="beginner")
    parser.add_argument("--lost", action="store_true", help="compare by points lost a choice, from match reports")
    parser.add_argument("--alike", action="store_true", help="play each board twice, and compare")
    arguments = parser.parse_args()
    is_different = False
    for rules in [registry()[arguments.variant]] if arguments.variant else registry().values():
        if arguments.alike:
            different = different_boards(rules, arguments.seats, arguments.boards)
            is_different |= bool(different)
            print(f"{rules.key}: {arguments.boards} boards, played differently: {different}", flush=True)
            continue
        levels = arguments.better, arguments.worse
        text = comparison_text(rules, arguments.seats, arguments.boards, levels, by_losses=arguments.lost)
        print(text, flush=True)
    if is_different:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
