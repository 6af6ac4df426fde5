"""The list of a round's moves: complete on the page, and the newest in a frame, which the page appends."""

from __future__ import annotations

import re

from games.rendering.moves import MAX_NEWEST_MOVES, move_list, newest_moves
from games.words.lookup import words_for
from tests.engine.positions import move, position
from tests.games.rendering.positions import FOUR_HANDS, RULES, WORDS, dealt, played, seen, table_at, table_of, texts
from tests.games.rendering.test_gains import TRIOMINOES, in_play
from tests.games.rendering.test_gains import WORDS as FIVES_WORDS


def lines(html: str) -> list[str]:
    return [texts(line) for line in re.findall(r"<li .*?</li>", html)]


def test_line_has_player_move_and_points() -> None:
    moves = move_list(table_at(in_play()), seen(in_play()), None, FIVES_WORDS)
    assert lines(moves) == [
        "Masha 6-4 +10",
        "Alex 6-1 on the left +5",
    ]


def test_a_drawn_tile_is_not_named_even_to_its_player() -> None:
    state = position(TRIOMINOES, hands=["0-0-0 1-1-1", "2-2-2"], laid="U(0,0)=3/4/5", boneyard="0-0-1 0-0-2")
    state = move(TRIOMINOES, state, "draw")
    words = words_for("triominoes", "en")
    for seat, line in ((None, "Masha draw −5"), (0, "You draw −5"), (1, "Masha draw −5")):
        assert lines(move_list(table_at(state), seen(state, seat), seat, words)) == [line]


def test_frame_has_only_the_end_of_the_list() -> None:
    state = dealt(FOUR_HANDS)
    for _ in range(MAX_NEWEST_MOVES + 3):
        state = played(state, RULES.move_text(RULES.legal_moves(state)[0]))
        view = seen(state, 0)
        whole, newest = (part(table_of(), view, 0, WORDS) for part in (move_list, newest_moves))
        assert lines(newest) == lines(whole)[-MAX_NEWEST_MOVES:]
    numbers = re.findall(r'data-number="(\d+)"', newest)
    assert numbers == [str(MAX_NEWEST_MOVES + 3 - older) for older in reversed(range(MAX_NEWEST_MOVES))]


def test_list_is_empty_before_the_first_deal() -> None:
    assert lines(move_list(table_of(), None, None, WORDS)) == []
    assert 'data-of="0"' in newest_moves(table_of(), None, None, WORDS)
