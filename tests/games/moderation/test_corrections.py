"""Void matches and reversed rating changes, and undoing both."""

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
from games.moderation.cases.reporting import ReportedPlace, report_person
from tests.games import tables
from tests.games.services.test_points import play_and_leave, rated
from tests.games.tables import person

AGAIN = "It was no ring."


@pytest.fixture
def people(ann: User, ben: User) -> list[User]:
    return [ann, ben]


@pytest.fixture
def matches(people: list[User]) -> list[Match]:
    """Return three rated matches, all left by Ann and won by Ben."""
    rows = [play_and_leave(rated(people, variant="kozel")) for _ in range(3)]
    for match in rows:
        ledger.charge_points(people[0].pk, "left", timezone.now(), match_id=match.pk)
    return [Match.objects.get(pk=match.pk) for match in rows]


def result_values() -> list[Any]:
    """Return all values that belong to results."""
    numbers = ("pk", "mu_before", "sigma_before", "mu", "sigma", "weight", "expected", "place")
    return [
        list(RatingChange.objects.order_by("pk").values_list(*numbers)),
        list(RatingPoints.objects.order_by("user").values_list("user", "points", "matches")),
        list(Seat.objects.order_by("pk").values_list("place", "outcome", "points_gain", "listed")),
        list(Match.objects.order_by("pk").values_list("status", "no_points", "void_reason", "reversals")),
        list(ConductMark.objects.order_by("pk").values_list("user", "points", "match")),
    ]


def notice_texts(user: User) -> list[str]:
    user.refresh_from_db()
    return [notice.text for notice in notices.pending_notices(user)]


class TestVoidMatch:
    @pytest.mark.stack
    @pytest.mark.parametrize("number", [0, 2])
    def test_counts_again_exactly_as_before(self, moderator: User, matches: list[Match], number: int) -> None:
        before = result_values()
        assert len(before[0]) == 6
        assert before[4], "leaving has brought conduct points"
        acts.void_match(moderator=moderator, match=matches[number], reason="a ring")
        assert len(result_values()[0]) == 4
        assert len(result_values()[4]) < len(before[4])
        corrections.restore_match(moderator=moderator, match=matches[number], reason=AGAIN)
        assert result_values() == before
        logged = list(ModerationAct.objects.order_by("pk").values_list("act", "target", "reason"))
        target = f"match:{matches[number].slug}"
        assert logged == [("void", target, "a ring"), ("restore", target, AGAIN)]

    def test_notifies_its_players(self, moderator: User, matches: list[Match], people: list[User]) -> None:
        acts.void_match(moderator=moderator, match=matches[2], reason="a ring")
        corrections.restore_match(moderator=moderator, match=matches[2], reason=AGAIN)
        rating = round(1500 + 48 * (RatingChange.objects.filter(user=people[1]).latest("pk").mu - 25))
        last = notice_texts(people[1])[-1]
        assert f"which was void, counts again. Your rating is {rating} now. Reason: It was no ring." in last

    def test_cannot_count_again_if_it_was_running(self, moderator: User, people: list[User]) -> None:
        match = tables.running_table(people)
        acts.void_match(moderator=moderator, match=match, reason="a ring")
        with pytest.raises(ValidationError, match="was not over when"):
            corrections.restore_match(moderator=moderator, match=match, reason=AGAIN)

    def test_counts_again_without_a_deleted_person(
        self, moderator: User, matches: list[Match], people: list[User]
    ) -> None:
        acts.void_match(moderator=moderator, match=matches[0], reason="a ring")
        delete_person(user=people[0])
        corrections.restore_match(moderator=moderator, match=matches[0], reason=AGAIN)
        assert RatingPoints.objects.get(user=people[1]).matches == 3
        assert RatingChange.objects.filter(match=matches[0]).count() == 2


class TestRatingChanges:
    def test_taking_back_keeps_the_result(self, moderator: User, matches: list[Match], people: list[User]) -> None:
        points = RatingPoints.objects.get(user=people[1]).points
        gain = matches[1].seats.get(user=people[1]).points_gain
        corrections.take_ratings_back(moderator=moderator, match=matches[1], reason="a ring")
        assert RatingChange.objects.filter(match=matches[1]).count() == 0
        assert RatingPoints.objects.get(user=people[1]).points == points - gain
        assert list(matches[1].seats.order_by("index").values_list("outcome", flat=True)) == ["left", "won"]
        match = Match.objects.get(pk=matches[1].pk)
        assert match.status == Match.Status.FINISHED
        assert selectors.no_points_reason(match, list(match.seats.all())) == "taken"
        assert "The result stands." in notice_texts(people[1])[-1]
        assert notice_texts(people[1])[-1].endswith(" now. Reason: a ring")

    @pytest.mark.stack
    @pytest.mark.parametrize("number", [0, 2])
    def test_giving_back_restores_everything(self, moderator: User, matches: list[Match], number: int) -> None:
        before = result_values()
        for _ in range(2):
            corrections.take_ratings_back(moderator=moderator, match=matches[number], reason="a ring")
            assert result_values() != before
            corrections.restore_ratings(moderator=moderator, match=matches[number], reason=AGAIN)
            assert result_values() == before

    def test_stay_reversed_when_the_match_was_void_meanwhile(self, moderator: User, matches: list[Match]) -> None:
        before = result_values()
        corrections.take_ratings_back(moderator=moderator, match=matches[1], reason="a ring")
        reversed_state = result_values()
        acts.void_match(moderator=moderator, match=matches[1], reason="a ring")
        with pytest.raises(ValidationError, match="Nothing was taken back"):
            corrections.restore_ratings(moderator=moderator, match=matches[1], reason=AGAIN)
        corrections.restore_match(moderator=moderator, match=matches[1], reason=AGAIN)
        assert result_values() == reversed_state
        corrections.restore_ratings(moderator=moderator, match=matches[1], reason=AGAIN)
        assert result_values() == before

    def test_cannot_be_taken_back_twice_or_from_a_casual_match(self, moderator: User, matches: list[Match]) -> None:
        corrections.take_ratings_back(moderator=moderator, match=matches[0], reason="a ring")
        casual = tables.running_table([person("Eve"), person("Fay")])
        for match in (matches[0], casual):
            with pytest.raises(ValidationError, match="changed no ratings"):
                corrections.take_ratings_back(moderator=moderator, match=match, reason="a ring")

    def test_need_a_permission(self, matches: list[Match]) -> None:
        with pytest.raises(PermissionDenied):
            corrections.take_ratings_back(moderator=person("Fay"), match=matches[0], reason="a ring")

    def test_can_be_taken_back_by_deciding_a_case(
        self, moderator: User, matches: list[Match], people: list[User]
    ) -> None:
        case = report_person(
            reporter=people[1], suspect=people[0], reason="throws", place=ReportedPlace(matches[0])
        ).case
        reason = "You lost on purpose."
        decisions.decide_case(moderator=moderator, case=case, measure="warn", correction="ratings", reason=reason)
        assert Case.objects.get().verdict == "upheld"
        assert set(RatingChange.objects.values_list("match", flat=True)) == {match.pk for match in matches[1:]}


def test_conduct_of_void_matches_does_not_count(moderator: User, matches: list[Match], people: list[User]) -> None:
    points = ledger.current_standing(people[0].pk, timezone.now()).points
    for match in matches:
        acts.void_match(moderator=moderator, match=match, reason="a ring")
    assert points > 0 == ledger.current_standing(people[0].pk, timezone.now()).points
    assert ledger.load_ledger(people[0].pk, timezone.now()).lines == []
