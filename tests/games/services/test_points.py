"""Rating points are for having played: against other people, from somewhere else, and not for ever the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games.engine import replay
from games.engine.events import MatchEnded, RoundEnded
from games.lobby import tables
from games.match import points, record, selectors
from games.match.snapshots import current_snapshot
from games.models import Match, RatingChange, RatingPoints, Seat
from games.moderation import reversals
from games.records import exports
from games.rendering.result import result_panel
from games.services import play
from games.words.lookup import words_for
from tests.games.tables import locked_row, open_table, person, play_round

HOME, ELSEWHERE = "203.0.113.7", "198.51.100.9"
WORDS = words_for("kozel", "en")


def rated(people: Sequence[User], addresses: Sequence[str] = (), **columns: Any) -> Match:
    """Return an open rated table, whose people came from these addresses (by default each from another)."""
    bots = columns.pop("bots", 0)
    match = open_table(people, bots=bots, rated=True, **columns)
    match.seats.update(user=None, name="", bot="")
    for index, user in enumerate(people):
        address = addresses[index] if addresses else f"192.0.2.{index + 1}"
        tables.sit(match=match, user=user, index=index, address=address)
    for seat in match.seats.filter(user=None):
        seat.bot, seat.name = "steady", f"Bot {seat.index}"
        seat.save()
    return match


def play_and_leave(match: Match, *, rounds: int = 1) -> Match:
    """Start the match, play so many rounds, and let the first person leave."""
    match = play.start_match(match=match)
    for number in range(rounds):
        if number:
            for seat in match.seats.exclude(user=None):
                play.mark_ready(match_id=match.pk, user_id=seat.user_id)
        play_round(match)
    play.leave_match(match_id=match.pk, user_id=match.seats.get(index=0).user_id, charge=False)
    match.refresh_from_db()
    return match


def gains(match: Match) -> list[int | None]:
    return list(match.seats.order_by("index").values_list("points_gain", flat=True))


def result_html(match: Match) -> str:
    """Return what stands under the places when the match is over."""
    ratings = current_snapshot(match.pk)
    return result_panel(ratings.table, ratings.view(None), None, WORDS)


def reasons_for_no_points(match: Match) -> str:
    """Return why somebody will gain nothing, as the open table says it."""
    return selectors.read_table(match.pk).no_points


def test_players_gain_rating_points_after_a_complete_round(ann: User, ben: User) -> None:
    match = play_and_leave(rated([ann, ben]))
    over = next(event for event in record.events(match.pk) if isinstance(event, MatchEnded))
    assert gains(match) == [points.total for points in over.rating]
    assert RatingPoints.objects.get(user=ben).points == gains(match)[1] > 0
    assert match.no_points == ""
    assert "No rating points" not in result_html(match)


def test_nobody_gains_points_before_a_complete_round(ann: User, ben: User) -> None:
    match = play_and_leave(rated([ann, ben]), rounds=0)
    assert gains(match) == [None, None]
    assert not RatingPoints.objects.exists()
    assert "the match ended before everybody had moved in a complete round" in result_html(match)


def test_round_counts_if_every_side_moved_and_it_ended(ann: User, ben: User) -> None:
    match = play_and_leave(rated([ann, ben]))
    events = record.events(match.pk)
    without_seat_0 = [event for event in events if not (isinstance(event, points.MOVE_EVENTS) and event.seat == 0)]
    assert points.whole_round_played(events, (0, 1))
    assert not points.whole_round_played(without_seat_0, (0, 1))
    assert not points.whole_round_played([event for event in events if not isinstance(event, RoundEnded)], (0, 1))


def test_matches_left_at_once_gain_nothing(ann: User, ben: User) -> None:
    for _number in range(3):
        play_and_leave(rated([ann, ben]), rounds=0)
    assert not RatingPoints.objects.filter(points__gt=0).exists()
    assert not RatingChange.objects.exists()


@pytest.mark.parametrize("addresses", [(HOME, HOME), ("2001:db8::1", "2001:db8::2")])
def test_people_at_one_address_gain_nothing_and_are_informed(ann: User, ben: User, addresses: tuple[str, str]) -> None:
    match = rated([ann, ben], addresses)
    assert reasons_for_no_points(match) == "address"
    match = play_and_leave(match)
    assert gains(match) == [None, None]
    assert "the same network address" in result_html(match)


def test_a_third_person_from_elsewhere_makes_it_count(ann: User, ben: User) -> None:
    match = rated([ann, ben, person("Cat")], (HOME, HOME, ELSEWHERE))
    assert reasons_for_no_points(match) == ""
    assert None not in gains(play_and_leave(match))


def test_guests_gain_nothing_and_nobody_gains_from_them_alone(ann: User) -> None:
    guest = person("Guest", is_guest=True)
    match = rated([guest, ann])
    assert reasons_for_no_points(match) == "people"
    match = play_and_leave(match)
    assert gains(match) == [None, None]
    assert "at least two people with accounts" in result_html(match)


def test_a_guest_beside_two_accounts_gains_nothing_and_they_do(ann: User, ben: User) -> None:
    guest = person("Guest", is_guest=True)
    match = rated([ann, ben, guest])
    assert reasons_for_no_points(match) == "guests"
    match = play_and_leave(match)
    assert gains(match)[2] is None
    assert None not in gains(match)[:2]
    assert not RatingPoints.objects.filter(user=guest).exists()
    assert "Guests earn no rating points" in result_html(match)
    assert "–" in result_html(match)


def test_gains_of_a_pair_are_limited_per_day(ann: User, ben: User, settings: Settings) -> None:
    settings.RATED_MATCHES_OF_A_PAIR_A_DAY = 1
    assert None not in gains(play_and_leave(rated([ann, ben])))
    match = rated([ann, ben])
    assert reasons_for_no_points(match) == "often"
    match = play_and_leave(match)
    assert gains(match) == [None, None]
    assert "only a few times a day" in result_html(match)
    Seat.objects.update(finished_at=timezone.now() - timedelta(hours=25))
    assert None not in gains(play_and_leave(rated([ann, ben])))


def test_record_has_rulebook_points_regardless_of_limits(ann: User, ben: User) -> None:
    """Strictly replayed, the record is right, whatever the site books of it."""
    match = play_and_leave(rated([ann, ben], (HOME, HOME)))
    events = record.events(match.pk)
    over = next(event for event in events if isinstance(event, MatchEnded))
    assert sum(points.total for points in over.rating) > 0
    assert list(replay.replay_differences(events)) == []
    assert "address" not in str(exports.to_json_data(exports.read_record(match.pk)))


def test_address_hash_is_stored_only_during_rated_matches(ann: User, ben: User) -> None:
    match = rated([ann, ben], (HOME, HOME))
    marks = set(match.seats.values_list("address", flat=True))
    assert len(marks) == 1
    assert all(len(mark) == 32 and HOME not in mark for mark in marks)
    other = rated([ann, ben], (HOME, HOME))
    assert marks.isdisjoint(other.seats.values_list("address", flat=True)), "it is another one at each table"
    tables.stand_up(match=other, user=ann)
    assert other.seats.get(index=0).address == ""
    play_and_leave(match)
    assert set(match.seats.values_list("address", flat=True)) == {""}
    casual = open_table([person()], bots=1)
    casual.seats.filter(bot="steady").update(bot="", name="")
    tables.sit(match=casual, user=ben, address=HOME)
    assert casual.seats.get(user=ben).address == ""


def test_pages_store_address_hashes_and_the_table_explains_them(ann: User, ben: User) -> None:
    browsers = [Client(REMOTE_ADDR=HOME), Client(REMOTE_ADDR=HOME)]
    for browser, user in zip(browsers, (ann, ben), strict=True):
        browser.force_login(user)
    form = {"variant": "kozel", "preset": "rated"}
    address = browsers[0].post("/tables/new/", form).headers["Location"]
    page = browsers[1].post(f"{address}sit/", {}, follow=True).content.decode()
    assert "People on the same network address earn no rating points from each other." in page


def test_a_void_match_says_that_its_points_are_gone(ann: User, ben: User) -> None:
    match = play_and_leave(rated([ann, ben]))
    reversals.make_void(match)
    assert RatingPoints.objects.get(user=ben).points == 0
    assert "so are its rating points" in result_html(match)


def test_lone_player_gets_no_explanation_yet(ann: User) -> None:
    match = open_table([ann], bots=1, rated=True)
    match.seats.filter(bot="steady").update(bot="", name="")
    assert reasons_for_no_points(match) == ""
    assert locked_row(match).rated
