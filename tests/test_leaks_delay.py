"""While spectators see a match with a delay, nothing that happens meanwhile changes a byte of any response to them.

The proof continues the match: every page must stay the same as long as the clock stands still. It is shown to find
planted leaks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random

import pytest
import time_machine
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.chat import posting
from games.engine.rules import Rules
from games.history import queries
from games.models import Match
from games.presence import leases
from games.records import exports
from games.services import play
from games.spectators import delayed
from games.words import offered_variants
from tests.games.finished import create_finished_match
from tests.games.tables import state_of
from tests.test_leaks import compare_worlds, make_random_move
from tests.viewers import (
    Viewer,
    all_viewers,
    form_addresses,
    match_addresses,
    new_viewer,
    response_at,
    responses,
    start_rated_match,
)
from tests.worlds import clear_match_caches

pytestmark = [pytest.mark.filterwarnings("ignore:StreamingHttpResponse"), pytest.mark.seed(1)]
GAMES = [*offered_variants().values()]
ROUNDS = ("round", "open")
DELAYS = [*((rules, "120") for rules in GAMES), *zip(GAMES, ROUNDS, strict=False)]
TABLES = [pytest.param(rules, delay, id=f"{rules.key}-{delay}") for rules, delay in DELAYS]
FACE_UP = b'class="face-up"'
STREAMS = ("matches.jsonl", "matches.txt", "matches.csv")
NOON = "2026-01-01T12:00:00Z"


def delayed_table(rules: Rules, delay: str) -> tuple[Match, Viewer]:
    """Return a running match with a delay, whose players have finished another one, and a spectator."""
    match = start_rated_match(rules, min(rules.seat_counts))
    Match.objects.filter(pk=match.pk).update(delay=delay)
    match.refresh_from_db()
    create_finished_match([seat.user for seat in match.seats.all()], rated=True, variant=rules.key)
    return match, next(viewer for viewer in all_viewers(match) if viewer.name == "spectator")


LISTS = ("/", "/matches/", "/tv/", "/tv/boards/")


def all_pages(viewer: Viewer, match: Match, part: str = "") -> dict[str, bytes]:
    """Return the pages of the match, its review and the lists, if their addresses contain ``part``.

    Forms are tried in test_leaks_acts.
    """
    steps = [f"/match/{match.slug}/review/?at={number}" for number in (1, 4, 12)]
    people = [f"/people/{seat.user_id}/{page}" for seat in match.seats.all() for page in ("", *STREAMS)]
    of_match = [address for address in match_addresses(match) if address not in form_addresses(match)]
    return responses(viewer, [page for page in (*of_match, *steps, *LISTS, *people) if part in page])


def play_into(number: int, match: Match, chance: Random, clock: time_machine.Traveller) -> None:
    """Play a move a second until somebody has a choice in the middle of that round."""
    state = state_of(match)
    while state.round.number < number or len(state.round.plays) < 3:
        make_random_move(match, chance)
        clock.shift(1)
        state = state_of(match)


def goes_away(match: Match, user: User) -> None:
    """Close a player's last page, so that the table shows them as away."""
    now = timezone.now()
    leases.release_seat_lease(match_id=match.pk, user_id=user.pk, renewed_at=now, now=now)
    leases.mark_away(now=now + 2 * leases.RELOAD_GRACE)
    assert match.seats.get(user=user).away


def go_on(match: Match, chance: Random) -> None:
    """Let things happen that spectators see later (moves, chat, the end) or never (a player who is away)."""
    host = match.seats.get(index=0).user
    for _move in range(2):
        make_random_move(match, chance)
    posting.post_message(match=match, user=host, text="I hold the double")
    goes_away(match, match.seats.order_by("index").last().user)
    if match.delay not in ROUNDS:
        play.leave_match(match_id=match.pk, user_id=host.pk)


def changed(match: Match, viewer: Viewer, chance: Random, part: str = "") -> set[str]:
    """Return the addresses with this part whose pages change when the match continues."""
    before = all_pages(viewer, match, part)
    go_on(match, chance)
    clear_match_caches()
    after = all_pages(viewer, match, part)
    return {address for address in before if before[address] != after[address]}


@pytest.mark.django_db
@pytest.mark.parametrize(("rules", "delay"), TABLES)
def test_no_page_changes_before_the_delay_is_over(rules: Rules, delay: str) -> None:
    chance = Random(f"delay {delay}")
    with time_machine.travel(NOON, tick=False) as clock:
        match, viewer = delayed_table(rules, delay)
        play_into(2 if delay in ROUNDS else 1, match, chance, clock)
        seen = response_at(viewer, f"/match/{match.slug}/")
        assert changed(match, viewer, chance) == set()
        clock.shift(500)
        assert response_at(viewer, f"/match/{match.slug}/") != seen


