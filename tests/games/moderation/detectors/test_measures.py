"""The statistics of the detectors, checked against values computed by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from games.engine.events import Drew, Event, MatchStarted, Passed, Played, SeatReturned
from games.engine.playout import playout
from games.engine.variants import rules_for
from games.moderation.detectors import facts, farming, floods, partners, stalling, throwing
from games.moderation.detectors.farming import Meeting, Skills
from games.moderation.detectors.names import imitates
from games.moderation.detectors.partners import HandFit, Knowledge
from games.moderation.detectors.stalling import Slowness, Turn
from games.moderation.detectors.throwing import JudgedChoice
from tests.games.moderation.detectors.trials.partners import PAIR, Watched, knowing

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)
KNOWN_EQUAL = Skills(0.0, 0.0)
WON, LOST, GIVEN_UP = Meeting(won=True, short=False), Meeting(won=False, short=False), Meeting(won=True, short=True)


def turns(**shares: list[float]) -> list[Turn]:
    return [Turn(int(seat[1:]), share) for seat, of_seat in shares.items() for share in of_seat]


class TestFarming:
    def test_equal_players_win_half_of_their_matches(self) -> None:
        # Winning all of 5 matches against an equal player: 1/32. Winning at least 4 of 5: 6/32.
        assert farming.probability_of_wins(5, 5, KNOWN_EQUAL) == pytest.approx(1 / 32)
        assert farming.probability_of_wins(4, 5, KNOWN_EQUAL) == pytest.approx(6 / 32)

    def test_one_of_two_new_people_may_be_much_better(self) -> None:
        # Each skill has a standard deviation of 8.33, so their difference has 11.8. Two wins are more likely than
        # 1/4, and five wins are more likely than 1/32.
        assert farming.probability_of_wins(2, 2, Skills(0.0, 11.8)) > 0.35
        assert farming.probability_of_wins(5, 5, Skills(0.0, 11.8)) > 0.2
        # If one player is known to be far better, five wins are no surprise.
        assert farming.probability_of_wins(5, 5, Skills(30.0, 0.0)) == pytest.approx(1.0, abs=1e-5)

    def test_repeatedly_giving_up_is_reported_and_winning_alone_is_not(self) -> None:
        # Five of five given up: p = 1/32 · 1/100000 = 3.1e-7. Fisher's method: p · (1 - ln p) = 3.1e-7 · 16 = 5.0e-6.
        assert farming.innocence_probability([GIVEN_UP] * 5, KNOWN_EQUAL) == pytest.approx(5.0e-6, rel=0.01)
        assert farming.innocence_probability([GIVEN_UP] * 5, KNOWN_EQUAL) <= farming.THRESHOLD
        assert farming.innocence_probability([WON] * 10, Skills(0.0, 11.8)) > 0.1
        assert farming.innocence_probability([GIVEN_UP, LOST, GIVEN_UP, LOST, LOST, LOST], KNOWN_EQUAL) > 0.1

    def test_fewer_than_five_matches_prove_nothing(self) -> None:
        assert farming.innocence_probability([GIVEN_UP] * 4, KNOWN_EQUAL) == 1


class TestThrowing:
    def test_measures_standard_deviations_beyond_random_choice(self) -> None:
        # The worse of two moves, twelve times: a share of 1. Random choice gives 1/2, with a standard deviation of
        # sqrt(12 / 4) / 12.
        result = throwing.measure_loss([JudgedChoice((1.0, 0.0), chosen=1, seq=seq) for seq in range(12)])
        assert (result.share, result.random_share, result.decisions) == (1.0, 0.5, 12)
        assert result.measure == pytest.approx(0.5 / (3**0.5 / 12))
        assert result.measure >= throwing.THRESHOLD

    def test_random_choice_measures_zero_and_good_choice_less(self) -> None:
        moves = (3.0, 1.0, -1.0)
        assert (
            throwing.measure_loss([JudgedChoice(moves, chosen=number % 3, seq=number) for number in range(12)]).measure
            == 0
        )
        assert throwing.measure_loss([JudgedChoice(moves, chosen=0, seq=number) for number in range(12)]).measure < -4

    def test_weighs_decisions_by_their_stakes(self) -> None:
        # One decision loses its whole stake of 16, eleven with a stake of 1 lose nothing. The weights: 4 and 11 · 1.
        result = throwing.measure_loss(
            [JudgedChoice((16.0, 0.0), 1, 5), *(JudgedChoice((1.0, 0.0), 0, 6) for _number in range(11))]
        )
        assert result.share == pytest.approx(4 / 15)
        assert result.worst_seq == 5

    def test_few_decisions_or_decisions_without_stakes_prove_nothing(self) -> None:
        assert throwing.measure_loss([JudgedChoice((1.0, 0.0), 1, 1)] * 11).measure == 0
        assert throwing.measure_loss([JudgedChoice((1.0, 1.0), 1, 1)] * 12).measure == 0


def test_floods_of_seven_days_are_counted() -> None:
    marks = [NOW - timedelta(days=days) for days in (0, 1, 6, 7, 8)]
    assert floods.count_recent_marks(marks, NOW) == 3


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Mágnus", "Magnus"),
        ("M4gnus", "Magnus"),
        ("Maggnus", "Magnus"),
        ("Mangus", "Magnus"),
        ("Mágnus 57", "Magnus 57"),
        ("Grandmastr Flo", "Grandmaster Flo"),
        ("Grandmazter Flo", "Grandmaster Flo"),
    ],
)
def test_easily_confused_names_imitate_each_other(name: str, other: str) -> None:
    assert imitates(name, other)
    assert imitates(other, name)


def test_short_numbered_and_different_names_do_not_imitate() -> None:
    for name, other in [
        ("Magnus", "Magnus"),  # identical: the name is taken, so nobody else can choose it
        ("Magnus 57", "Magnus 58"),
        ("Magnus 57", "Magnus"),
        ("Éva", "Eva"),
        ("Hanna", "Ana"),
        ("Martin", "Marvin"),
        ("Badger 12", "Badger 21"),
        ("Christina", "Christine"),
        ("Mangsu", "Magnus"),
        ("Peter", "Paula"),
    ]:
        assert not imitates(name, other)
        assert not imitates(other, name)


class TestPartners:
    def test_ranks_the_real_hand_among_possible_ones(self) -> None:
        # With 2 of the 16 other hands the move would have been worse, with 2 equally good: (2 + 2/2) / 16 - 1/2.
        fit = HandFit(1.0, (2.0,) * 12 + (1.0,) * 2 + (0.0,) * 2, seq=3)
        assert fit.rank == pytest.approx(3 / 16 - 1 / 2)
        assert fit.gain == pytest.approx(1 - 26 / 16)

    def test_moves_that_are_best_with_the_real_hand_are_knowledge(self) -> None:
        # Thirty ranks of 1/2. The variance of a rank among 16 others is (17² - 1) / (12 · 16²) = 3/32.
        best = [HandFit(1.0 + seq / 100, (0.0,) * 16, seq) for seq in range(30)]
        result = partners.measure_knowledge(best)
        assert result.measure == pytest.approx(15 / (30 * 3 / 32) ** 0.5)
        assert (result.decisions, result.best_seq) == (30, 29)

    def test_moves_that_are_as_good_with_other_hands_are_no_knowledge(self) -> None:
        even = [HandFit(1.0, (0.0,) * 8 + (2.0,) * 8, seq) for seq in range(30)]
        assert partners.measure_knowledge(even).measure == 0

    def test_irrelevant_hands_and_few_decisions_prove_nothing(self) -> None:
        same, best = HandFit(1.0, (1.0,) * 16, 1), HandFit(1.0, (0.0,) * 16, 2)
        assert partners.measure_knowledge([same] * 100).decisions == 0
        assert partners.measure_knowledge([best] * 29 + [same] * 100) == Knowledge(decisions=29)

    def test_choices_made_with_the_partners_hand_in_sight_fit_it(self) -> None:
        decisions = throwing.find_decisions(Watched("known-3", knowing, Random(1)).play_match(), PAIR)
        fits = [partners.evaluate_fit(*decision) for seat in PAIR for decision in decisions[seat]]
        assert partners.evaluate_fit(*decisions[0][0]) == fits[0]
        assert partners.measure_knowledge(fits).measure >= partners.THRESHOLD

    def test_refuses_a_decision_without_a_partner(self) -> None:
        events = playout(rules_for("kozel"), 4, {}, "alone")
        state, move, seq = throwing.find_decisions(events, [0])[0][0]
        assert partners.partner_of(state, 0) is None
        with pytest.raises(ValueError, match="partner"):
            partners.evaluate_fit(state, move, seq)


class TestStalling:
    def test_subtracts_the_opponents_share_of_slow_turns(self) -> None:
        # 12 of 14 turns are slow, and 1 of the opponents' 10 turns: 12/14 - 1/10.
        of_all = turns(s0=[0.95] * 12 + [0.2] * 2, s1=[1.4] + [0.9] * 4, s2=[0.5] + [0.1] * 4)
        result = stalling.measure_slowness(of_all, 0)
        assert result == Slowness(12, 14, 0.1)
        assert result.measure == pytest.approx(0.757, abs=0.001)
        assert result.measure >= stalling.THRESHOLD

    def test_equally_slow_opponents_and_few_turns_prove_nothing(self) -> None:
        slow = [1.0] * 8
        assert stalling.measure_slowness(turns(s0=slow, s1=slow), 0).measure == 0
        assert stalling.measure_slowness(turns(s0=slow[1:], s1=[0.1] * 8), 0).measure == 0
        assert stalling.measure_slowness(turns(s0=slow, s1=[0.1] * 7), 0).measure == 0
        assert stalling.measure_slowness(turns(s0=slow, s1=[0.1] * 8), 0).measure == 1

    def test_times_of_moves_exclude_the_clock_and_returns(self) -> None:
        happened: list[tuple[Event, int]] = [
            (MatchStarted("kozel", 2, (), 1), 0),
            (Played(0, (6, 4), "first", 1), 3),
            (Drew(1, (1, 1), 1), 15),
            (Played(1, (6, 1), "left", 0), 16),
            (Passed(0, 1), 17),
            (Played(1, (1, 0), "left", 0, by="clock"), 92),
            (SeatReturned(0), 93),
            (Played(0, (2, 0), "left", 1), 94),
            (Played(1, (2, 1), "left", 0), 109),
        ]
        record = [(seq, event, NOW + timedelta(seconds=at)) for seq, (event, at) in enumerate(happened, 1)]
        # The fast clock has 15 seconds for a move. Moves of the clock, and the first after a return, do not count.
        expected = [Turn(0, 3 / 15), Turn(1, 12 / 15), Turn(1, 1 / 15), Turn(1, 1.0)]
        assert list(facts.load_turns(record, "fast")) == expected
        assert list(facts.load_turns(record, "1-day")) == list(facts.load_turns(record, "none")) == []
