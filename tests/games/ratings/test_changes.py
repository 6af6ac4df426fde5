"""Ratings after matches, after a match became void, and recomputed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import QuerySet

from accounts.models import User
from games.models import Match, RatingChange
from games.moderation import acts, reversals
from games.ratings import changes
from games.ratings.changes import PlayerResult
from games.ratings.skill import Skill
from games.services import play
from tests.games.services.test_points import play_and_leave, rated
from tests.games.tables import locked_row, open_table, person

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def accounts(*names: str) -> list[User]:
    return [person(name) for name in names]


def finished(people: list[User], places: tuple[int, ...], at: datetime = NOW, variant: str = "triominoes") -> Match:
    """Rate a match of these people, each for themselves."""
    match = open_table(people, variant=variant)
    rows = [PlayerResult(user.pk, seat, seat, places[seat]) for seat, user in enumerate(people)]
    changes.rate_match(match.pk, variant, rows, at)
    return match


def of(match: Match) -> QuerySet[RatingChange]:
    return RatingChange.objects.filter(match=match)


def shown(variant: str = "triominoes") -> dict[str, int]:
    users = {user.pk: user.name for user in User.objects.all()}
    return {users[pk]: skill.rating for pk, skill in changes.current_ratings(variant, users).items()}


def everything() -> list[tuple[object, ...]]:
    return list(RatingChange.objects.order_by("pk").values_list("match", "user", *changes.RESULT_FIELDS))


def test_a_match_changes_the_ratings_of_its_game_alone() -> None:
    ann, ben = accounts("Ann", "Ben")
    finished([ann, ben], (1, 2))
    after = shown()
    assert after["Ann"] - 1500 == 1500 - after["Ben"] > 0
    assert shown("kozel") == {}


def test_one_side_alone_is_not_rated() -> None:
    ann, ben = accounts("Ann", "Ben")
    changes.rate_match(
        open_table([ann, ben]).pk, "all_fives", [PlayerResult(ann.pk, 0, 0, 1), PlayerResult(ben.pk, 2, 0, 1)], NOW
    )
    assert not RatingChange.objects.exists()


def test_the_same_opponents_again_and_again_count_less_and_less_for_seven_days() -> None:
    people = accounts("Ann", "Ben")
    for number in range(4):
        finished(people, (1, 2), NOW + timedelta(days=2 * number))
    finished(people, (1, 2), NOW + timedelta(days=30))
    weights = RatingChange.objects.filter(user=people[0]).order_by("pk").values_list("weight", flat=True)
    # After two, four and six days one, two and three meetings are remembered; after thirty none is.
    assert list(weights) == [1, 1 / 2, 1 / 3, 1 / 4, 1]


def test_a_fresh_opponent_at_the_table_counts_whole() -> None:
    ann, ben, cleo = accounts("Ann", "Ben", "Cleo")
    finished([ann, ben], (1, 2))
    last = finished([ann, ben, cleo], (1, 2, 3))
    assert set(of(last).values_list("weight", flat=True)) == {1}


@pytest.mark.stack
def test_voided_match_restores_ratings_exactly() -> None:
    people, chance = accounts("Ann", "Ben", "Cleo", "Dan"), Random(1)
    plan = [(chance.sample(people, chance.choice((2, 3, 4))), NOW + timedelta(hours=n)) for n in range(24)]
    matches = [finished(who, tuple(range(1, len(who) + 1)), at) for who, at in plan]
    gone = {3, 11, 17}
    for number in sorted(gone):
        changes.exclude_match(matches[number].pk)
    without = everything()
    RatingChange.objects.all().delete()
    for number, match in enumerate(matches):
        if number not in gone:
            who, at = plan[number]
            rows = [PlayerResult(user.pk, seat, seat, seat + 1) for seat, user in enumerate(who)]
            changes.rate_match(match.pk, "triominoes", rows, at)
    assert everything() == without


@pytest.mark.stack
def test_restored_match_restores_ratings_exactly() -> None:
    people, chance = accounts("Ann", "Ben", "Cleo", "Dan"), Random(3)
    plan = [(chance.sample(people, chance.choice((2, 3))), NOW + timedelta(days=n)) for n in range(24)]
    matches = [finished(who, tuple(range(1, len(who) + 1)), at) for who, at in plan]
    before = everything()
    for number in (3, 12):
        changes.exclude_match(matches[number].pk)
    for number in (3, 12):
        changes.reinclude_match(matches[number].pk)
    assert everything() == before
    assert changes.recompute_ratings("triominoes") == 0


@pytest.mark.stack
def test_only_matches_that_depend_on_a_void_one_are_rated_again(
    monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    ann, ben, cleo, dan, eve, fay = accounts("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")
    pairs = [(ann, ben), (cleo, dan)] * 20 + [(ann, ben), (cleo, dan), (ben, eve), (cleo, fay), (eve, fay), (dan, ann)]
    matches = [
        finished(list(pair), (1, 2), NOW + timedelta(hours=number), variant="triominoes")
        for number, pair in enumerate(pairs)
    ]
    rated_again: list[int] = []
    rate = changes._fill_in_ratings
    monkeypatch.setattr(
        changes, "_fill_in_ratings", lambda rows, *rest: (rated_again.append(rows[0].match_id), rate(rows, *rest))
    )
    with django_assert_max_num_queries(10):
        changes.exclude_match(matches[40].pk)
    assert rated_again == [matches[number].pk for number in (42, 44, 45)]
    assert changes.recompute_ratings("triominoes") == 0


def test_the_weights_of_later_meetings_change_with_a_void_match() -> None:
    people = accounts("Ann", "Ben")
    first = finished(people, (1, 2))
    finished(people, (1, 2), NOW + timedelta(days=6))
    finished(people, (1, 2), NOW + timedelta(days=30))
    changes.exclude_match(first.pk)
    assert list(RatingChange.objects.filter(user=people[0]).order_by("pk").values_list("weight", flat=True)) == [1, 1]
    assert changes.recompute_ratings("triominoes") == 0


def test_weights_against_people_who_deleted_their_accounts_stay() -> None:
    ann, ben, cleo = accounts("Ann", "Ben", "Cleo")
    finished([ann, ben], (1, 2))
    finished([ann, cleo], (1, 2), NOW + timedelta(hours=1))
    ben.delete()
    cleo.delete()
    assert changes.recompute_ratings("triominoes") == 0


def test_recomputed_ratings_equal_the_stored_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    people, chance = accounts("Ann", "Ben", "Cleo"), Random(2)
    for number in range(12):
        finished(people, tuple(chance.sample((1, 2, 2), 3)), NOW + timedelta(hours=number))
    stored = everything()
    call_command("recompute_ratings")
    assert "triominoes: 36 changes of ratings, 0 were different." in capsys.readouterr().out
    first = RatingChange.objects.order_by("pk")[0]
    RatingChange.objects.filter(pk=first.pk).update(mu=99)
    call_command("recompute_ratings")
    assert "triominoes: 36 changes of ratings, 1 were different." in capsys.readouterr().out
    assert everything() == stored


@pytest.mark.stack
def test_the_ratings_of_others_stay_when_a_person_is_deleted() -> None:
    ann, ben, cleo = accounts("Ann", "Ben", "Cleo")
    finished([ann, ben], (1, 2))
    finished([ben, cleo], (1, 2), NOW + timedelta(hours=1))
    before = shown()
    ann.delete()
    assert changes.recompute_ratings("triominoes") == 0
    assert shown() == {name: rating for name, rating in before.items() if name != "Ann"}


class TestMatches:
    @pytest.mark.stack
    def test_a_rated_match_of_any_game_changes_ratings_and_its_end_is_taken_back(self) -> None:
        people = accounts("Ann", "Ben")
        match = play_and_leave(rated(people, variant="all_fives", absence="forfeit"))
        rows = of(match).order_by("seat")
        assert [(row.place, row.of, round(row.expected, 6)) for row in rows] == [(2, 2, 1.5), (1, 2, 1.5)]
        assert changes.current_ratings("all_fives", [people[1].pk])[people[1].pk].rating > 1500
        reversals.make_void(match)
        assert changes.current_ratings("all_fives", [user.pk for user in people]) == {}

    def test_players_of_a_void_match_get_their_new_rating(self) -> None:
        moderator = person("Mo", is_staff=True, is_superuser=True)
        people = accounts("Ann", "Ben")
        finished(people, (1, 2), variant="all_fives")
        before = shown("all_fives")
        match = play_and_leave(rated(people, variant="all_fives", absence="forfeit"))
        acts.void_match(moderator=moderator, match=match, reason="a ring")
        notices = {user.name: user.notices.get().facts for user in people}
        assert {name: facts["rating"] for name, facts in notices.items()} == before
        assert {facts["reason"] for facts in notices.values()} == {"a ring"}

    def test_joining_and_leaving_matches_gains_nothing(self) -> None:
        people = accounts("Ann", "Ben")
        for _ in range(3):
            play_and_leave(rated(people, variant="all_fives", absence="forfeit"), rounds=0)
        assert not RatingChange.objects.exists()

    def test_guests_and_casual_matches_are_not_rated(self) -> None:
        guest = person("Gus", is_guest=True)
        play_and_leave(rated([guest, person()], variant="all_fives", absence="forfeit"))
        casual = play.start_match(match=open_table(accounts("Cleo", "Dan"), variant="all_fives"))
        play.leave_match(match_id=casual.pk, user_id=locked_row(casual).holders[0].user_id or 0)
        assert not RatingChange.objects.exists()
        assert changes.current_ratings("all_fives", [guest.pk]) == {}

    def test_the_partner_of_a_leaver_is_not_rated(self) -> None:
        people = accounts("Ann", "Ben", "Cleo", "Dan")
        match = play_and_leave(rated(people, variant="all_fives", options={"partners": "yes"}, absence="forfeit"))
        assert list(of(match).order_by("seat").values_list("seat", "place")) == [(0, 2), (1, 1), (3, 1)]


@pytest.mark.stack
def test_skill_is_stored_exactly() -> None:
    people = accounts("Ann", "Ben")
    finished(people, (1, 2))
    row = RatingChange.objects.get(user=people[0])
    assert (row.mu_before, row.sigma_before) == Skill()
