"""The staff is told no tile of a running match, whatever row of whatever model it looks at."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import pytest
import time_machine
from django.contrib import admin
from django.db.models import F, Model

from accounts import blocks, sanctions
from accounts.models import Block, Follow, Sanction
from games.models import Match, MatchEvent, Message
from games.words import offered
from tests.test_leaks import play_into_round, telling_seats
from tests.viewers import Viewer, admin_pages, body, everybody, table_of
from tests.worlds import another_world

pytestmark = pytest.mark.django_db


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
    sanctions.impose(moderator=root, user=spectator, kind=Sanction.Kind.MUTE, reason="loud", until=None)
    play_into_round(1, match, chance)
    return match, viewers[-2:]


def told_differently(viewer: Viewer, match: Match, chance: Random, models: Collection[type[Model]]) -> set[str]:
    """Return the addresses at which the viewer is told something else in another world."""
    here = {address: body(viewer.client.get(address)) for address in admin_pages(match, models)}
    with another_world(match, None, chance):
        there = {address: body(viewer.client.get(address)) for address in here}
    return {address for address in here if here[address] != there[address]}


def test_no_row_in_the_admin_tells_a_hidden_tile() -> None:
    chance = Random("admin")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False):
        match, staff = office(chance)
        seen = [address for address in admin_pages(match, admin.site._registry) if "/change/" in address]
        assert {Block, Follow, Message, Sanction} <= admin.site._registry.keys()
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
