"""The common code of the variants: registry, new matches, lots, tallies, and hooks that Kozel does not need."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from games.engine import variants
from games.engine.decide import deal_explicit, deal_round, decide, leave_match, new_match, stop_match
from games.engine.ending import Ending, points_by_moves
from games.engine.events import (
    STOP_REASONS,
    Drew,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Points,
    RoundDealt,
    RoundEnded,
    Standing,
    Term,
)
from games.engine.evolve import evolve, start_state
from games.engine.layout.line import Line
from games.engine.leads import Lead
from games.engine.moves import Draw, Move, Play
from games.engine.options import Option
from games.engine.ranking import ranks
from games.engine.refusal import TEXTS, Refusal
from games.engine.rules import Deal, Lot, Rules, RulesOf
from games.engine.state import MoveMade, Round, State
from games.engine.tiles import double_set, is_double, pips, tile_text
from games.engine.variants import UnknownVariant, registry, rules_for
from tests.engine.positions import in_round


def test_the_registry_finds_every_module_under_its_name() -> None:
    modules = {path.stem for path in Path(variants.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(registry()) == modules
    for key, rules in registry().items():
        assert rules.key == key
        assert rules_for(key) is rules


def test_unknown_variant_is_refused() -> None:
    for key in ("chess", "", "__init__"):
        with pytest.raises(UnknownVariant):
            rules_for(key)


@pytest.mark.parametrize("rules", registry().values(), ids=registry())
def test_every_variant_is_complete(rules: Rules) -> None:
    assert rules.name
    assert rules.seat_counts
    assert rules.rules_version >= 1
    assert list(rules.tile_set) == sorted(rules.tile_set)
    assert len(set(rules.rules_ids)) == len(rules.rules_ids)
    assert all(rule.startswith((f"{rules.key}.", "quick.")) for rule in rules.rules_ids)
    assert set(rules.refusals) <= set(rules.rules_ids)
    cited = {rules.turn_rule, rules.must_play_rule, rules.draw_rule, rules.pass_rule}
    assert cited - {""} <= set(rules.refusals)
    assert all(option.default == option.choices[0] for option in rules.options)


class Toy(RulesOf[Line]):
    """A game for tests: partners, lots for the lead, one tile aside, points for each tile, an option for four."""

    key = "toy"
    name = "Toy"
    seat_counts = (2, 4)
    options = (Option("partners", ("no", "yes"), "no", seats=(4,)), Option("pace", ("slow", "fast"), "slow"))
    tile_set = double_set(3)
    layout = Line()
    rules_ids = ("toy.turn",)
    refusals = {"toy.turn": "So it is."}
    turn_rule = must_play_rule = draw_rule = pass_rule = out_rule = "toy.turn"

    def sides(self, seats: int, options: Mapping[str, str]) -> tuple[int, ...]:
        return (0, 1) * (seats // 2) if options["partners"] == "yes" else tuple(range(seats))

    def hand_size(self, state: State) -> int:
        return 2

    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        return Lead(lot(range(state.setup.seats)), "toy.turn")

    def move_points(self, state: State, move: Move) -> Points:
        return Points(pips(move.tile)) if isinstance(move, Play) else Points(-5)

    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        none = (Points(0),) * len(state.standing)
        return RoundEnded(
            state.round.number,
            ending.reason,
            ending.seat,
            ending.rule,
            none,
            state.standing,
            state.standing,
            (),
            0,
            None,
        )

    def match_end_after_round(self, state: State) -> MatchEnded | None:
        return None


TOY = Toy()


def toy_state(seats: int = 2, **options: str) -> State:
    started = new_match(TOY, seats, options)
    sides = TOY.sides(seats, dict(started.options))
    kozel = start_state(MatchStarted("kozel", seats, started.options, 1))
    return replace(kozel, setup=replace(kozel.setup, sides=sides), standing=(Standing(),) * len(set(sides)))


@pytest.mark.parametrize("rules", registry().values(), ids=registry())
@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 28])
def test_seat_counts_out_of_range_are_refused(rules: Rules, seats: int) -> None:
    with pytest.raises(Refusal, match="understood") as caught:
        new_match(rules, seats, {})
    assert caught.value.code == "bad_request"


@pytest.mark.parametrize("rules", registry().values(), ids=registry())
def test_every_rule_has_a_test_named_for_it(rules: Rules) -> None:
    folder = Path(__file__).parents[1] / "variants"
    text = "".join(path.read_text() for path in folder.glob(f"test_{rules.key}*.py"))
    named = {f"{rules.key}.{name}" for name in re.findall(rf"def test_{rules.key}_([a-z]\w*?)__", text)}
    assert named == {rule for rule in rules.rules_ids if not rule.startswith("quick.")}


def test_missing_options_take_their_defaults() -> None:
    started = new_match(TOY, 4, {"pace": "fast"}, match="m", commitment="c", nonces=["a"])
    assert started == MatchStarted("toy", 4, (("partners", "no"), ("pace", "fast")), 1, "m", "c", ("a",))


def test_match_start_has_nonce_commitments_and_bots() -> None:
    started = new_match(TOY, 2, {}, nonces=["a", ""], nonce_commitments=["d", ""], bots=[1])
    assert (started.nonces, started.nonce_commitments, started.bots) == (("a", ""), ("d", ""), (1,))


def test_an_option_may_belong_to_some_seat_counts() -> None:
    assert ("partners", "yes") in new_match(TOY, 4, {"partners": "yes"}).options
    assert ("partners", "no") in new_match(TOY, 2, {"partners": "no"}).options
    with pytest.raises(Refusal, match="understood"):
        new_match(TOY, 2, {"partners": "yes"})


@pytest.mark.parametrize(("order", "seat"), [([3, 1, 0, 2], 1), ([0, 1, 2, 3], 0), ([9, 5, 1, 0], 1)])
def test_lots_are_drawn_by_attempt_zero(order: list[int], seat: int) -> None:
    attempts = []

    def shuffle(attempt: int) -> list[int]:
        attempts.append(attempt)
        return order if attempt == 0 else list(range(10))

    (event,) = deal_round(TOY, toy_state(), shuffle)
    assert isinstance(event, RoundDealt)
    assert event.to_move == seat
    assert sorted(attempts) == [0, 1]


def test_an_explicit_deal_needs_a_lead_where_lots_are_drawn() -> None:
    tiles = TOY.tile_set
    deal = Deal((tiles[:2], tiles[2:4]), tiles[4:])
    (event,) = deal_explicit(TOY, toy_state(), deal, lead=1)
    assert isinstance(event, RoundDealt)
    assert event.to_move == 1
    for lead in (None, 2, -1):
        with pytest.raises(Refusal) as caught:
            deal_explicit(TOY, toy_state(), deal, lead=lead)
        assert caught.value.code == "bad_deal"


def test_points_of_a_move_are_in_its_event_and_added_to_the_side() -> None:
    state = toy_state(4, partners="yes")
    (event,) = deal_round(TOY, state, lambda attempt: [2, 1, 0, *range(3, 10)])
    state = evolve(state, event)
    assert state.round.to_move == 2
    (event,) = decide(TOY, state, 2, Play(state.hands[2][0], ""))
    assert event == Played(2, (2, 1), "", 3, Points(3))
    state = evolve(state, event)
    assert (state.standing, state.round.scored) == ((Standing(3), Standing(0)), 3)


def test_a_draw_may_cost_points_and_keeps_the_turn() -> None:
    state = in_round(toy_state(), layout=Line().place((3, 3), ""), to_move=0)
    state = replace(state, hands=(((0, 0),), ((1, 1),)), boneyard=((2, 2),))
    (event,) = decide(TOY, state, 0, Draw())
    after = evolve(state, event)
    assert (after.standing[0].points, after.round.scored, after.round.to_move, after.round.drawn) == (-5, -5, 0, 1)


def test_passes_in_a_row_are_counted_until_a_tile_is_laid() -> None:
    state = in_round(toy_state(), layout=Line().place((2, 1), ""), to_move=0)
    state = replace(state, hands=(((3, 0),), ((1, 1), (2, 1))))
    state = evolve(evolve(state, Passed(0, 1)), Passed(1, 0))
    assert state.round.passes == 2
    assert evolve(state, Drew(0, (2, 2), 0)).round.passes == 2
    assert evolve(state, Played(1, (2, 1), "left", 0)).round.passes == 0


def test_leaver_is_last_and_others_rank_by_points() -> None:
    state = replace(toy_state(4), standing=tuple(map(Standing, (10, 30, 20, 30))))
    (event,) = leave_match(TOY, state, 1, "left")
    assert event == MatchEnded("left", 1, "", (3, 4, 2, 1), (1,), ())


@pytest.mark.parametrize("reason", STOP_REASONS)
def test_a_match_stopped_from_outside_has_no_places(reason: str) -> None:
    state = toy_state()
    (event,) = stop_match(state, reason)
    assert event == MatchEnded(reason, None, "", (), (), ())
    after = evolve(state, event)
    for act in (lambda: stop_match(after, "void"), lambda: leave_match(TOY, after, 0, "left")):
        with pytest.raises(Refusal) as caught:
            act()
        assert caught.value.code == "match_over"


@pytest.mark.parametrize(("reason", "seat"), [("bored", None), ("agreed", 0), ("void", 0)])
def test_stop_needs_a_known_reason(reason: str, seat: int | None) -> None:
    with pytest.raises(Refusal) as caught:
        stop_match(toy_state(), reason, seat)
    assert caught.value.code == "bad_request"
    with pytest.raises(Refusal):
        leave_match(TOY, toy_state(), 0, reason)


def test_equal_results_share_a_place() -> None:
    assert ranks([(False, 5), (False, 5), (True, 0), (False, 9)]) == (1, 1, 4, 3)


@pytest.mark.parametrize("text", ["7", "", "x"])
def test_a_standing_is_a_whole_number_by_default(text: str) -> None:
    assert TOY.read_standing(-12) == Standing(-12)
    assert TOY.standing_data(Standing(-12)) == -12
    assert TOY.standing_text(Standing(-12)) == "-12"
    for data in (text, 1.5, True, None, 10**12):
        with pytest.raises(Refusal):
            TOY.read_standing(data)


def test_tiles_can_be_rotated_but_not_mirrored() -> None:
    class Three(Toy):
        tile_set = ((0, 1, 2), (0, 1, 3))

    names = Three().tile_names
    assert names["0-1-2"] == names["1-2-0"] == names["2-0-1"] == (0, 1, 2)
    assert "0-2-1" not in names
    assert (tile_text((0, 1, 2)), is_double((2, 2, 2)), is_double((0, 0, 1))) == ("0-1-2", True, False)


def test_every_refusal_without_a_rule_has_a_sentence() -> None:
    for code, text in TEXTS.items():
        refusal = Refusal(code)
        assert (refusal.code, refusal.rule, refusal.text, str(refusal)) == (code, None, text, text)


def test_a_round_on_the_layout_of_another_family_is_an_error() -> None:
    with pytest.raises(TypeError, match="Line"):
        rules_for("triominoes").play_points(Round(Line()), Play((0, 0, 0), "U(0,0)=0/0/0"))


def after(*scored: tuple[int, int], partners: str = "no") -> State:
    """Return a state of four in which these seats have scored these points, each by one tile."""
    start = start_state(new_match(rules_for("all_fives"), 4, {"partners": partners}))
    return in_round(start, moves=tuple(MoveMade(seat, "play", points(value)) for seat, value in scored))


def points(value: int) -> Points:
    rule = "a.won" if value > 0 else "a.lost"
    return Points(value, (Term(rule, "however it came about", value), Term("a.count", "3 + 1 = 4", 0)))


def test_each_side_gets_one_term_per_rule() -> None:
    assert points_by_moves(after((0, 10), (1, 5), (0, -5), (2, 0), (0, 15), (0, -5))) == (
        Points(15, (Term("a.won", "10 + 15", 25), Term("a.lost", "−5 − 5", -10))),
        Points(5, (Term("a.won", "5", 5),)),
        Points(0),
        Points(0),
    )


def test_partners_score_together() -> None:
    assert points_by_moves(after((0, 10), (1, 5), (2, 20), partners="yes")) == (
        Points(30, (Term("a.won", "10 + 20", 30),)),
        Points(5, (Term("a.won", "5", 5),)),
    )


def test_round_without_scoring_moves_has_no_move_points() -> None:
    assert points_by_moves(after((0, 0), (1, 0))) == ()
