"""The tables of bots that are there to be watched."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import bots
from games.lobby import quick_play, tables
from games.models import Match
from games.services import demo
from games.words import offered_variants

GAMES = [key for key in offered_variants() if bots.has_bot_for_variant(key)]


def finish(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)


@pytest.mark.stack
def test_bots_play_one_match_of_each_game_when_nobody_does() -> None:
    demo.ensure_bot_matches()
    assert sorted(match.variant for match in Match.objects.all()) == GAMES
    for match in Match.objects.all():
        assert match.status == Match.Status.RUNNING
        assert match.visibility == Match.Visibility.PUBLIC
        assert match.due_at is not None
        assert all(seat.bot and seat.user is None for seat in match.seats.all())


def test_each_game_has_one_demo_match() -> None:
    demo.ensure_bot_matches()
    demo.ensure_bot_matches()
    assert Match.objects.count() == len(GAMES)


def test_game_without_bots_has_no_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "has_bot_for_variant", lambda variant: variant == GAMES[-1])
    demo.ensure_bot_matches()
    assert [match.variant for match in Match.objects.all()] == GAMES[-1:]


@pytest.mark.parametrize("game", GAMES)
def test_next_demo_follows_the_last(game: str) -> None:
    demo.ensure_bot_matches()
    finish(Match.objects.get(variant=game))
    demo.ensure_bot_matches()
    assert Match.objects.filter(variant=game, status=Match.Status.RUNNING).count() == 1
    assert Match.objects.count() == len(GAMES) + 1


@pytest.mark.stack
def test_old_demo_matches_are_deleted() -> None:
    rules = offered_variants()[GAMES[0]]
    for _ in range(demo.MAX_FINISHED_PER_GAME + 2):
        demo.ensure_bot_match(rules)
        finish(Match.objects.latest("pk"))
    demo.ensure_bot_match(rules)
    assert Match.objects.filter(status=Match.Status.FINISHED).count() == demo.MAX_FINISHED_PER_GAME


@pytest.mark.parametrize("page", ["match", "match-review", "match-embed"])
def test_watched_demo_match_is_kept(page: str) -> None:
    rules = offered_variants()[GAMES[0]]
    demo.ensure_bot_match(rules)
    seen = Match.objects.latest("pk")
    assert Client().get(reverse(page, args=[seen.slug])).status_code == 200
    for _ in range(demo.MAX_FINISHED_PER_GAME + 2):
        finish(Match.objects.latest("pk"))
        demo.ensure_bot_match(rules)
    assert Client().get(reverse("match-review", args=[seen.slug])).status_code == 200
    # The newest ones that nobody saw are kept beside it.
    assert Match.objects.filter(status=Match.Status.FINISHED).count() == demo.MAX_FINISHED_PER_GAME + 1


def test_matches_of_people_are_kept() -> None:
    person = User.objects.create(username="anna", name="Anna")
    rules = offered_variants()[GAMES[0]]
    own = quick_play.join_quick_game(user=person, variant=rules.key)
    tables.fill_with_bots(match=own, by=person)
    Match.objects.filter(pk=own.pk).update(host=None, status=Match.Status.FINISHED)
    assert own not in demo.exhibitions()
    for _ in range(demo.MAX_FINISHED_PER_GAME + 2):
        demo.ensure_bot_match(rules)
        finish(Match.objects.latest("pk"))
    assert Match.objects.filter(pk=own.pk).exists()
