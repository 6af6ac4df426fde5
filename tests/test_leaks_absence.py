"""No page leaks a tile when one player is late, one is away (a bot plays on), and one has left."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
import time_machine
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from games.engine.rules import Rules
from games.enums import AbsencePolicy, SeatState
from games.models import Match
from games.services import absence, play
from games.words import offered_variants
from tests.games.tables import locked_row, state_of
from tests.test_leaks import FIRST_GAME, GAMES, WORLDS, compare_worlds, leaked_by_pages, play_into_round
from tests.test_leaks_planted import in_an_attribute, plant
from tests.viewers import Viewer, all_viewers, responses, start_rated_match

pytestmark = pytest.mark.seed(1)

PAGES = ("match", "match-absences", "match-price", "match-scores", "match-why")


@transaction.atomic
def remove_players(match: Match) -> None:
    """Let one player run out of time, the next lose every connection, and the one after that leave."""
    absence.handle_timeout(locked_row(match), timezone.now())
    row = locked_row(match)
    seat = row.to_move
    assert seat is not None
    absence.hold_seat(row, seat, "gone", timezone.now())
    leaver = match.seats.get(index=(seat + 1) % match.seat_count).user
    play.leave_match(match_id=match.pk, user_id=leaver.pk)
    match.refresh_from_db()


def table_with_absent_players(rules: Rules, chance: Random) -> tuple[Match, list[Viewer]]:
    match = start_rated_match(rules, max(rules.seat_counts))
    Match.objects.filter(pk=match.pk).update(absence=AbsencePolicy.HOLD)
    match.refresh_from_db()
    viewers = all_viewers(match)[: match.seat_count + 1]
    play_into_round(1, match, chance)
    remove_players(match)
    assert set(match.seats.values_list("state", flat=True)) == set(SeatState.values)
    assert locked_row(match).due_kind == Match.Due.HOLD, "the opponents choose how to continue"
    return match, viewers


def addresses(match: Match) -> list[str]:
    return [reverse(name, args=[match.slug]) for name in PAGES]


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES)
def test_no_page_contains_a_hidden_tile(rules: Rules) -> None:
    chance = Random("away")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False):
        match, viewers = table_with_absent_players(rules, chance)
        state = state_of(match)
        for viewer in viewers:
            request = partial(responses, viewer, addresses(match))
            texts, different = compare_worlds(viewer, match, chance, request)
            assert different == set(), viewer.name
            assert leaked_by_pages(texts, match, state, viewer.seat) == {}, viewer.name


@pytest.mark.django_db
def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, viewers = table_with_absent_players(offered_variants()[FIRST_GAME], chance)
    plant(monkeypatch, in_an_attribute)
    request = partial(responses, viewers[1], addresses(match))
    assert any(compare_worlds(viewers[1], match, chance, request)[1] for _ in range(WORLDS))
