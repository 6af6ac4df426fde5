"""Ratings and rating points recomputed from the records equal the stored ones."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from accounts.models import User
from games.match import record
from games.models import RatingChange, RatingPoints, Seat
from games.ratings.recomputing import Comparison, recompute_gains, recompute_ratings, recompute_sums
from tests.games.services.test_points import play_and_leave, rated
from tests.games.tables import person


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("Ben")]


def everything() -> list[list[tuple[object, ...]]]:
    rows = (RatingChange.objects, Seat.objects, RatingPoints.objects)
    return [list(queryset.order_by("pk").values_list()) for queryset in rows]


def test_stored_points_agree_with_the_records(people: list[User]) -> None:
    for _match in range(2):
        play_and_leave(rated(people))
    stored = everything()
    assert [kind("kozel") for kind in (recompute_ratings, recompute_gains, recompute_sums)] == [
        Comparison(4, 0),
        Comparison(4, 0),
        Comparison(2, 0),
    ]
    assert everything() == stored


@pytest.mark.stack
def test_changed_points_are_found_and_repaired(people: list[User], capsys: pytest.CaptureFixture[str]) -> None:
    match = play_and_leave(rated(people))
    (won, lost), stored = (people[1], people[0]), everything()
    assert [seat.place for seat in match.seats.order_by("index")] == [2, 1]
    RatingChange.objects.filter(user=won).update(place=2)
    RatingChange.objects.filter(user=lost).update(place=1)
    Seat.objects.filter(user=won).update(points_gain=900)
    RatingPoints.objects.filter(user=lost).update(points=900)
    call_command("recompute_ratings")
    output = capsys.readouterr().out
    assert "kozel: 2 changes of ratings, 2 were different." in output
    assert "kozel: 2 gains of rating points, 1 were different." in output
    assert "kozel: 2 sums of them, 1 were different." in output
    assert everything() == stored


def test_missing_sum_is_computed(people: list[User]) -> None:
    match = play_and_leave(rated(people))
    RatingPoints.objects.all().delete()
    assert recompute_sums("kozel") == Comparison(2, 2)
    end = record.load_match_ends([match.pk])[match.pk]
    assert [RatingPoints.objects.get(user=user).points for user in people] == [terms.total for terms in end.rating]
