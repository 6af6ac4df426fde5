"""What moderators take back of matches that are over, and undo: a void match, and what a match did to ratings."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from accounts import notices
from accounts.models import ModerationAct, User
from accounts.services import delete_person
from games.conduct import ledger
from games.match import selectors
from games.models import Case, ConductMark, Match, RatingChange, RatingPoints, Seat
from games.moderation import acts, corrections, decisions
from games.moderation.cases.reporting import ReportedPlace, report
from tests.games import tables
from tests.games.services.test_points import ended, rated
from tests.games.tables import person

pytestmark = pytest.mark.django_db
AGAIN = "It was no ring."


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("Ben")]


@pytest.fixture
def matches(people: list[User]) -> list[Match]:
    """Return three rated matches of the two, in each of which Ann has left and Ben has won."""
    found = [ended(rated(people, variant="kozel")) for _ in range(3)]
    for match in found:
        ledger.charge(people[0].pk, "left", timezone.now(), match_id=match.pk)
    return [Match.objects.get(pk=match.pk) for match in found]


def everything() -> list[Any]:
    """Return all that a result is made of, to the digit."""
    numbers = ("pk", "mu_before", "sigma_before", "mu", "sigma", "weight", "expected", "place")
    return [
        list(RatingChange.objects.order_by("pk").values_list(*numbers)),
        list(RatingPoints.objects.order_by("user").values_list("user", "points", "matches")),
        list(Seat.objects.order_by("pk").values_list("place", "outcome", "points_gain", "listed")),
        list(Match.objects.order_by("pk").values_list("status", "no_points", "void_reason", "reversals")),
        list(ConductMark.objects.order_by("pk").values_list("user", "points", "match")),
    ]


def told(user: User) -> list[str]:
    user.refresh_from_db()
    return [notice.text for notice in notices.pending(user)]


class TestAVoidMatch:
    @pytest.mark.stack
    @pytest.mark.parametrize("number", [0, 1, 2])
    def test_counts_again_as_before_to_the_digit(self, moderator: User, matches: list[Match], number: int) -> None:
        before = everything()
        assert len(before[0]) == 6
        assert before[4], "leaving has brought conduct points"
        acts.void_match(moderator=moderator, match=matches[number], reason="a ring")
        assert len(everything()[0]) == 4
        assert len(everything()[4]) < len(before[4])
        corrections.restore_match(moderator=moderator, match=matches[number], reason=AGAIN)
        assert everything() == before
        logged = list(ModerationAct.objects.order_by("pk").values_list("act", "target", "reason"))
        target = f"match:{matches[number].slug}"
        assert logged == [("void", target, "a ring"), ("restore", target, AGAIN)]

    def test_its_players_are_told(self, moderator: User, matches: list[Match], people: list[User]) -> None:
        acts.void_match(moderator=moderator, match=matches[2], reason="a ring")
        corrections.restore_match(moderator=moderator, match=matches[2], reason=AGAIN)
        rating = round(1500 + 48 * (RatingChange.objects.filter(user=people[1]).latest("pk").mu - 25))
        last = told(people[1])[-1]
        assert "which was void, counts again. Reason: It was no ring." in last
        assert f"Your rating is {rating} now." in last

    def test_one_that_was_running_cannot_count(self, moderator: User, people: list[User]) -> None:
        match = tables.running_table(people)
        acts.void_match(moderator=moderator, match=match, reason="a ring")
        with pytest.raises(ValidationError, match="was over when"):
            corrections.restore_match(moderator=moderator, match=match, reason=AGAIN)

    def test_what_a_person_deleted_since_had_is_left_out(
        self, moderator: User, matches: list[Match], people: list[User]
    ) -> None:
        acts.void_match(moderator=moderator, match=matches[0], reason="a ring")
        delete_person(user=people[0])
        corrections.restore_match(moderator=moderator, match=matches[0], reason=AGAIN)
        assert RatingPoints.objects.get(user=people[1]).matches == 3
        assert RatingChange.objects.filter(match=matches[0]).count() == 2


class TestRatingChanges:
    def test_are_taken_back_while_the_result_stays(
        self, moderator: User, matches: list[Match], people: list[User]
    ) -> None:
        points = RatingPoints.objects.get(user=people[1]).points
        gain = matches[1].seats.get(user=people[1]).points_gain
        corrections.take_ratings_back(moderator=moderator, match=matches[1], reason="a ring")
        assert RatingChange.objects.filter(match=matches[1]).count() == 0
        assert RatingPoints.objects.get(user=people[1]).points == points - gain
        assert list(matches[1].seats.order_by("index").values_list("outcome", flat=True)) == ["left", "won"]
        match = Match.objects.get(pk=matches[1].pk)
        assert match.status == Match.Status.FINISHED
        assert selectors.no_points(match, list(match.seats.all())) == "taken"
        assert "The result stays. Reason: a ring." in told(people[1])[-1]

    @pytest.mark.stack
    @pytest.mark.parametrize("number", [0, 1, 2])
    def test_are_given_back_to_the_digit(self, moderator: User, matches: list[Match], number: int) -> None:
        before = everything()
        for _ in range(2):
            corrections.take_ratings_back(moderator=moderator, match=matches[number], reason="a ring")
            assert everything() != before
            corrections.give_ratings_back(moderator=moderator, match=matches[number], reason=AGAIN)
            assert everything() == before

    def test_stay_taken_back_when_the_match_was_void_meanwhile(self, moderator: User, matches: list[Match]) -> None:
        before = everything()
        corrections.take_ratings_back(moderator=moderator, match=matches[1], reason="a ring")
        taken = everything()
        acts.void_match(moderator=moderator, match=matches[1], reason="a ring")
        with pytest.raises(ValidationError, match="Nothing was taken back"):
            corrections.give_ratings_back(moderator=moderator, match=matches[1], reason=AGAIN)
        corrections.restore_match(moderator=moderator, match=matches[1], reason=AGAIN)
        assert everything() == taken
        corrections.give_ratings_back(moderator=moderator, match=matches[1], reason=AGAIN)
        assert everything() == before

    def test_that_are_not_there_are_not_taken_back(self, moderator: User, matches: list[Match]) -> None:
        corrections.take_ratings_back(moderator=moderator, match=matches[0], reason="a ring")
        casual = tables.running_table([person("Eve"), person("Fay")])
        for match in (matches[0], casual):
            with pytest.raises(ValidationError, match="changed no ratings"):
                corrections.take_ratings_back(moderator=moderator, match=match, reason="a ring")

    def test_need_their_permission(self, matches: list[Match]) -> None:
        with pytest.raises(PermissionDenied):
            corrections.take_ratings_back(moderator=person("Fay"), match=matches[0], reason="a ring")

    def test_are_taken_back_by_the_decision_of_a_case(
        self, moderator: User, matches: list[Match], people: list[User]
    ) -> None:
        case = report(reporter=people[1], suspect=people[0], reason="throws", place=ReportedPlace(matches[0])).case
        decisions.decide(
            moderator=moderator,
            case=case,
            measure="warn",
            correction="ratings",
            reason="You lost on purpose.",
        )
        assert Case.objects.get().verdict == "upheld"
        assert set(RatingChange.objects.values_list("match", flat=True)) == {match.pk for match in matches[1:]}


def test_lines_of_conduct_that_are_taken_back_count_nowhere(
    moderator: User, matches: list[Match], people: list[User]
) -> None:
    points = ledger.standing_of(people[0].pk, timezone.now()).points
    for match in matches:
        acts.void_match(moderator=moderator, match=match, reason="a ring")
    assert points > 0 == ledger.standing_of(people[0].pk, timezone.now()).points
    assert ledger.ledger_of(people[0].pk, timezone.now()).lines == []
