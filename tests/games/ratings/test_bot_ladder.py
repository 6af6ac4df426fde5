"""The ladder of bots: strength by matches between bots alone, on the scale of the levels."""

from __future__ import annotations

from datetime import timedelta
from math import log
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Match, RatingChange, Seat
from games.ratings import bot_ladder
from games.ratings.bot_ladder import rate_bots
from tests.games.tables import open_table, person, play_until, running_table

GAME = "triominoes"
WON, LOST, LEFT = Seat.Outcome.WON, Seat.Outcome.LOST, Seat.Outcome.LEFT


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


def bot(name: str, owner: User | None = None) -> User:
    return person(f"{name} [bot]", bot_owner=owner or person(f"Owner of {name}"))


def finish(players: list[User], *places: int, bots: int = 0, outcomes: Any = (), **columns: Any) -> None:
    """Store a finished match with these places; levels sit after the accounts."""
    match, now = open_table(players, bots=bots, variant=GAME, visibility="link"), timezone.now()
    changes = {"status": Match.Status.FINISHED, "finished_at": now} | columns
    Match.objects.filter(pk=match.pk).update(**changes)
    for seat, place in zip(match.seats.order_by("index"), places, strict=True):
        outcome = outcomes[seat.index] if outcomes else WON if place == 1 else LOST
        Seat.objects.filter(pk=seat.pk).update(place=place, outcome=outcome, finished_at=now, variant=GAME)


def points_of(player: User) -> int:
    return round(rate_bots(GAME)[player.pk].rating.points)


def test_three_to_one_and_the_added_draws_are_two_to_one() -> None:
    """Four matches and a draw of each bot are 4:2, so 200 points and 245 of interval (1.96 / 2 / sqrt(4/3))."""
    ann, ben = bot("Ann"), bot("Ben")
    for places in ((1, 2), (1, 2), (1, 2), (2, 1)):
        finish([ann, ben], *places)
    strengths = rate_bots(GAME)
    assert (str(strengths[ann.pk].rating), strengths[ann.pk].matches) == ("1600 ± 245", 4)
    assert (str(strengths[ben.pk].rating), strengths[ben.pk].matches) == ("1400 ± 245", 4)
    assert not RatingChange.objects.exists()


def test_levels_are_the_scale() -> None:
    """Three of four against Steady (1500) with 4/5 of a draw are 3.4:1.4, 200 * log2(17/7) = 256 points.

    The other fifth of Ann's draw belongs to the draw with Ben, which says nothing about Ann.
    """
    ann, ben = bot("Ann"), bot("Ben")
    for places in ((1, 2), (1, 2), (1, 2), (2, 1)):
        finish([ann], *places, bots=1)
    finish([ben, ann], 1, 1)
    strengths = rate_bots(GAME)
    assert strengths[ann.pk].rating.is_anchored
    assert strengths[ben.pk].rating.is_anchored
    assert points_of(ann) == points_of(ben) == 1756


def test_four_players_are_three_duels() -> None:
    """Each of the six pairs counts half. All share the second place: the information is that of the weights alone.

    With the draws it is 6 * (1/2 + 2/3) = 7 duels. A variance is 3/4 of 1 / (4 * 7/6 * 1/4) for four equal players.
    """
    players = [bot(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    finish(players, 2, 2, 2, 2)
    strengths = rate_bots(GAME)
    spread = 1.96 * 200 / log(2) * (3 / 4 / (7 / 6)) ** 0.5
    for player in players:
        assert strengths[player.pk].matches == 1
        assert strengths[player.pk].rating.points == pytest.approx(1500)
        assert strengths[player.pk].rating.spread == pytest.approx(spread)


def test_only_matches_of_bots_of_different_owners_count() -> None:
    ann, ben, owner = bot("Ann"), bot("Ben"), person("Max")
    twins = [bot("One", owner), bot("Two", owner)]
    finish(twins, 1, 2)
    finish([ann, person("Zoe")], 1, 2)
    finish([ann, ben, person("Yan")], 1, 2, 3)
    finish([ann, ben], 1, 2, status=Match.Status.STOPPED)
    finish([ann, ben], 1, 2, public_at=timezone.now() + timedelta(minutes=2))
    assert rate_bots(GAME) == {}
    finish([*twins, ann], 1, 2, 3)
    assert rate_bots(GAME).keys() == {*(twin.pk for twin in twins), ann.pk}
    assert rate_bots("kozel") == {}


def test_leaving_is_a_defeat() -> None:
    ann, ben = bot("Ann"), bot("Ben")
    finish([ann, ben], 1, 2, outcomes=(LEFT, WON))
    assert points_of(ben) > points_of(ann)


def test_page_and_api_list_bots_among_levels_without_closed_accounts(client: Client) -> None:
    ann, ben, cleo, dan = bot("Ann"), bot("Ben"), bot("Cleo"), bot("Dan")
    finish([ann], 1, 2, bots=1)
    finish([cleo], 2, 1, bots=1)
    finish([ben, dan], 1, 2)
    text = " ".join(client.get(f"/leaderboard/{GAME}/bots/").text.split())
    data = client.get(f"/api/leaderboard/{GAME}/bots").json()
    assert [(row["name"], row["anchored"]) for row in data["bots"]] == [
        *(("Ann [bot]", True), ("Cleo [bot]", True), ("Ben [bot]", False), ("Dan [bot]", False))
    ]
    assert text.index("Ann [bot]") < text.index("Level: Steady") < text.index("Cleo [bot]")
    assert text.index("Not compared with a level yet") < text.index("Ben [bot]")
    row = data["bots"][0]
    assert f"{row['rating']} ± {row['spread']}" in text
    assert f'href="/people/{ann.bot_owner_id}/"' in text
    User.objects.filter(pk=cleo.bot_owner_id).update(is_closed=True)
    assert "Cleo" not in client.get(f"/leaderboard/{GAME}/bots/").text
    assert client.get("/leaderboard/chess/bots/").status_code == 404


def test_many_bots_are_rated_by_those_with_the_most_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_ladder, "MAX_BOTS", 2)
    ann, ben, cleo = bot("Ann"), bot("Ben"), bot("Cleo")
    for _number in range(2):
        finish([ann, ben], 1, 2)
    finish([cleo, ann], 1, 2)
    assert rate_bots(GAME).keys() == {ann.pk, ben.pk}


def test_match_that_bots_have_played_to_its_end_counts() -> None:
    players = [bot("Ann"), bot("Ben")]
    match = running_table(players, bots=1, variant="rytmino")
    play_until(match, lambda _state: False)
    strengths = rate_bots("rytmino")
    assert strengths.keys() == {player.pk for player in players}
    places = dict(Seat.objects.filter(match=match, user__isnull=False).values_list("user", "place"))
    first, second = sorted(players, key=lambda player: places[player.pk] or 0)
    assert strengths[first.pk].rating.points >= strengths[second.pk].rating.points
    assert strengths[first.pk].rating.is_anchored
