"""The worked examples of Classic goat through the referee protocol alone.

Who holds 0-0 leads it, and four players are dealt all tiles: so with four of them 0-0 cannot be left in a hand (G-08,
G-09), and the line of K-06, which lacks it, cannot be laid (G-10). test_gamezz_end.py holds those by the letter; here
stand the nearest that can be dealt.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.engine.table import Answer, RefereeClient
from tests.variants import gamezz_rounds as rounds
from tests.variants.kozel_rounds import Round

SET = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]


def dealt(hands: Sequence[str], boneyard: str = "", standing: Sequence[int] = ()) -> RefereeClient:
    """Return a referee with these hands dealt; the boneyard begins with these tiles."""
    table = RefereeClient()
    table.do("new", variant="gamezz", seats=len(hands))
    if standing:
        table.do("standing", standing=list(standing))
    named = {"-".join(sorted(each.split("-"), reverse=True)) for each in f"{' '.join(hands)} {boneyard}".split()}
    table.deal(hands, " ".join([*boneyard.split(), *(each for each in SET if each not in named)]))
    return table


def played(given: Round, *, standing: Sequence[int] = (), upto: int | None = None) -> tuple[RefereeClient, Answer]:
    """Play a round from this standing, to its end or to a move; check what is left in the hands at the end."""
    table = dealt(given.hands, given.boneyard, standing)
    state = table.play(*given.moves.split(", ")[:upto])
    if upto is None:
        assert [sorted(hand) for hand in state["hands"]] == [sorted(left.split()) for left in given.left]
    return table, state


def leads(hands: Sequence[str], boneyard: str) -> tuple[int, list[str]]:
    state = dealt(hands, boneyard).do("state")
    return state["to_move"], state["legal"]


def test_the_variant_is_listed_with_its_one_option() -> None:
    (found,) = [each for each in RefereeClient().do("variants")["variants"] if each["key"] == "gamezz"]
    assert found["seats"] == [2, 3, 4]
    assert found["options"] == {"length": {"default": "full", "choices": ["full", "quick"]}}


def test_g01_tiles_lie_end_to_end() -> None:
    # 0-0 and the doubles above 1-1 lie in the boneyard, so 1-1 is led.
    hands = ["1-1 5-3 6-5 6-4 5-0 4-0 3-0", "5-1 3-2 6-3 6-2 5-4 4-3 2-0"]
    table = dealt(hands, "0-0 6-6 5-5 4-4 3-3 2-2")
    state = table.play("1-1", "1-5 right", "5-3 right", "3-2 right")
    assert state["layout"] == ["1-1", "5-1 right", "5-3 right", "3-2 right"]
    assert state["legal"] == ["draw"]  # ends 1 and 2; seat 0 holds 6-5, 6-4, 5-0, 4-0, 3-0


def test_g02_0_0_leads() -> None:
    hands = ["0-0 6-5 6-4 5-4 2-1 3-0 1-0", "6-6 6-3 5-0 4-1 5-3 2-0 6-1"]
    table = dealt(hands)
    assert table.do("state")["legal"] == ["0-0"]
    for text in ("6-5", "1-0"):
        assert table.refuses(do="move", seat=0, move=text) == ("illegal_move", "gamezz.lead")
    assert table.refuses(do="move", seat=1, move="6-6") == ("not_your_turn", None)


def test_g03_0_0_in_the_boneyard() -> None:
    hands = ["5-5 6-5 6-4 5-4 2-1 3-0 1-0", "6-6 6-3 5-0 4-1 5-3 2-0 6-1"]
    assert leads(hands, "0-0") == (1, ["6-6"])


def test_g04_no_double_in_the_hands() -> None:
    hands = ["6-5 6-4 5-4 2-1 3-0 1-0 4-3", "6-3 5-0 4-1 5-3 2-0 6-1 5-2"]
    assert leads(hands, "0-0") == (0, ["6-5"])


def test_g05_equal_sums_by_the_higher_half() -> None:
    hands = ["6-3 2-1 3-0 1-0 4-3 6-2 6-1", "5-4 5-0 4-1 5-3 2-0 5-2 4-2"]
    assert leads(hands, "6-5 6-4") == (0, ["6-3"])


def test_g06_four_players_skip_at_once() -> None:
    hands = [
        "0-0 1-0 2-0 3-0 6-5 5-4 4-4",
        "4-0 5-0 6-0 6-6 5-5 2-2 2-1",
        "6-1 5-1 4-1 6-2 5-2 4-2 3-2",
        "1-1 3-1 3-3 4-3 5-3 6-3 6-4",
    ]
    table = dealt(hands)
    state = table.play("0-0", "4-0 left", "4-2 left")  # ends 2 and 0
    assert (state["to_move"], state["legal"]) == (3, ["pass"])
    assert table.refuses(do="move", seat=3, move="draw") == ("illegal_move", "gamezz.draw")
    state = table.play("pass")
    assert (state["to_move"], state["legal"]) == (0, ["1-0 right", "2-0 left", "2-0 right", "3-0 right"])


def test_g07_draw_until_one_fits() -> None:
    table, state = played(rounds.G07)
    assert (state["to_move"], state["legal"]) == (1, ["draw"])
    assert sorted(state["hands"][1]) == ["0-0", "3-2"]
    assert state["boneyard"] == ["5-5", "6-3", "4-2", "6-0"]
    assert table.refuses(do="move", seat=1, move="pass") == ("illegal_move", "gamezz.draw")
    state = table.play("draw", "draw", "draw")
    assert (state["to_move"], state["legal"], state["boneyard"]) == (1, ["4-2 left"], ["6-0"])
    assert table.refuses(do="move", seat=1, move="draw") == ("illegal_move", "gamezz.turn")
    state = table.play("4-2 left")
    assert sorted(state["hands"][1]) == ["0-0", "3-2", "5-5", "6-3"]
    # Ends 2 and 1; seat 0 holds 2-2, 5-2, 2-0, 5-1.
    assert state["legal"] == ["2-0 left", "2-2 left", "5-1 right", "5-2 left"]


def test_g08_the_others_add_their_pips() -> None:
    _, state = played(rounds.G15, standing=[1, 2, 3, 4])
    assert state["round_over"] == {"reason": "out", "seat": 3, "points": [6, 10, 12, 0]}
    assert state["standing"] == [7, 12, 15, 4]
    assert state["match_over"] is None


def test_g09_a_lone_blank() -> None:
    _, state = played(rounds.G09, standing=[0, 40])
    assert state["round_over"] == {"reason": "out", "seat": 0, "points": [0, 0]}
    assert state["standing"] == [0, 40]


def test_g10_the_blocker_adds_nothing() -> None:
    # 4-0; 2-2, 1-0; 4-4; the blocker has 4-1.
    _, state = played(rounds.BLOCKED)
    assert state["round_over"] == {"reason": "blocked", "seat": 3, "points": [4, 5, 8, 0]}


def test_g10_the_sixth_non_double_does_not_block() -> None:
    table, state = played(rounds.BLOCKED, upto=-3)
    assert state["layout"][-1] == "6-2 left"
    assert (state["round_over"], state["to_move"], state["legal"]) == (None, 1, ["pass"])
    state = table.play("pass", "pass")
    assert (state["to_move"], state["legal"]) == (3, ["6-6 left", "6-6 right"])


def test_g10_a_block_while_the_boneyard_has_tiles() -> None:
    # 5-1, 5-4, 1-1: 17; 4-4, 3-1, 3-2, 4-1: 22.
    table, state = played(rounds.BLOCKED_WITH_A_BONEYARD)
    assert state["round_over"] == {"reason": "blocked", "seat": 2, "points": [17, 22, 0]}
    assert state["boneyard"] == ["2-2", "5-5"]
    assert table.refuses(do="move", seat=0, move="draw") == ("round_over", None)


def test_g15_the_match_is_over() -> None:
    table, state = played(rounds.G15, standing=[95, 60, 88, 40])
    assert state["standing"] == [101, 70, 100, 40]
    assert state["match_over"] == {"places": [4, 2, 3, 1], "losers": [0]}
    assert table.refuses(do="deal", seed="next") == ("match_over", None)


def test_g19_no_redeal() -> None:
    hands = ["6-0 6-1 6-2 6-3 6-4 6-5 6-6", "0-0 1-0 2-0 3-0 4-0 5-0 1-1"]
    assert leads(hands, "") == (1, ["0-0"])


def test_every_round_is_led_by_the_list() -> None:
    table, _ = played(rounds.G15)
    state = table.deal(rounds.G15.hands)
    assert (state["round"], state["to_move"], state["legal"]) == (2, 3, ["0-0"])


@pytest.mark.parametrize("standing", [["0", "0"], [0], [0, 0, 0], [0, 1.0], [True, 0], [0, None]])
def test_a_standing_is_a_whole_number_a_seat(standing: list[object]) -> None:
    table = RefereeClient()
    table.do("new", variant="gamezz", seats=2)
    assert table.refuses(do="standing", standing=standing) == ("bad_request", None)
    assert table.refuses(do="standing", standing=[0, 0], pot=1) == ("bad_request", None)
