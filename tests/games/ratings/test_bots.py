"""The rating of the bots: measured by people whose ratings are settled, and changing nobody's."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.enums import BotLevel
from games.models import Match, RatingChange, Seat
from games.ratings import bot_ratings
from games.words import offered_variants
from games.words.levels import rating_points_above_random
from tests.games.ratings.test_views import change
from tests.games.tables import open_table, person

GAME = "triominoes"


def settled_person(name: str, mu: float = 25) -> User:
    user = person(name)
    change(user, mu)
    return user


def against_bots(people: list[User], *, lost: bool, number: int = 1, **columns: object) -> None:
    """Finish matches of people with a bot, which comes first or last."""
    for _ in range(number):
        match = open_table(people, bots=1, variant=GAME)
        Match.objects.filter(pk=match.pk).update(
            **{"status": Match.Status.FINISHED, "finished_at": timezone.now()} | columns
        )
        outcomes = Seat.Outcome.WON, Seat.Outcome.LOST
        for seat in match.seats.all():
            is_bot = seat.user_id is None
            Seat.objects.filter(pk=seat.pk).update(
                place=1 if is_bot == lost else 2, outcome=outcomes[is_bot != lost], finished_at=timezone.now()
            )


def test_bots_that_beat_people_at_1500_stand_above_them_and_nobody_s_rating_changes() -> None:
    for number in range(30):
        against_bots([settled_person(f"Person {number}")], lost=number % 3 > 0)
    stored = list(RatingChange.objects.values_list("user", "mu", "sigma"))
    rating = bot_ratings.estimate_ratings(GAME)["steady"]
    assert (rating.matches, rating.people) == (30, 30)
    assert not rating.skill.is_provisional
    # Winning two times in three is worth about 200 points.
    assert 1600 <= rating.rounded <= 1800
    assert list(RatingChange.objects.values_list("user", "mu", "sigma")) == stored


def test_the_same_results_against_better_people_are_worth_more() -> None:
    for number in range(20):
        against_bots([settled_person(f"Person {number}", 33)], lost=number % 2 == 0)
    # Half of the matches are won against people at 1500 + 48 * 8.
    assert 1800 <= bot_ratings.estimate_ratings(GAME)["steady"].rounded <= 1950


@pytest.mark.stack
def test_only_settled_ratings_and_public_results_count_and_a_person_twenty_times() -> None:
    newcomer, ann = person("New"), settled_person("Ann")
    change(newcomer, 40, sigma=6)
    against_bots([newcomer], lost=True)
    against_bots([ann], lost=True, status=Match.Status.STOPPED)
    against_bots([ann], lost=True, public_at=timezone.now() + timedelta(minutes=2))
    assert bot_ratings.estimate_ratings(GAME) == {}
    against_bots([ann], lost=True, number=21)
    rating = bot_ratings.estimate_ratings(GAME)["steady"]
    assert (rating.matches, rating.people) == (20, 1)
    assert bot_ratings.estimate_ratings("kozel") == {}


def test_the_leaderboard_says_it_when_it_is_known(client: Client) -> None:
    cache.clear()
    against_bots([settled_person("Ann")], lost=True)
    unknown = client.get(f"/leaderboard/{GAME}/").content.decode()
    assert "not known yet" in unknown
    for number in range(20):
        against_bots([settled_person(f"Person {number}")], lost=False)
    cache.clear()
    html = client.get(f"/leaderboard/{GAME}/").content.decode()
    assert f"about {bot_ratings.estimate_ratings(GAME)['steady'].rounded} (21 matches)" in " ".join(html.split())


@pytest.mark.parametrize("variant", sorted(offered_variants()))
def test_the_leaderboard_says_how_far_each_level_stands_above_random_play(client: Client, variant: str) -> None:
    text = client.get(f"/leaderboard/{variant}/").text
    for level in BotLevel:
        assert f'<td class="number">+{rating_points_above_random(variant, level)}</td>' in text


def test_each_level_has_a_rating_of_its_own() -> None:
    for number in range(20):
        against_bots([settled_person(f"Person {number}")], lost=False)
    newest = Seat.objects.filter(bot="steady").order_by("-pk").values_list("pk", flat=True)[:5]
    Seat.objects.filter(pk__in=list(newest)).update(bot="master")
    ratings = bot_ratings.estimate_ratings(GAME)
    assert {level: (rating.matches, rating.people) for level, rating in ratings.items()} == {
        "steady": (15, 15),
        "master": (5, 5),
    }
