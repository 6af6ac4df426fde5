"""A table at which one player is late, a bot plays for a second who may come back and for a third who may not."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
import time_machine
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from games.engine.rules import Rules
from games.enums import Absence, SeatState
from games.models import Match
from games.services import absence, play
from games.words import offered
from tests.games.tables import row_of, state_of
from tests.test_leaks import FIRST_GAME, GAMES, betrayed_by_pages, play_into_round, told_differently
from tests.test_leaks_planted import in_an_attribute, plant
from tests.viewers import Viewer, everybody, table_of, told

pytestmark = pytest.mark.seed(1)

PAGES = ("match", "match-absences", "match-price", "match-scores", "match-why")
WORLDS = 4


@transaction.atomic
def away(match: Match) -> None:
    """Let time run out for one player, the next lose every connection, and the one after that leave."""
    absence.out_of_time(row_of(match), timezone.now())
    row = row_of(match)
    held = row.to_move
    assert held is not None
    absence.hold(row, held, "gone", timezone.now())
    gone = match.seats.get(index=(held + 1) % match.seat_count).user
    play.leave(match_id=match.pk, user_id=gone.pk)
    match.refresh_from_db()


def table_with_absent_players(rules: Rules, chance: Random) -> tuple[Match, list[Viewer]]:
    match = table_of(rules, max(rules.seat_counts))
    Match.objects.filter(pk=match.pk).update(absence=Absence.HOLD)
    match.refresh_from_db()
    viewers = everybody(match)[: match.seat_count + 1]
    play_into_round(1, match, chance)
    away(match)
    assert set(match.seats.values_list("state", flat=True)) == set(SeatState.values)
    assert row_of(match).due_kind == Match.Due.HOLD, "the others choose how to go on"
    return match, viewers


def addresses(match: Match) -> list[str]:
    return [reverse(name, args=[match.slug]) for name in PAGES]


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES)
def test_no_page_of_it_tells_a_hidden_tile(rules: Rules) -> None:
    chance = Random("away")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False):
        match, viewers = table_with_absent_players(rules, chance)
        state = state_of(match)
        for viewer in viewers:
            ask = partial(told, viewer, addresses(match))
            said, different = told_differently(viewer, match, chance, ask)
            assert different == set(), viewer.name
            assert betrayed_by_pages(said, match, state, viewer.seat) == {}, viewer.name


@pytest.mark.django_db
def test_a_leak_there_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, viewers = table_with_absent_players(offered()[FIRST_GAME], chance)
    plant(monkeypatch, in_an_attribute)
    ask = partial(told, viewers[1], addresses(match))
    assert any(told_differently(viewers[1], match, chance, ask)[1] for _ in range(WORLDS))
