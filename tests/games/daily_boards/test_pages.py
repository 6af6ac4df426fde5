"""The pages of daily boards: today's button, results after the close, and nothing before it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from fractions import Fraction

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts.models import User
from games.bots.levels import LEVELS
from games.daily_boards import views
from games.daily_boards.texts import percent_text, points_text
from games.models import BoardDay, Match, MatchReport
from games.services import board_days, play
from games.services.board_days import announce_day, play_next_board
from games.words import offered_variants
from tests.foreign_texts import english_texts, texts_of
from tests.games import tables
from tests.games.daily_boards import days
from tests.games.daily_boards.days import (
    NOON,
    ONE_DAY,
    VARIANT,
    account,
    close,
    open_today,
    play_boards,
    play_through,
)

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]
TODAY, YESTERDAY = f"/daily/{VARIANT}/", f"/daily/{VARIANT}/2026-11-27/"
NEXT_BOARD = f"/daily/{VARIANT}/boards/next/"


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the bots made-up results: tests of the service play them."""
    scores = {level: [10 * number, 0, 10, 5] for number, level in enumerate(LEVELS)}
    monkeypatch.setattr(days, "scores_of_levels", lambda _start, _secret, _seat: scores)


def browser(user: User, language: str = "en") -> Client:
    client = Client(headers={"Accept-Language": language})
    client.force_login(user)
    return client


def closed_yesterday(*users: User, boards: int = 1) -> BoardDay:
    """Let people play boards on the day before ``NOON``, and close it."""
    yesterday = NOON - ONE_DAY
    with time_machine.travel(yesterday, tick=False):
        day = open_today(now=yesterday)
        for user in users:
            play_boards(user, boards, yesterday)
    with time_machine.travel(NOON - timedelta(hours=11), tick=False) as clock:
        close(day, NOON - timedelta(hours=11))
        clock.move_to(NOON)
    return day


@time_machine.travel(NOON, tick=False)
def test_two_presses_lead_a_visitor_from_the_front_page_to_the_first_board() -> None:
    open_today()
    client = Client()
    assert 'href="/daily/"' in client.get("/").text
    page = client.get("/daily/").text
    assert f'action="{NEXT_BOARD}"' in page
    answer = client.post(NEXT_BOARD, {"nonce": "my text"})
    match = Match.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/match/{match.slug}/")
    assert client.get(answer["Location"]).status_code == 200
    assert match.seats.get(user__isnull=False).nonce == "my text"


@time_machine.travel(NOON, tick=False)
def test_page_counts_the_boards_and_begins_the_next_one() -> None:
    open_today()
    user = account("Ann")
    client = browser(user)
    assert "Play board 1" in client.get(TODAY).text
    first = play_next_board(user=user, variant=VARIANT, now=NOON)
    text = client.get(TODAY).text
    assert f'href="/match/{first.slug}/">Continue board 1</a>' in text
    assert "Play board" not in text
    assert client.post(NEXT_BOARD)["Location"] == f"/match/{first.slug}/"
    play_through(first)
    text = client.get(TODAY).text
    assert "Play board 2" in text
    assert re.findall(r"Board (\d): (played|not played yet)<", text)[:2] == [("1", "played"), ("2", "not played yet")]
    assert "1 of 8 boards played" in client.get("/daily/").text


@time_machine.travel(NOON, tick=False)
def test_after_the_last_board_there_is_no_button() -> None:
    open_today()
    user = account("Ann")
    for _board in range(8):
        play.stop_match(match_id=play_next_board(user=user, variant=VARIANT, now=NOON).pk)
    client = browser(user)
    text = client.get(TODAY).text
    assert "You have played all eight boards." in text
    assert NEXT_BOARD not in text
    assert "You have played all boards of today." in client.post(NEXT_BOARD, follow=True).text


