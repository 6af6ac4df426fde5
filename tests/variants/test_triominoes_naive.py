"""Triominoes beside a second, naive program: the same placements, scores and numbers of move sequences."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from games.engine.decide import deal_explicit, decide, new_match
from games.engine.evolve import evolve, start_state
from games.engine.layout.lattice import Cell, Lattice, place_text
from games.engine.moves import Draw, Pass, Play
from games.engine.referee import perft
from games.engine.refusal import Refusal
from games.engine.rules import Deal
from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.positions import broken, layout_of, somewhere
from tests.variants import naive_triominoes as naive
from tests.variants.triominoes_boards import T12, T15, T17, THREE_HEXAGONS

TRIOMINOES = rules_for("triominoes")
TILES = TRIOMINOES.tile_set


def naive_board(state: State) -> naive.Board:
    return naive.board_of(" ".join(play.place for play in state.round.plays))


@pytest.mark.parametrize("example", [T12, T15, T17, THREE_HEXAGONS])
def test_the_naive_program_reads_and_writes_placements(example: str) -> None:
    for text in example.split():
        assert naive.written(*naive.read(text)) == text


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_placements_and_scores_agree_with_the_naive_program(seed: int, seats: int) -> None:
    for moves in (1, 4, 9, 20, 60):
        state = somewhere(TRIOMINOES, seed, seats, moves)
        board = naive_board(state)
        unplayed = [tile for tile in TILES if all(tile != play.tile for play in state.round.plays)]
        for tile in unplayed[:: 1 + len(unplayed) // 12]:
            places = layout_of(state, Lattice).places(tile)
            assert len(places) == len(set(places))
            assert set(places) == naive.placements(board, tile)
            for place in places:
                points = TRIOMINOES.play_points(state.round, Play(tile, place))
                assert points.total == naive.score(board, place)


def scores(state: State) -> set[int]:
    """Return the bonuses that any tile still to come could bring."""
    bonuses = set()
    for tile in TILES:
        for place in state.round.layout.places(tile):
            bonuses.add(TRIOMINOES.play_points(state.round, Play(tile, place)).total - sum(tile))
    return bonuses


def test_random_positions_cover_bridges_and_hexagons() -> None:
    bonuses: set[int] = set()
    for seed in range(15):
        bonuses |= scores(somewhere(TRIOMINOES, seed, 2, 60))
    assert {0, 40, 50} <= bonuses


# Move sequences

HANDS = {
    "two": ["0-0-5 0-4-4 1-4-4 1-4-5 2-2-4 2-3-3 3-3-3", "0-1-1 0-3-4 1-2-3 1-3-5 2-4-4 3-4-5 4-4-4"],
    "three": ["0-0-0 5-5-5 1-2-4 0-3-5 2-2-3 1-1-1 0-1-4", "4-5-5 1-5-5 0-2-4 3-3-4 2-3-5 0-0-1 1-3-3",
              "3-4-4 0-4-5 2-2-2 1-1-5 0-0-3 2-5-5 1-2-2"],
    "four": ["0-1-5 2-3-4 1-2-5 0-0-4 3-4-5 0-2-2 1-1-4", "4-4-5 0-3-3 1-4-4 2-2-5 0-1-3 1-3-4 0-4-4",
             "3-5-5 1-1-2 0-2-3 2-4-5 0-0-2 1-2-2 3-3-5", "2-5-5 0-5-5 1-3-3 0-1-2 2-2-3 0-3-5 1-5-5"],
}  # fmt: skip
# Of the first to the seventh move; the naive program agrees.
PINNED = {
    "two": [1, 7, 28, 112, 337, 874, 2065],
    "three": [2, 11, 50, 152, 398, 1046, 2852],
    "four": [1, 5, 17, 47, 130, 409, 1415],
}


def dealt(hands: list[str]) -> State:
    """Return the first round with these hands, the pool in rising order."""
    dealt_hands = tuple(map(TRIOMINOES.read_tiles, hands))
    rest = tuple(tile for tile in TILES if not any(tile in hand for hand in dealt_hands))
    state = start_state(new_match(TRIOMINOES, len(hands), {}))
    (event,) = deal_explicit(TRIOMINOES, state, Deal(dealt_hands, rest), lead=0)
    return evolve(state, event)


def count_naively(state: State, depth: int) -> int:
    assert state.round.to_move is not None
    turn = (state.round.drawn, state.round.passes, () if state.round.plays else state.must_lead)
    return naive.count_sequences(state.hands, state.boneyard, naive_board(state), state.round.to_move, depth, turn)


@pytest.mark.parametrize("name", HANDS)
def test_perft_counts_are_unchanged(name: str) -> None:
    assert [perft(TRIOMINOES, dealt(HANDS[name]), depth) for depth in range(1, 8)] == PINNED[name]


@pytest.mark.parametrize("name", HANDS)
def test_naive_program_agrees_from_the_deal(name: str) -> None:
    assert [count_naively(dealt(HANDS[name]), depth) for depth in range(1, 6)] == PINNED[name][:5]


@pytest.mark.parametrize(("seed", "seats", "moves"), [(1, 2, 8), (2, 3, 20), (3, 4, 45), (4, 2, 90), (5, 3, 95)])
def test_the_naive_program_counts_the_same_in_mid_round(seed: int, seats: int, moves: int) -> None:
    state = somewhere(TRIOMINOES, seed, seats, moves)
    for depth in (1, 2):
        assert perft(TRIOMINOES, state, depth) == count_naively(state, depth)


# Illegal moves


def broken_rule(state: State, text: str) -> str:
    """Return the rule that a placement breaks, by the naive program; "" if none."""
    triangle, numbers = naive.read(text)
    board = naive_board(state)
    values = {vertex: number for laid in board.values() for vertex, number in laid.items()}
    assert state.round.to_move is not None
    if tuple(sorted(numbers.values())) not in state.hands[state.round.to_move]:
        return "triominoes.turn"
    if triangle in board or not naive.edge_neighbours(board, triangle):
        return "triominoes.edge"
    if any(values.get(vertex, number) != number for vertex, number in numbers.items()):
        return "triominoes.corners"
    return "" if naive.is_tile(triangle, numbers) else "triominoes.rotation"


def random_text(state: State, chance: Random) -> str:
    """Return a placement near the table: of a tile in hand or not, on any cell or with numbers that agree there."""
    assert state.round.to_move is not None
    tile = chance.choice(state.hands[state.round.to_move] if chance.random() < 0.8 else TILES)
    free = list(layout_of(state, Lattice).free)
    cell = chance.choice([*free, *layout_of(state, Lattice).cells])
    moved = Cell(chance.choice("UD"), cell.i + chance.randint(-1, 1), cell.j)
    agreeing = [
        (target, turned)
        for target in free
        for turned in permutations(tile)
        if all(
            corner in (None, number)
            for corner, number in zip(layout_of(state, Lattice).free[target], turned, strict=True)
        )
    ]
    place = chance.choice(agreeing) if agreeing and chance.random() < 0.4 else (moved, chance.sample(tile, 3))
    return place_text(*place)


@pytest.mark.parametrize("seed", range(2))
def test_random_placements_are_judged_like_the_naive_program(seed: int) -> None:
    chance = Random(seed)
    rules = set()
    for moves in (1, 5, 15, 40):
        state = somewhere(TRIOMINOES, seed, 2 + seed % 3, moves)
        before = hash(state)
        for _ in range(150):
            text = random_text(state, chance)
            rules.add(broken_rule(state, text))
            assert broken(TRIOMINOES, state, TRIOMINOES.parse_move(state, text)) == broken_rule(state, text), text
        assert hash(state) == before
    assert rules == {"", *(f"triominoes.{name}" for name in ("turn", "edge", "corners", "rotation"))}


@pytest.mark.parametrize("move", [Play((3, 4, 5), "left"), Play((3, 4, 5), "U(0,0)=0/0/0"), Play((9, 9, 9), "")])
def test_a_placement_of_another_tile_than_it_names_is_refused(move: Play) -> None:
    for state in (somewhere(TRIOMINOES, 1, 2, 0), somewhere(TRIOMINOES, 1, 2, 30)):
        with pytest.raises(Refusal) as caught:
            decide(TRIOMINOES, state, state.round.to_move, move)
        assert (caught.value.code, caught.value.rule) == ("illegal_move", "triominoes.turn")


def test_there_is_always_exactly_one_way_to_go_on_without_placing() -> None:
    for seed in range(6):
        state = somewhere(TRIOMINOES, seed, 2 + seed % 3, 10 + 12 * seed)
        rest = [move for move in TRIOMINOES.legal_moves(state) if not isinstance(move, Play)]
        assert rest in ([Draw()], [Pass()])
