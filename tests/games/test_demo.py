"""The table of bots that is there to be watched."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.models import Match
from games.services import demo, lobby

pytestmark = [pytest.mark.stack, pytest.mark.django_db]


def finish(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)


def test_bots_play_when_nobody_does():
    demo.keep_running()
    match = Match.objects.get()
    assert match.status == Match.Status.RUNNING
    assert match.visibility == Match.Visibility.PUBLIC
    assert match.due_at is not None
    assert all(seat.bot and seat.user is None for seat in match.seats.all())


def test_one_such_match_is_enough():
    demo.keep_running()
    demo.keep_running()
    assert Match.objects.count() == 1


def test_the_next_one_follows_the_last():
    demo.keep_running()
    finish(Match.objects.get())
    demo.keep_running()
    assert Match.objects.filter(status=Match.Status.RUNNING).count() == 1


def test_only_the_newest_finished_ones_are_kept():
    for _ in range(demo.KEPT + 2):
        demo.keep_running()
        finish(Match.objects.latest("pk"))
    demo.keep_running()
    assert Match.objects.filter(status=Match.Status.FINISHED).count() == demo.KEPT


def test_a_match_of_people_is_left_alone():
    person = User.objects.create(username="anna", name="Anna")
    own = lobby.quick_play(user=person)
    lobby.fill_with_bots(match=own, by=person)
    Match.objects.filter(pk=own.pk).update(host=None, status=Match.Status.FINISHED)
    assert own not in demo.matches_of_bots()
    for _ in range(demo.KEPT + 2):
        demo.keep_running()
        finish(Match.objects.latest("pk"))
    assert Match.objects.filter(pk=own.pk).exists()
