"""A seat whose person is away: the clock moves once, then a bot plays on, and one press takes the seat back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from accounts.sanctions import imposing
from games.engine import proof, stand_in
from games.engine.events import Drew, Event, MatchEnded, Played, SeatForfeited, SeatHeld, SeatReturned
from games.engine.variants import registry
from games.match import record, snapshots
from games.models import Absence, Match, Seat
from games.presence import leases
from games.services import absence, due_events, play
from games.services.moves import MoveRequest, make_move, make_moves
from tests.games import tables
from tests.games.lobby.test_tables import refused
from tests.games.services.test_play import events_of

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def noon() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def table(people: int = 2, **columns: Any) -> tuple[Match, Sequence[User]]:
    users = [tables.person(f"Person {number}") for number in range(people)]
    return tables.running_table(users, **columns), users


def pass_the_deadline(match: Match) -> None:
    assert due_events.fire_due_events(now=tables.locked_row(match).due_at) == 1


def states(match: Match) -> list[str]:
    return list(match.seats.order_by("index").values_list("state", flat=True))


def until_it_is_the_turn_of(match: Match, seat: int) -> None:
    """Let the others move, or their time pass."""
    while (row := tables.locked_row(match)).to_move != seat or row.due_kind != Match.Due.TIMEOUT:
        tables.make_first_move(match)


def missed_twice(match: Match) -> int:
    """Let the seat to move miss two turns, and return it."""
    seat = tables.locked_row(match).to_move
    assert seat is not None
    pass_the_deadline(match)
    until_it_is_the_turn_of(match, seat)
    pass_the_deadline(match)
    return seat


def last(match: Match, *kinds: type[Event]) -> Event:
    return next(event for event in reversed(events_of(match)) if isinstance(event, kinds))


class TestLate:
    @pytest.mark.stack
    def test_the_clock_makes_a_legal_move_for_this_turn(self) -> None:
        match, _people = table(4)
        seat = tables.locked_row(match).to_move
        pass_the_deadline(match)
        played = last(match, Played)
        assert isinstance(played, Played)
        assert (played.seat, played.by) == (seat, "clock")
        assert states(match)[seat] == Seat.State.LATE
        assert tables.locked_row(match).banks[seat] == 0
        assert snapshots.current_snapshot(match.pk).table.people[seat].state == Seat.State.LATE
        assert list(proof.find_errors(events_of(match))) == []

    def test_clock_draws_until_a_tile_fits(self) -> None:
        match, _people = table(2)
        tables.play_until(
            match,
            lambda state: (
                bool(state.boneyard)
                and not any(state.round.layout.places(tile) for tile in state.hands[state.round.to_move or 0])
                and bool(state.round.plays)
            ),
        )
        seat, version = tables.locked_row(match).to_move, tables.locked_row(match).version
        pass_the_deadline(match)
        events = [event for _seq, event, _at in record.read_events(match.pk)[version:]]
        assert isinstance(events[0], Drew)
        assert {getattr(event, "by", "clock") for event in events} == {"clock"}
        assert tables.locked_row(match).to_move != seat

    def test_move_in_time_resets_lateness(self) -> None:
        match, _people = table(2)
        seat = tables.locked_row(match).to_move
        pass_the_deadline(match)
        until_it_is_the_turn_of(match, seat)
        tables.make_first_move(match)
        assert states(match) == [Seat.State.ACTIVE] * 2
        until_it_is_the_turn_of(match, seat)
        pass_the_deadline(match)
        assert states(match)[seat] == Seat.State.LATE

    @pytest.mark.parametrize("key", sorted(registry()))
    def test_every_game_has_a_careful_move(self, key: str) -> None:
        match, _people = table(2, variant=key)
        for _turn in range(4):
            state = tables.state_of(match)
            if state.round.to_move is None:
                break
            assert stand_in.careful_move(registry()[key], state) in registry()[key].legal_moves(state)
            tables.make_first_move(match)


class TestHeld:
    def test_after_the_second_miss_in_a_row_a_bot_plays_on(self) -> None:
        match, _people = table(2)
        seat = missed_twice(match)
        assert events_of(match)[-1] == SeatHeld(seat, "timeout")
        holder = match.seats.get(index=seat)
        assert (holder.state, holder.holds, holder.bot != "") == (Seat.State.HELD, 1, True)
        row = tables.locked_row(match)
        assert (row.due_kind, row.due_at) == (Match.Due.HOLD, row.turn_started_at + absence.VOTE_PERIOD)
        assert due_events.fire_due_events(now=row.due_at) == 1
        assert tables.locked_row(match).due_kind == Match.Due.BOT
        tables.make_first_move(match)
        moved = last(match, Played, Drew)
        assert getattr(moved, "by", "") == "bot"

    @pytest.mark.stack
    def test_one_press_takes_the_seat_back_and_no_bot_moves_after_that(self, noon: time_machine.Traveller) -> None:
        match, people = table(2)
        seat = missed_twice(match)
        absence.continue_with_bot(tables.locked_row(match), NOW)
        (bot_turn,) = due_events.lease_bot_turns(now=NOW + 10 * SECOND)
        noon.move_to(NOW + 10 * SECOND)
        play.mark_ready(match_id=match.pk, user_id=people[seat].pk)
        assert events_of(match)[-1] == SeatReturned(seat)
        row = tables.locked_row(match)
        assert (row.to_move, row.due_kind) == (seat, Match.Due.TIMEOUT)
        assert row.due_at == NOW + 40 * SECOND, "the turn starts over, but the bank is used up"
        (answer,) = play_bot_turn(bot_turn)
        assert answer.code in ("replaced", "stale")
        make_move(match_id=match.pk, user_id=people[seat].pk, move=tables.first_legal_move(match), version=row.version)
        assert states(match) == [Seat.State.ACTIVE] * 2

    def test_coming_back_while_others_think_changes_no_deadline(self) -> None:
        match, people = table(3)
        seat = missed_twice(match)
        absence.continue_with_bot(tables.locked_row(match), NOW)
        tables.make_first_move(match)
        while tables.locked_row(match).to_move == seat:
            tables.make_first_move(match)
        row = tables.locked_row(match)
        play.mark_ready(match_id=match.pk, user_id=people[seat].pk)
        after = tables.locked_row(match)
        assert (after.due_at, after.due_kind, after.to_move) == (row.due_at, row.due_kind, row.to_move)
        assert after.version == row.version + 1

    def test_seat_taken_back_between_rounds_is_ready(self) -> None:
        match, people = table(2)
        seat = missed_twice(match)
        tables.play_round(match)
        play.mark_ready(match_id=match.pk, user_id=people[seat].pk)
        assert match.seats.get(index=seat).ready
        play.mark_ready(match_id=match.pk, user_id=people[1 - seat].pk)
        assert tables.locked_row(match).round == 2

    def test_the_third_time_the_seat_is_forfeited(self) -> None:
        match, people = table(2)
        seat = missed_twice(match)
        match.seats.filter(index=seat).update(holds=absence.MAX_HOLDS)
        play.mark_ready(match_id=match.pk, user_id=people[seat].pk)
        Seat.objects.filter(match=match, index=seat).update(state=Seat.State.LATE)
        pass_the_deadline(match)
        assert events_of(match)[-1] == SeatForfeited(seat, "held")
        refused("forfeited", play.mark_ready, match_id=match.pk, user_id=people[seat].pk)
        assert tables.locked_row(match).due_kind == Match.Due.BOT

    def test_suspended_player_cannot_return(self) -> None:
        match, people = table(2)
        seat = missed_twice(match)
        root = tables.person("Root", is_staff=True, is_superuser=True)
        imposing.impose(moderator=root, user=people[seat], kind="suspend", reason="cheating", until=None)
        refused("suspended", play.mark_ready, match_id=match.pk, user_id=people[seat].pk)
        assert match.seats.get(index=seat).bot

    def test_table_limit_applies_to_returning(self) -> None:
        match, people = table(2)
        seat = missed_twice(match)
        for _number in range(3):
            tables.running_table([people[seat], tables.person()])
        refused("too_many_tables", play.mark_ready, match_id=match.pk, user_id=people[seat].pk)
        assert match.seats.get(index=seat).bot

    @pytest.mark.stack
    def test_absence_survives_a_reload_in_a_later_round(self) -> None:
        match, _people = table(2)
        seat = missed_twice(match)
        tables.play_round(match)
        play.start_next_round(tables.locked_row(match), NOW)
        assert record.load_state(match.pk).absent == (seat,)


def play_bot_turn(bot_turn: due_events.BotTurn) -> list[Any]:
    """Return what a bot is answered whose move comes too late."""
    move = bot_turn.view.rules.move_text(bot_turn.view.legal[0])
    return make_moves([MoveRequest(bot_turn.match_id, bot_turn.version, move, seat=bot_turn.seat)])


class TestGone:
    def gone(self, match: Match, user: User, at: datetime) -> None:
        leases.renew_lease(match_id=match.pk, user_id=user.pk, now=at - SECOND)
        leases.release_seat_lease(match_id=match.pk, user_id=user.pk, renewed_at=at - SECOND, now=at)

    @pytest.mark.stack
    def test_player_without_connection_for_30_seconds_is_held(self) -> None:
        match, people = table(2)
        seat = tables.locked_row(match).to_move
        self.gone(match, people[seat], NOW + 5 * SECOND)
        assert absence.hold_disconnected_seats(now=NOW + 34 * SECOND) == 0
        assert absence.hold_disconnected_seats(now=NOW + 35 * SECOND) == 1
        assert events_of(match)[-1] == SeatHeld(seat, "gone")
        assert absence.hold_disconnected_seats(now=NOW + 36 * SECOND) == 0

    def test_disconnect_before_the_turn_counts_from_its_start(self) -> None:
        match, people = table(2)
        seat = tables.locked_row(match).to_move
        self.gone(match, people[seat], NOW - 60 * SECOND)
        assert absence.hold_disconnected_seats(now=NOW + 29 * SECOND) == 0
        assert absence.hold_disconnected_seats(now=NOW + 30 * SECOND) == 1

    def test_player_who_returns_in_time_is_not_held(self) -> None:
        match, people = table(2)
        seat = tables.locked_row(match).to_move
        self.gone(match, people[seat], NOW)
        leases.renew_lease(match_id=match.pk, user_id=people[seat].pk, now=NOW + 20 * SECOND)
        assert absence.hold_disconnected_seats(now=NOW + 50 * SECOND) == 0

    def test_a_player_without_scripts_who_thinks_50_of_60_seconds_keeps_the_seat(self) -> None:
        match, people = table(2, clock=Match.Clock.RELAXED)
        seat = tables.locked_row(match).to_move
        leases.renew_lease(match_id=match.pk, user_id=people[seat].pk, now=NOW)
        assert absence.hold_disconnected_seats(now=NOW + 50 * SECOND) == 0
        tables.make_first_move(match)
        assert states(match) == [Seat.State.ACTIVE] * 2

    @pytest.mark.parametrize("columns", [{"clock": "none"}, {"rated": True}, {"bots": 1, "people": 1}])
    def test_nobody_is_held_where_nobody_waits_or_the_match_would_end(self, columns: dict[str, Any]) -> None:
        match, people = table(**columns)
        Match.objects.filter(pk=match.pk).update(to_move=0)
        self.gone(match, people[0], NOW)
        assert absence.hold_disconnected_seats(now=NOW + timedelta(hours=1)) == 0


def test_absence_ends_the_match_if_agreed() -> None:
    match, _people = table(2, variant="gamezz", absence=Match.Absence.FORFEIT)
    seat = tables.locked_row(match).to_move
    pass_the_deadline(match)
    ended = last(match, MatchEnded)
    assert isinstance(ended, MatchEnded)
    assert (ended.reason, ended.seat, ended.places[seat]) == ("timeout", seat, 2)


def test_bot_continues_at_once_without_other_people() -> None:
    match, _people = table(1, bots=1)
    while tables.locked_row(match).to_move != 0:
        tables.make_first_move(match)
    missed_twice(match)
    assert tables.locked_row(match).due_kind == Match.Due.BOT


class TestEvidence:
    def test_evidence_of_an_absence_is_private(self) -> None:
        match, people = table(2)
        seat = tables.locked_row(match).to_move
        leases.renew_lease(match_id=match.pk, user_id=people[seat].pk, now=NOW + 10 * SECOND)
        row = tables.locked_row(match)
        pass_the_deadline(match)
        noted = Absence.objects.get(match=match)
        assert (noted.user, noted.reason, noted.led_to) == (people[seat], "timeout", "late")
        assert (noted.deadline, noted.last_seen, noted.left_at) == (row.due_at, NOW + 10 * SECOND, None)
        for user, is_shown in ((people[seat], True), (people[1 - seat], False), (None, False)):
            client = Client()
            if user:
                client.force_login(user)
            html = client.get(f"/match/{match.slug}/absences/").content.decode()
            assert ("14:00:10" in html) == is_shown

    def test_match_lost_on_time_has_its_reason(self) -> None:
        match, people = table(2, rated=True)
        seat = tables.locked_row(match).to_move
        pass_the_deadline(match)
        client = tables.browser_of(people[seat])
        assert f'/match/{match.slug}/absences/"' in client.get(f"/match/{match.slug}/").content.decode()
        assert "<h1>Why did I lose on time?</h1>" in client.get(f"/match/{match.slug}/absences/").content.decode()
