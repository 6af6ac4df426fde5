"""Rytmino beside a second, naive program: the same placements, scores and numbers of move sequences."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from games.engine.decide import deal_explicit, decide, new_match
from games.engine.evolve import evolve, start_state
from games.engine.layout.grid import Grid
from games.engine.layout.slots import cells_of, slots_containing
from games.engine.moves import Draw, Play
from games.engine.referee import perft
from games.engine.refusal import Refusal
from games.engine.rules import Deal
from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.positions import broken, layout_of, somewhere
from tests.variants import naive_rytmino as naive

RYTMINO = rules_for("rytmino")
TILES = sorted(set(RYTMINO.tile_set))


def table(state: State) -> tuple[naive.Board, naive.Laid]:
    return naive.table(" ".join([*state.round.start, *(play.place for play in state.round.plays)]))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_placements_and_scores_agree_with_the_naive_program(seed: int, seats: int) -> None:
    for moves in (0, 3, 8, 15, 22, 40):
        state = somewhere(RYTMINO, seed, seats, moves)
        board, laid = table(state)
        assert layout_of(state, Grid).values == board
        for tile in TILES:
            places = layout_of(state, Grid).places(tile)
            assert len(places) == len(set(places))
            assert set(places) == naive.placements(board, laid, tile)
            assert layout_of(state, Grid).fits([tile]) == bool(places)
            for place in places:
                assert RYTMINO.play_points(state.round, Play(tile, place)).total == naive.score(board, place)


def scores(state: State) -> set[int]:
    """Return how many lines any placement would extend."""
    slots = {slot for slot, pairs in layout_of(state, Grid).slots.items() if pairs}
    return {len(layout_of(state, Grid).extended(slot)) for slot in slots}


def test_random_positions_cover_lines_stacks_and_dead_cells() -> None:
    states = [somewhere(RYTMINO, seed, 2, 20) for seed in range(12)]
    assert set.union(*map(scores, states)) == {2, 3}
    assert any(layout_of(state, Grid).slots_closed_by_stack_rule() for state in states)
    assert any(not numbers for state in states for numbers in layout_of(state, Grid).border().values())


@pytest.mark.parametrize("seed", range(1, 6, 2))
def test_border_agrees_with_the_lines_of_each_cell(seed: int) -> None:
    state = somewhere(RYTMINO, seed, 3, 4 * seed)
    board, _ = table(state)
    border = layout_of(state, Grid).border()
    assert border
    for cell, numbers in border.items():
        fitting = []
        for number in range(1, 6):
            after = {**board, cell: number}
            lines = naive.lines(board, {cell: number})
            if all(tuple(after[there] for there in line) in naive.RHYTHMS[len(line)] for line in lines):
                fitting.append(number)
        assert list(numbers) == fitting


@pytest.mark.parametrize("seed", range(3))
def test_only_the_stack_rule_closes_a_stacked_slot(seed: int) -> None:
    state = somewhere(RYTMINO, seed, 2, 20)
    board, laid = table(state)
    stacked = set(layout_of(state, Grid).slots_closed_by_stack_rule())
    for tile in TILES:
        for text in naive.texts(board, tile):
            _, new = naive.cells(text)
            if naive.objection(board, laid, text) == "stack":
                assert any(set(new) == set(cells_of(slot)) and slot.way == text[0] for slot in stacked)
    for slot in stacked:
        texts = [text for tile in TILES for text in naive.texts(board, tile)]
        here = [text for text in texts if text.startswith(f"{slot.way}({slot.x},{slot.y})=")]
        assert {naive.objection(board, laid, text) for text in here} <= {"valid", "stack"}


@pytest.mark.parametrize("seed", range(2))
def test_stored_slots_agree_with_their_lines(seed: int) -> None:
    for moves in range(1, 26, 2):
        layout = layout_of(somewhere(RYTMINO, seed, 4, moves), Grid)
        near = {slot for cell in layout.border() for slot in slots_containing(cell)}
        fitting = {slot: layout.fitting_pairs(slot) for slot in near if layout.objection_to_slot(slot) == ""}
        assert layout.slots == {slot: pairs for slot, pairs in fitting.items() if pairs}
        assert pickle.loads(pickle.dumps(layout)).slots == layout.slots


# Move sequences

DEALS = {
    "two": (["H(0,0)=2-4", "H(0,1)=3-1"],
            ["1-1 1-1 2-1 2-2 3-2 3-3 4-1 4-3 4-4 5-1 5-2 5-3 5-4 5-5",
             "2-1 2-2 3-1 3-2 3-3 4-1 4-2 4-3 4-4 5-1 5-2 5-3 5-4 5-5"], ""),
    "three": (["H(0,0)=3-3", "H(0,1)=5-1"],
              ["1-1 2-1 3-1 4-1 5-1 2-2 3-2 4-2 5-2", "1-1 2-1 3-1 4-1 2-2 3-2 4-2 5-2 3-3",
               "4-3 5-3 4-4 5-4 5-5 4-3 5-3 4-4 5-4"], "5-5"),
    "four": (["H(0,0)=4-5", "H(0,1)=2-3"],
             ["3-1 4-2 4-1 5-5 4-3 4-4 4-4", "3-3 5-2 5-1 5-2 2-2 4-2 3-2", "5-4 1-1 5-5 5-3 1-1 5-1 2-1",
              "2-2 4-3 4-1 5-3 2-1 3-3 3-1"], ""),
}  # fmt: skip
# Of the first moves; the naive program agrees.
PINNED = {"two": [54, 3428], "three": [25, 466, 5133], "four": [25, 648, 14248]}


def dealt(start: list[str], hands: list[str], aside: str) -> State:
    names = RYTMINO.tile_names
    dealt_hands = tuple(tuple(names[text] for text in hand.split()) for hand in hands)
    deal = Deal(dealt_hands, (), tuple(start), tuple(names[text] for text in aside.split()))
    state = start_state(new_match(RYTMINO, len(hands), {}))
    (event,) = deal_explicit(RYTMINO, state, deal, lead=0)
    return evolve(state, event)


def count_naively(state: State, depth: int) -> int:
    assert state.round.to_move is not None
    return naive.count_sequences(state.hands, *table(state), state.round.to_move, depth)


@pytest.mark.parametrize("name", DEALS)
def test_perft_counts_are_unchanged(name: str) -> None:
    depths = range(1, len(PINNED[name]) + 1)
    assert [perft(RYTMINO, dealt(*DEALS[name]), depth) for depth in depths] == PINNED[name]


@pytest.mark.parametrize("name", DEALS)
def test_naive_program_agrees_from_the_deal(name: str) -> None:
    assert [count_naively(dealt(*DEALS[name]), depth) for depth in (1, 2)] == PINNED[name][:2]


@pytest.mark.parametrize(("seed", "seats", "moves"), [(1, 2, 22), (2, 3, 20), (3, 4, 24), (4, 4, 26), (5, 3, 23)])
def test_naive_program_agrees_near_the_end(seed: int, seats: int, moves: int) -> None:
    state = somewhere(RYTMINO, seed, seats, moves)
    for depth in (1, 3):
        assert perft(RYTMINO, state, depth) == count_naively(state, depth)


# Illegal moves


def broken_rule(state: State, text: str) -> str:
    """Return the rule that a placement breaks, by the naive program; "" if none."""
    halves = sorted(map(int, text.partition("=")[2].split("-")), reverse=True)
    assert state.round.to_move is not None
    if tuple(halves) not in state.hands[state.round.to_move]:
        return "rytmino.turn"
    rule = naive.objection(*table(state), text)
    return f"rytmino.{rule}" if rule else ""


def random_text(state: State, chance: Random) -> str:
    """Return a placement on or near the tiles, often of a tile in hand, often where its slot is open or stacked."""
    assert state.round.to_move is not None
    tile = chance.choice(state.hands[state.round.to_move] if chance.random() < 0.8 else TILES)
    one, other = chance.sample(tile, 2)
    slots = [
        *layout_of(state, Grid).slots,
        *layout_of(state, Grid).slots_closed_by_stack_rule(),
        *layout_of(state, Grid).slots_closed_by_stack_rule(),
    ]
    way, x, y = chance.choice(slots) if slots else ("H", 0, 0)
    if chance.random() < 0.4:
        way, x, y = chance.choice("HV"), x + chance.randint(-1, 1), y + chance.randint(-1, 1)
    return f"{way}({x},{y})={one}-{other}"


def test_random_placements_are_judged_like_the_naive_program() -> None:
    rules = set()
    for seed in range(3):
        chance = Random(seed)
        for moves in (0, 5, 12, 20):
            state = somewhere(RYTMINO, seed, 2 + seed % 3, moves)
            before = hash(state)
            for _ in range(100):
                text = random_text(state, chance)
                rules.add(broken_rule(state, text))
                assert broken(RYTMINO, state, RYTMINO.parse_move(state, text)) == broken_rule(state, text), text
            assert hash(state) == before
    assert rules == {"", *(f"rytmino.{name}" for name in ("turn", "free", "valid", "two", "stack"))}


@pytest.mark.parametrize("move", [Play((5, 2), "left"), Play((5, 2), "V(2,0)=1-1"), Play((9, 9), "")])
def test_a_placement_of_another_tile_than_it_names_is_refused(move: Play) -> None:
    for state in (somewhere(RYTMINO, 1, 2, 0), somewhere(RYTMINO, 1, 2, 15)):
        with pytest.raises(Refusal) as caught:
            decide(RYTMINO, state, state.round.to_move, move)
        assert (caught.value.code, caught.value.rule) == ("illegal_move", "rytmino.turn")


def test_nobody_ever_draws() -> None:
    for seed in range(5):
        assert Draw() not in RYTMINO.legal_moves(somewhere(RYTMINO, seed, 2 + seed % 3, 7 * seed))
