"""The lobby of a person who returns."""

from __future__ import annotations

from django.test import Client
from django.utils import timezone

from accounts import follows
from accounts.models import User
from games.models import Match
from games.puzzles import daily
from tests.games.lobby.test_tables import running, table
from tests.games.ratings.test_views import change


def lobby(client: Client, viewer: User, query: str = "") -> str:
    client.force_login(viewer)
    return client.get(f"/{query}").text


def test_own_tables_come_first_and_say_whose_turn_it_is(client: Client, ann: User, ben: User) -> None:
    waiting, own_turn, bots_turn = table(ann), running(ann), running(ann)
    table(ben)
    for match, to_move in ((own_turn, 0), (bots_turn, 1)):
        Match.objects.filter(pk=match.pk).update(to_move=to_move)
    text = lobby(client, ann)
    own, rest = text.split('<section class="hero"')
    positions = [own.index(f'<li id="table-{match.slug}-own"') for match in (own_turn, bots_turn, waiting)]
    assert positions == sorted(positions)
    assert own.count("Your turn</b>") == 1
    assert "Your turn</b>" not in rest


def test_people_whom_one_follows_are_named_while_they_are_here(client: Client, ann: User, ben: User) -> None:
    follows.follow(follower=ann, followed=ben)
    assert "Ben" not in lobby(client, ann)
    table(ben)
    assert f'<a href="/people/{ben.pk}/"><bdi translate="no">Ben</bdi></a> is here' in lobby(client, ann)


def test_rating_and_puzzle_streak_are_those_of_the_game(client: Client, ann: User) -> None:
    change(ann, 27)  # 1500 + 48 for each point above 25
    now = timezone.now()
    puzzle = daily.puzzle_of_day("triominoes", now)
    assert puzzle is not None
    daily.count_attempt(puzzle, ann.pk, solved=True, now=now)
    text = lobby(client, ann, "?game=triominoes")
    assert "Triominoes rating: 1596" in text
    assert "Puzzles: 1 day in a row" in text
    text = lobby(client, ann, "?game=kozel")
    assert "rating:" not in text
    assert "in a row" not in text


def test_only_strangers_read_the_advertisement(client: Client, ann: User) -> None:
    assert "No account, no ads" in client.get("/").text
    text = lobby(client, ann)
    assert "No account, no ads" not in text
    assert "Welcome back, " in text


def test_games_are_listed_once(client: Client) -> None:
    assert 'class="game-links"' not in client.get("/").text
    assert 'class="game-links"' in client.get("/?game=kozel").text
