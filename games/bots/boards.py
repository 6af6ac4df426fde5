"""Boards between bots: the same deal and levels give the same moves in every process."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from games.bots import choose_move
from games.bots.levels import LEVELS
from games.engine.deal import BOT, PROBE, bot_seed, deal_source
from games.engine.decide import apply_move, deal_round
from games.engine.events import MatchStarted
from games.engine.evolve import evolve, start_state
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for

# Rises with every change of what a bot chooses (tests/records/bot_choices.txt). Sets of another version close early.
BOTS_VERSION = 1
OPPONENT_LEVEL = "steady"  # of the bots whom a person meets on a daily board


def play_board(start: MatchStarted, secret: str, levels: Sequence[str], *, probes: Collection[int] = ()) -> State:
    """Return the end of a board with a bot of a level in each seat.

    ``probes`` are the seats in which a bot plays as a person would: it draws other random numbers than the opponents.
    """
    key = deal_source(start).round_key(secret, 1)
    state = dealt_board(start, key)
    for _text, position in board_moves(state, key, levels, probes=probes):
        state = position
    return state


def board_moves(
    state: State, key: str, levels: Sequence[str], *, probes: Collection[int] = ()
) -> Iterator[tuple[str, State]]:
    """Yield the moves from a position to the end of the round, each with the position after it."""
    rules = rules_for(state.setup.variant)
    while (seat := state.round.to_move) is not None:
        seed = bot_seed(key, seat, len(state.round.moves), name=PROBE if seat in probes else BOT)
        text = choose_move(view_for(rules, state, seat), levels[seat], seed)
        state = apply_move(rules, state, seat, rules.parse_move(state, text))[1]
        yield text, state


def scores_of_levels(start: MatchStarted, secret: str, seat: int) -> dict[str, list[int]]:
    """Return the scores of all sides if a bot of each level plays a board in ``seat``."""
    return dict(zip(LEVELS, probe_board(start, secret, seat, list(LEVELS)), strict=True))


def dealt_board(start: MatchStarted, key: str) -> State:
    """Return the position of a board after its deal. ``key`` is that of its only round."""
    rules, state = rules_for(start.variant), start_state(start)
    for event in deal_round(rules, state, deal_source(start).shuffler(key, 1, len(rules.tile_set))):
        state = evolve(state, event)
    return state


def probe_board(start: MatchStarted, secret: str, seat: int, levels: Sequence[str]) -> Iterator[list[int]]:
    """Yield the scores of all sides for each level in ``seat``, and its partner's, among the usual opponents."""
    for level in levels:
        seats, probes = probe_table(start, seat, level)
        yield [standing.points for standing in play_board(start, secret, seats, probes=probes).standing]


def probe_table(start: MatchStarted, seat: int, level: str) -> tuple[list[str], list[int]]:
    """Return the levels of all seats, and the seats that have ``level``: ``seat`` and its partner's."""
    sides = rules_for(start.variant).sides(start.seats, dict(start.options))
    probes = [index for index, side in enumerate(sides) if side == sides[seat]]
    return [level if index in probes else OPPONENT_LEVEL for index in range(start.seats)], probes