@pytest.mark.django_db
def test_pages_of_a_match_without_delay_change_at_once() -> None:
    chance = Random("no delay")
    with time_machine.travel(NOON, tick=False) as clock:
        match, viewer = delayed_table(offered_variants()["kozel"], "none")
        play_into(1, match, chance, clock)
        assert f"/match/{match.slug}/" in changed(match, viewer, chance, f"/match/{match.slug}/")


def finished_rounds(match: Match, viewer: Viewer) -> list[int]:
    """Return the rounds in the record that this viewer can download."""
    answer = viewer.client.get(f"/match/{match.slug}/record/")
    assert (answer.status_code == 200) == (viewer.client.get(f"/match/{match.slug}/verify/").status_code == 200)
    rows = answer.json().get("events", [])
    return [row["round"] for row in rows if row["kind"] == "round_dealt"]


@pytest.mark.django_db
@pytest.mark.parametrize("delay", ["120", "round"])
def test_a_round_can_be_checked_when_its_end_was_shown(delay: str) -> None:
    chance = Random("rounds")
    with time_machine.travel(NOON, tick=False) as clock:
        match, spectator = delayed_table(offered_variants()["kozel"], delay)
        player = new_viewer("seat 0", match.seats.get(index=0).user, 0)
        play_into(2, match, chance, clock)
        assert finished_rounds(match, player) == [1]
        assert finished_rounds(match, spectator) == []
        if delay == "round":  # the second round is shown now, from its deal on
            play_into(3, match, chance, clock)
            assert finished_rounds(match, spectator) == [1]
        clock.shift(121)
        assert finished_rounds(match, spectator) == ([1, 2] if delay == "round" else [1])
        assert changed(match, spectator, chance) == set()


@pytest.mark.django_db
def test_a_round_that_can_be_checked_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("rounds")
    with time_machine.travel(NOON, tick=False) as clock:
        match, spectator = delayed_table(offered_variants()["kozel"], "120")
        play_into(2, match, chance, clock)
        monkeypatch.setattr(delayed, "sees_delayed", lambda _table, _user_id, _now: False)
        assert finished_rounds(match, spectator) == [1]


def changed_by_hidden_tiles(match: Match, viewer: Viewer, chance: Random, part: str = "") -> set[str]:
    """Return the addresses with this part whose pages differ in another world."""
    return compare_worlds(viewer, match, chance, lambda: all_pages(viewer, match, part))[1]


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES[:2])
def test_hands_that_are_opened_late_are_not_those_of_the_round_that_is_played(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random("open hands")
    with time_machine.travel(NOON, tick=False) as clock:
        match, spectator = delayed_table(rules, "open")
        play_into(2, match, chance, clock)
        player = new_viewer("seat 0", match.seats.get(index=0).user, 0)
        pages = [response_at(person, f"/match/{match.slug}/") for person in (spectator, player)]
        assert [FACE_UP in page for page in pages] == [True, False]
        assert changed_by_hidden_tiles(match, spectator, chance) == set()
        # A hand that is opened too early is found.
        monkeypatch.setattr(delayed, "cutoff_for_spectators", PLANTED["cutoff"][2])
        assert changed_by_hidden_tiles(match, spectator, chance, match.slug)


PLANTED = {
    "cutoff": (delayed, "cutoff_for_spectators", lambda _table, now: delayed.Cutoff(now, now, timedelta()), "/match/"),
    "the state of the table": (delayed, "hide_progress", lambda table: table, "/match/"),
    "rating points": (delayed, "undisclosed_gains", lambda _user_id: {}, "/people/"),
    "the list of matches": (queries, "listed_matches", lambda _viewer: Q(finished_at__isnull=False), "/matches/"),
    "a person's list": (queries, "listed_seats", lambda _viewer: Q(finished_at__isnull=False), "/people/"),
    "a stream": (queries, "listed_seats", lambda _viewer: Q(finished_at__isnull=False), ".jsonl"),
    "a table of matches": (queries, "listed_seats", lambda _viewer: Q(finished_at__isnull=False), ".csv"),
    "the record": (exports, "is_over_for", lambda _user, match: match.finished_at is not None, "/record/"),
}


@contextmanager
def rolled_back() -> Iterator[None]:
    """Roll back what happens to the database, and forget it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    clear_match_caches()


@pytest.mark.django_db
def test_planted_leaks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    with time_machine.travel(NOON, tick=False) as clock:
        match, viewer = delayed_table(offered_variants()["kozel"], "120")
        play_into(2, match, chance, clock)
        for name, (module, honest, careless, part) in PLANTED.items():
            with monkeypatch.context() as planted, rolled_back():
                planted.setattr(module, honest, careless)
                assert changed(match, viewer, chance, part), name
            match.refresh_from_db()
