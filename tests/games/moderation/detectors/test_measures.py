"""Farming, floods and names that imitate, worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from games.engine.playout import playout
from games.engine.variants import rules_for
from games.moderation.detectors import farming, floods, partners, throwing
from games.moderation.detectors.farming import Meeting, Skills
from games.moderation.detectors.names import imitates
from games.moderation.detectors.partners import Fit, Knowledge
from games.moderation.detectors.throwing import Choice
from tests.games.moderation.detectors.trials.partners import PAIR, Watched, knowing

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)
KNOWN_EQUAL = Skills(0.0, 0.0)
WON, LOST, GIVEN_UP = Meeting(won=True, short=False), Meeting(won=False, short=False), Meeting(won=True, short=True)


class TestFarming:
    def test_equals_win_by_halves(self) -> None:
        # All of 5 between known equals: 1/32. At least 4 of 5: 6/32.
        assert farming.wins(5, 5, KNOWN_EQUAL) == pytest.approx(1 / 32)
        assert farming.wins(4, 5, KNOWN_EQUAL) == pytest.approx(6 / 32)

    def test_of_new_people_one_may_be_much_better(self) -> None:
        # Both are uncertain by 8.33, so together by 11.8: two wins are more likely than 1/4, five than 1/32.
        assert farming.wins(2, 2, Skills(0.0, 11.8)) > 0.35
        assert farming.wins(5, 5, Skills(0.0, 11.8)) > 0.2
        # Of the better one by far it is no news at all.
        assert farming.wins(5, 5, Skills(30.0, 0.0)) == pytest.approx(1.0, abs=1e-5)

    def test_matches_that_are_given_up_one_after_the_other_are_reported_and_wins_alone_are_not(self) -> None:
        # Five of five given up: 1/32 · 1/100000 = 3.1e-7, as one chance of two times 1 - ln 3.1e-7 = 16: 5.0e-6.
        assert farming.chance([GIVEN_UP] * 5, KNOWN_EQUAL) == pytest.approx(5.0e-6, rel=0.01)
        assert farming.chance([GIVEN_UP] * 5, KNOWN_EQUAL) <= farming.THRESHOLD
        assert farming.chance([WON] * 10, Skills(0.0, 11.8)) > 0.1
        assert farming.chance([GIVEN_UP, LOST, GIVEN_UP, LOST, LOST, LOST], KNOWN_EQUAL) > 0.1

    def test_fewer_than_five_matches_say_nothing(self) -> None:
        assert farming.chance([GIVEN_UP] * 4, KNOWN_EQUAL) == 1


class TestThrowing:
    def test_it_is_measured_beyond_blind_choice(self) -> None:
        # Twelve times the worse of two moves: 1 against 1/2, whose deviation is sqrt(12 / 4) / 12.
        found = throwing.loss([Choice((1.0, 0.0), made=1, seq=seq) for seq in range(12)])
        assert (found.given, found.blind, found.decisions) == (1.0, 0.5, 12)
        assert found.measure == pytest.approx(0.5 / (3**0.5 / 12))
        assert found.measure >= throwing.THRESHOLD

    def test_blind_choice_measures_nothing_and_good_choice_less(self) -> None:
        moves = (3.0, 1.0, -1.0)
        assert throwing.loss([Choice(moves, made=number % 3, seq=number) for number in range(12)]).measure == 0
        assert throwing.loss([Choice(moves, made=0, seq=number) for number in range(12)]).measure < -4

    def test_what_was_at_stake_weighs(self) -> None:
        # Of 16 points the whole is given away, of eleven times 1 nothing: the weights are 4 and 11 · 1.
        found = throwing.loss([Choice((16.0, 0.0), 1, 5), *(Choice((1.0, 0.0), 0, 6) for _number in range(11))])
        assert found.given == pytest.approx(4 / 15)
        assert found.worst == 5

    def test_few_decisions_or_none_with_a_stake_say_nothing(self) -> None:
        assert throwing.loss([Choice((1.0, 0.0), 1, 1)] * 11).measure == 0
        assert throwing.loss([Choice((1.0, 1.0), 1, 1)] * 12).measure == 0


def test_floods_of_seven_days_are_counted() -> None:
    marks = [NOW - timedelta(days=days) for days in (0, 1, 6, 7, 8)]
    assert floods.count(marks, NOW) == 3


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
def test_a_name_that_is_easily_read_as_another_imitates_it(name: str, other: str) -> None:
    assert imitates(name, other)
    assert imitates(other, name)


def test_short_names_numbers_and_other_names_imitate_nobody() -> None:
    for name, other in [
        ("Magnus", "Magnus"),  # taken, so nobody new has it
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
    def test_the_real_hand_is_ranked_among_those_that_it_could_be(self) -> None:
        # With 2 of 16 other hands the move would have been worse, with 2 the same: (2 + 2/2) / 16 - 1/2.
        fit = Fit(1.0, (2.0,) * 12 + (1.0,) * 2 + (0.0,) * 2, seq=3)
        assert fit.rank == pytest.approx(3 / 16 - 1 / 2)
        assert fit.gain == pytest.approx(1 - 26 / 16)

    def test_a_move_that_is_best_with_the_real_hand_each_time_is_knowledge(self) -> None:
        # Thirty times 1/2; the variance of a rank among 16 others is (17² - 1) / (12 · 16²) = 3/32.
        best = [Fit(1.0 + seq / 100, (0.0,) * 16, seq) for seq in range(30)]
        found = partners.knowledge(best)
        assert found.measure == pytest.approx(15 / (30 * 3 / 32) ** 0.5)
        assert (found.decisions, found.best) == (30, 29)

    def test_one_that_is_as_good_with_other_hands_is_none(self) -> None:
        even = [Fit(1.0, (0.0,) * 8 + (2.0,) * 8, seq) for seq in range(30)]
        assert partners.knowledge(even).measure == 0

    def test_hands_that_do_not_matter_and_few_decisions_say_nothing(self) -> None:
        same, best = Fit(1.0, (1.0,) * 16, 1), Fit(1.0, (0.0,) * 16, 2)
        assert partners.knowledge([same] * 100).decisions == 0
        assert partners.knowledge([best] * 29 + [same] * 100) == Knowledge(decisions=29)

    def test_who_chose_with_the_partners_hand_in_sight_fits_it_and_the_answer_is_always_the_same(self) -> None:
        made = throwing.decisions(Watched("known-3", knowing, Random(1)).run(), PAIR)
        first, *others = [partners.fitted(*each) for seat in PAIR for each in made[seat]]
        assert partners.fitted(*made[0][0]) == first
        assert partners.knowledge([first, *others]).measure >= partners.THRESHOLD

    def test_a_decision_without_a_partner_is_refused(self) -> None:
        events = playout(rules_for("kozel"), 4, {}, "alone")
        state, move, seq = throwing.decisions(events, [0])[0][0]
        assert partners.partner_of(state, 0) is None
        with pytest.raises(ValueError, match="partner"):
            partners.fitted(state, move, seq)
