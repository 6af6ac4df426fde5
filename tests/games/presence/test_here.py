"""How many people are here: each once, wherever their pages are open and in whatever process."""

from __future__ import annotations

import pytest
from django.utils import timezone

from games.models import Match, Seat, SpectatorCount
from games.presence import here
from games.presence.here import LobbyPeople, lobby_people, number_here
from games.presence.people import Attendee
from tests.games import tables

ANN, BEN = Attendee(1, "Ann", True, ("192.0.2.1", "a")), Attendee(2, "Ben", True, ("192.0.2.2", "b"))
VISITOR = Attendee(None, "", False, ("192.0.2.3", "c"))


async def test_processes_tell_each_other_and_count_each_person_once() -> None:
    one, other = LobbyPeople("one"), LobbyPeople("other")
    for people, channel, attendee in (
        *((one, "1", ANN), (one, "2", ANN), (one, "3", VISITOR)),
        *((other, "4", ANN), (other, "5", BEN)),
    ):
        people.join(channel, attendee)
    one.hear(other.message())
    one.hear(one.message())
    assert one.everybody().number == len(("Ann", "Ben", "a visitor"))
    assert one.everybody(VISITOR).number == len(("Ann", "Ben", "the same visitor"))
    other.leave("5")
    one.hear(other.message())
    assert one.everybody().number == len(("Ann", "a visitor"))


async def test_a_process_that_says_nothing_any_more_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = LobbyPeople("one"), LobbyPeople("other")
    other.join("1", BEN)
    one.hear(other.message())
    assert one.everybody().number == 1
    monkeypatch.setattr(here, "LEASE_SECONDS", -1)
    one.hear(other.message())
    assert one.everybody().number == 0


async def test_what_changed_is_told_once_and_soon_although_it_is_told_again_later() -> None:
    one = LobbyPeople("one")
    one.tell_in(here.RENEW_SECONDS)
    late = one.telling
    one.join("1", ANN)
    soon = one.telling
    one.join("2", BEN)
    assert late is not None
    assert soon is not None
    assert late.cancelled()
    assert one.telling is soon
    soon.cancel()


@pytest.mark.django_db
def test_people_in_the_lobby_at_tables_and_watching_are_each_counted_once() -> None:
    now = timezone.now()
    ann, ben, cleo, dan = (tables.person(name) for name in ("Ann", "Ben", "Cleo", "Dan"))
    match = tables.open_table([ann, ben, cleo], bots=1)
    Seat.objects.filter(user__in=(ann, ben, cleo)).update(last_seen=now)
    assert number_here(now) == len((ann, ben, cleo))
    Match.objects.filter(pk=match.pk).update(delay=Match.Delay.ROUND)  # the number would tell who leaves
    assert number_here(now) == 0
    Match.objects.filter(pk=match.pk).update(delay=Match.Delay.NONE)
    Seat.objects.filter(user=ben).update(away=True)
    Seat.objects.filter(user=cleo).update(bot="player")
    assert number_here(now) == len((ann,))
    SpectatorCount.objects.create(
        match=match, process="one", watchers=2, names=[[dan.pk, "Dan", False], [ann.pk, "Ann", False]], at=now
    )
    assert number_here(now) == len((ann, dan))
    lobby_people().here["1"] = Attendee(dan.pk, "Dan", False, ("192.0.2.4", "d"))
    assert number_here(now, VISITOR) == len((ann, dan, VISITOR))