@time_machine.travel(NOON, tick=False)
def test_day_that_is_not_open_yet_has_no_button() -> None:
    announce_day(VARIANT, NOON.date())
    client = Client()
    text = client.get(TODAY).text
    assert "No boards are open right now." in text
    assert "The boards close in" not in text
    assert "There are no boards to play right now." in client.post(NEXT_BOARD, follow=True).text
    assert not Match.objects.exists()


@time_machine.travel(NOON, tick=False)
def test_list_reads_the_boards_of_all_games_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for variant in offered_variants():
        open_today(variant)
    ann, counts = browser(account("Ann")), list[int]()
    for games in (offered_variants(), {VARIANT: offered_variants()[VARIANT]}, offered_variants()):
        monkeypatch.setattr(views, "offered_variants", lambda games=games: games)
        with CaptureQueriesContext(connection) as queries:
            assert ann.get("/daily/").text.count("Play board 1") == len(games)
        counts.append(len(queries))
    assert counts[1] == counts[2] <= 5, counts


@time_machine.travel(NOON, tick=False)
def test_form_has_the_commitment_of_tomorrow_for_which_the_browser_draws_a_nonce() -> None:
    open_today()
    tomorrow = BoardDay.objects.get(date=NOON.date() + ONE_DAY)
    assert (
        f'data-match="daily-{VARIANT}-2026-11-29" data-commitment="{tomorrow.commitment}"' in Client().get(TODAY).text
    )


@time_machine.travel(NOON, tick=False)
def test_results_of_yesterday_compare_people_and_bots() -> None:
    ann, ben = account("Ann"), account("Ben")
    day = closed_yesterday(ann, ben)
    own = Match.objects.get(source__startswith="daily-", seats__user=ann)
    for address in (TODAY, YESTERDAY):
        text = browser(ann).get(address).text
        assert "Your place: 1 of 2." in text  # both played the same moves
        assert '<bdi translate="no">Ben</bdi>' in text
        assert f'href="/match/{own.slug}/review/?as=0"' in text
        assert all(level in text for level in ("Beginner", "Casual", "Steady", "Strong", "Master", "Average of all"))
    assert day.commitment in text
    assert "November 2026" in text
    visitor = Client().get(YESTERDAY).text
    assert "Your place" not in visitor
    assert 'class="own-line"' not in visitor


@time_machine.travel(NOON, tick=False)
def test_share_has_the_result_and_the_address_of_the_day() -> None:
    ann = account("Ann")
    closed_yesterday(ann)
    text = browser(ann).get(YESTERDAY).text
    shared = re.findall(r'<input id="share-day" readonly value="([^"]+)"', text)
    assert len(shared) == 1
    assert shared[0].endswith(f"place 1 of 1. http://testserver{YESTERDAY}")


@time_machine.travel(NOON, tick=False)
def test_guests_see_their_result_but_are_not_listed() -> None:
    guest = tables.person("Gail", is_guest=True)
    closed_yesterday(guest)
    text = browser(guest).get(YESTERDAY).text
    assert "Your result: " in text
    assert "Nobody is listed on this day." in text
    assert "/accounts/guest/upgrade/" in text


@time_machine.travel(NOON, tick=False)
def test_closed_account_is_not_listed() -> None:
    ann, ben = account("Ann"), account("Ben")
    closed_yesterday(ann, ben)
    User.objects.filter(pk=ben.pk).update(is_closed=True)
    assert ">Ben<" not in Client().get(YESTERDAY).text


@time_machine.travel(NOON, tick=False)
def test_only_the_first_twenty_and_the_own_line_are_listed() -> None:
    people = [account(f"Player {number:02}") for number in range(22)]
    day = closed_yesterday(*people)
    last = User.objects.get(pk=board_days.standing_of_day(day, NOON)[21].person)
    standing = browser(last).get(YESTERDAY).text.split("<tbody>")[1]
    assert len(re.findall(r"<th scope=.row.>\s*<bdi translate=.no.>Player \d\d<", standing)) == 21
    assert str(last) in standing.split('class="own-line"')[1]


