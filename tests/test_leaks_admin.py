"""The staff is told no tile of a running match, whatever row of whatever model it looks at."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import pytest
import time_machine
from django.contrib import admin
from django.db.models import F, Model
from django.utils.safestring import SafeString

from accounts import blocks
from accounts.models import Block, Follow, Sanction
from accounts.sanctions import imposing
from games.engine.events import RoundDealt
from games.match.table import Table
from games.models import Case, Match, MatchEvent, Message
from games.moderation.admin import timeline
from games.moderation.cases.reporting import ReportedPlace, report
from games.review.list_rendering import StepLine, entry
from games.review.past import Step
from games.spectators import delayed
from games.words import offered
from games.words.lookup import Words
from tests.test_leaks import make_random_move, play_into_round, telling_seats
from tests.test_leaks_delay import goes_away
from tests.viewers import Viewer, admin_pages, body, everybody, row_pages, table_of
from tests.worlds import another_world, forget_everything

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]


def office(chance: Random) -> tuple[Match, list[Viewer]]:
    """Return a running match with all that is looked into, said, blocked and imposed, and the staff."""
    rules = offered()["kozel"]
    match = table_of(rules, telling_seats(rules)[0])
    viewers = everybody(match)
    people = {viewer.name: viewer.user for viewer in viewers}
    player, spectator, root = people["seat 0"], people["spectator"], people["administrator"]
    for user, room in ((player, Message.Room.TABLE), (spectator, Message.Room.SPECTATORS)):
        Message.objects.create(match=match, user=user, name=user.name, text="Hello", room=room)
    blocks.block(blocker=player, blocked=people["seat 1"])
    imposing.impose(moderator=root, user=spectator, kind=Sanction.Kind.MUTE, reason="loud", until=None)
    play_into_round(1, match, chance)
    report(reporter=people["seat 1"], suspect=player, reason="stalls", place=ReportedPlace(match, 2))
    return match, viewers[-2:]


def told_differently(viewer: Viewer, match: Match, chance: Random, models: Collection[type[Model]]) -> set[str]:
    """Return the addresses at which the viewer is told something else in another world."""
    for address in admin_pages(match, models):  # so that these looks are in the log already
        viewer.client.get(address)
    here = {address: body(viewer.client.get(address)) for address in admin_pages(match, models)}
    with another_world(match, None, chance):
        there = {address: body(viewer.client.get(address)) for address in here}
    return {address for address in here if here[address] != there[address]}


def test_no_row_in_the_admin_tells_a_hidden_tile() -> None:
    chance = Random("admin")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False):
        match, staff = office(chance)
        seen = [address for address in admin_pages(match, admin.site._registry) if "/change/" in address]
        assert {Block, Case, Follow, Message, Sanction} <= admin.site._registry.keys()
        kinds = MatchEvent.objects.values("kind").distinct().count()
        assert sum("matchevent" in address for address in seen) == kinds
        for viewer in staff:
            assert told_differently(viewer, match, chance, admin.site._registry) == set(), viewer.name


PLANTED = {
    "the record": (MatchEvent, lambda _self, _request: MatchEvent.objects.annotate(data_if_over=F("data"))),
    "the secret": (Match, lambda _self, _request: Match.objects.annotate(secret_if_over=F("secret"))),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_leak_in_the_admin_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, staff = office(chance)
    model, careless = PLANTED[name]
    monkeypatch.setattr(type(admin.site._registry[model]), "get_queryset", careless)
    # The other tile may happen to lie where this one lay, but not so often in a row.
    for viewer in staff:
        assert any(told_differently(viewer, match, chance, [model]) for _world in range(4)), viewer.name


def test_a_leak_in_the_timeline_of_a_case_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, staff = office(chance)

    def careless(table: Table, step: Step, words: Words) -> StepLine:
        dealt = step.events[-1]
        told = entry(table, step, words)
        return told._replace(text=SafeString(dealt.hands)) if isinstance(dealt, RoundDealt) else told

    monkeypatch.setattr(timeline, "line_of", careless)
    for viewer in staff:
        assert any(told_differently(viewer, match, chance, [Case]) for _world in range(4)), viewer.name


def told_later(viewer: Viewer, match: Match, chance: Random) -> set[str]:
    """Return the pages of cases that say something else once a delayed match has gone on."""
    before = {address: body(viewer.client.get(address)) for address in row_pages(Case)}
    make_random_move(match, chance)
    goes_away(match, match.seats.get(index=1).user)
    forget_everything()
    return {address for address in before if body(viewer.client.get(address)) != before[address]}


@pytest.mark.parametrize("leaks", [False, True])
def test_the_timeline_of_a_case_tells_no_move_before_spectators_see_it(
    leaks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random("delay")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False) as clock:
        match, staff = office(chance)
        Match.objects.filter(pk=match.pk).update(delay="120")
        forget_everything()
        clock.shift(150)
        if leaks:
            monkeypatch.setattr(delayed, "sees_delayed", lambda _table, _user_id, _now: False)
        for viewer in staff:
            assert bool(told_later(viewer, match, chance)) == leaks, viewer.name
            clock.shift(150)
