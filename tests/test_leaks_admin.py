"""The admin shows staff no hidden tile of a running match, in any row of any model."""

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
from games.moderation.cases.reporting import ReportedPlace, report_person
from games.review.match_steps import Step
from games.review.step_list_rendering import StepLine, step_line
from games.spectators import delayed
from games.words import offered_variants
from games.words.lookup import Words
from tests.test_leaks import WORLDS, compare_worlds, make_random_move, play_into_round, small_table
from tests.test_leaks_delay import NOON, goes_away, rolled_back
from tests.viewers import Viewer, admin_addresses, all_viewers, responses, row_addresses, start_rated_match
from tests.worlds import clear_match_caches

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]


def admin_match_and_staff(chance: Random) -> tuple[Match, list[Viewer]]:
    """Return a running match with chat, a block, a sanction and a report, and the staff."""
    rules = offered_variants()["kozel"]
    match = start_rated_match(rules, small_table(rules))
    viewers = all_viewers(match)
    people = {viewer.name: viewer.user for viewer in viewers}
    player, spectator, root = people["seat 0"], people["spectator"], people["administrator"]
    for user, room in ((player, Message.Room.TABLE), (spectator, Message.Room.SPECTATORS)):
        Message.objects.create(match=match, user=user, name=user.name, text="Hello", room=room)
    blocks.block(blocker=player, blocked=people["seat 1"])
    imposing.impose(moderator=root, user=spectator, kind=Sanction.Kind.MUTE, reason="loud", until=None)
    play_into_round(1, match, chance)
    report_person(reporter=people["seat 1"], suspect=player, reason="stalls", place=ReportedPlace(match, 2))
    return match, viewers[-2:]


def different_pages(viewer: Viewer, match: Match, chance: Random, models: Collection[type[Model]]) -> set[str]:
    """Return the addresses whose pages differ in another world."""
    addresses = list(admin_addresses(match, models))

    def visit() -> dict[str, bytes]:
        with rolled_back():  # the log of private data shows visits
            return responses(viewer, addresses)

    return compare_worlds(viewer, match, chance, visit)[1]


def test_no_row_in_the_admin_contains_a_hidden_tile() -> None:
    chance = Random("admin")
    with time_machine.travel(NOON, tick=False):
        match, staff = admin_match_and_staff(chance)
        rows = [address for address in admin_addresses(match, admin.site._registry) if "/change/" in address]
        assert {Block, Case, Follow, Message, Sanction} <= admin.site._registry.keys()
        kinds = MatchEvent.objects.values("kind").distinct().count()
        assert sum("matchevent" in address for address in rows) == kinds
        for viewer in staff:
            assert different_pages(viewer, match, chance, admin.site._registry) == set(), viewer.name


PLANTED = {
    "the record": (MatchEvent, lambda _self, _request: MatchEvent.objects.annotate(data_if_over=F("data"))),
    "the secret": (Match, lambda _self, _request: Match.objects.annotate(secret_if_over=F("secret"))),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_leak_in_the_admin_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, staff = admin_match_and_staff(chance)
    model, careless = PLANTED[name]
    monkeypatch.setattr(type(admin.site._registry[model]), "get_queryset", careless)
    for viewer in staff:
        assert any(different_pages(viewer, match, chance, [model]) for _world in range(WORLDS)), viewer.name


def test_a_leak_in_the_timeline_of_a_case_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, staff = admin_match_and_staff(chance)

    def careless(table: Table, step: Step, words: Words) -> StepLine:
        deal, line = step.events[-1], step_line(table, step, words)
        return line._replace(text=SafeString(deal.hands)) if isinstance(deal, RoundDealt) else line

    monkeypatch.setattr(timeline, "line_of", careless)
    for viewer in staff:
        assert any(different_pages(viewer, match, chance, [Case]) for _world in range(WORLDS)), viewer.name


def changed_cases(viewer: Viewer, match: Match, chance: Random) -> set[str]:
    """Return the pages of cases that change when a delayed match continues."""
    before = responses(viewer, row_addresses(Case))
    make_random_move(match, chance)
    goes_away(match, match.seats.get(index=1).user)
    clear_match_caches()
    after = responses(viewer, before)
    return {address for address in before if after[address] != before[address]}


@pytest.mark.parametrize("leaks", [False, True])
def test_the_timeline_of_a_case_shows_no_move_before_spectators_see_it(
    leaks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random("delay")
    with time_machine.travel(NOON, tick=False) as clock:
        match, staff = admin_match_and_staff(chance)
        Match.objects.filter(pk=match.pk).update(delay="120")
        clear_match_caches()
        clock.shift(150)
        if leaks:
            monkeypatch.setattr(delayed, "sees_delayed", lambda _table, _user_id, _now: False)
        for viewer in staff:
            assert bool(changed_cases(viewer, match, chance)) == leaks, viewer.name
            clock.shift(150)