def test_points_lost_per_choice_need_enough_choices() -> None:
    ann = account("Ann")
    with time_machine.travel(NOON, tick=False):
        closed_yesterday(ann)
        match = Match.objects.get(source__startswith="daily-")
        choices = [[number + 1, 0, 1.0 if number % 2 else 0.0, "6-6", "5-5"] for number in range(40)]
        MatchReport.objects.create(
            match=match, version=4, data={"choices": choices, "rounds": [], "curve": [], "chances": []}
        )
        text = browser(ann).get(YESTERDAY).text
    assert "0.5 ± 0.2 points lost per choice" in text


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize("address", ["/daily/chess/", "/daily/kozel/2026-11-27/", "/daily/kozel/tomorrow/"])
def test_games_and_days_that_do_not_exist_are_not_found(address: str) -> None:
    assert Client().get(address).status_code == 404


@time_machine.travel(NOON, tick=False)
def test_day_of_today_leads_to_todays_page_and_a_day_to_come_is_not_found() -> None:
    open_today()
    assert Client().get(f"/daily/{VARIANT}/2026-11-28/")["Location"] == TODAY
    assert Client().get(f"/daily/{VARIANT}/2026-11-29/").status_code == 404


@time_machine.travel(NOON, tick=False)
def test_day_that_never_opened_is_not_found() -> None:
    announce_day(VARIANT, (NOON - ONE_DAY).date())
    assert Client().get(YESTERDAY).status_code == 404


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize("spelling", ["20261127", "2026-W48-5"])
def test_a_day_has_one_address(spelling: str) -> None:
    closed_yesterday(account("Ann"))
    assert Client().get(f"/daily/{VARIANT}/{spelling}/").status_code == 404


@time_machine.travel(NOON, tick=False)
def test_day_that_new_bots_closed_shows_its_results_at_once() -> None:
    day, ann = open_today(), account("Ann")
    play_boards(ann, 1, NOON)
    BoardDay.objects.filter(pk=day.pk).update(due_at=NOON)
    close(day, NOON)
    text = browser(ann).get(TODAY).text
    assert "Your place: 1 of 1." in text
    assert f'href="{TODAY}2026-11-28/check/"' in text
    assert "The boards close in" not in text


def test_day_that_is_being_closed_has_no_results_but_leads_to_the_board_in_play() -> None:
    ann, yesterday = account("Ann"), NOON - ONE_DAY
    with time_machine.travel(yesterday, tick=False):
        open_today(now=yesterday)
        played = play_boards(ann, 1, yesterday)[0]
        playing = play_next_board(user=ann, variant=VARIANT, now=yesterday)
    with time_machine.travel(datetime.fromisoformat("2026-11-28T00:05:00Z"), tick=False):
        text = browser(ann).get(YESTERDAY).text
        assert "The results are not ready yet." in text
        assert f"/match/{playing.slug}/" in text
        assert played.slug not in text


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize("language", ["hu", "cs", "sk", "it", "pl"])
def test_pages_contain_no_english_text(language: str) -> None:
    ann, guest = account("Ann"), tables.person("Gail", is_guest=True)
    closed_yesterday(ann, guest)
    open_today()
    for user in (ann, guest):
        for address in ("/daily/", TODAY, YESTERDAY):
            answer = browser(user, language).get(address, follow=True)
            assert (answer.status_code, english_texts(language, texts_of(answer.text))) == (200, []), address


@pytest.mark.parametrize(
    ("points", "text"),
    [(Fraction(26, 3), "+8.7"), (Fraction(-4, 6), "−0.7"), (Fraction(12), "+12"), (Fraction(0), "0"), (None, "–")],
)
def test_points_have_a_sign_and_at_most_one_decimal(points: Fraction | None, text: str) -> None:
    with translation.override("en"):
        assert points_text(points) == text


def test_shares_are_percentages_with_one_decimal() -> None:
    with translation.override("en"):
        assert [percent_text(share) for share in (Fraction(1, 3), Fraction(1), Fraction(0))] == [
            "33.3",
            "100.0",
            "0.0",
        ]
