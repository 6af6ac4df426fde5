"""TV channels: an active match, the same one until it is over or nobody moves, and then the next one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.broadcast import announcements
from games.models import Match, RatingChange, Seat
from games.presence import leases
from games.services import play
from tests.games.tables import browser_of, make_first_move, person, running_table

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TABLES = 50
INACTIVE_SECONDS = 30
ON_BOARDS = re.compile(r'<a href="(/tv/[^?"]*)\?on=(\w+)"')


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def match_on(client: Client, address: str) -> str:
    """Return the match that is on, "" for none."""
    response = client.get(address)
    assert response.status_code == 200
    return str(response.context["table"].slug) if "table" in response.context else ""


def rated(*names: str, variant: str = "kozel") -> Match:
    people = [person(name) for name in names]
    return running_table(people, variant=variant, rated=True, visibility="public")


@pytest.mark.stack
def test_the_best_match_is_on_and_each_game_has_a_channel(client: Client) -> None:
    casual = running_table([person("Cleo"), person("Dora")], variant="gamezz", visibility="public")
    best = rated("Ann", "Bob")
    assert match_on(client, "/tv/") == match_on(client, "/tv/kozel/") == best.slug
    assert match_on(client, "/tv/gamezz/") == casual.slug
    assert match_on(client, "/tv/rytmino/") == ""
    assert client.get("/tv/chess/").status_code == 404
    assert client.head("/tv/").status_code == 200


def test_page_stays_with_the_match_until_its_end(client: Client) -> None:
    casual = running_table([person("Cleo"), person("Dora")], visibility="public")
    best = rated("Ann", "Bob")
    assert match_on(client, f"/tv/?on={casual.slug}") == casual.slug
    play.stop_match(match_id=casual.pk, reason="deserted", seat=0)
    assert match_on(client, f"/tv/?on={casual.slug}") == best.slug
    assert f"/tv/?on={best.slug}" in client.get("/tv/").text


def test_page_leaves_a_match_in_which_nobody_moves(client: Client, clock: time_machine.Traveller) -> None:
    idle, moving = rated("Ann", "Bob"), running_table([person("Cleo"), person("Dora")], visibility="public")
    clock.shift(INACTIVE_SECONDS - 1)
    make_first_move(moving)
    assert match_on(client, f"/tv/?on={idle.slug}") == idle.slug
    clock.shift(1)
    assert match_on(client, f"/tv/?on={idle.slug}") == moving.slug
    clock.shift(INACTIVE_SECONDS)
    assert match_on(client, f"/tv/?on={moving.slug}") == ""
    make_first_move(idle)
    assert match_on(client, "/tv/") == idle.slug


def test_page_leaves_a_match_that_waits_for_somebody_who_is_away(client: Client) -> None:
    match = rated("Ann", "Bob")
    Seat.objects.filter(match=match, index=1 - (match.to_move or 0)).update(away=True)
    assert match_on(client, f"/tv/?on={match.slug}") == match.slug
    Seat.objects.filter(match=match).update(away=True)
    assert match_on(client, f"/tv/?on={match.slug}") == ""


def test_abandoned_matches_are_never_shown_for_more_than_thirty_seconds(
    client: Client, clock: time_machine.Traveller
) -> None:
    """Of 50 tables, half are abandoned after ten seconds. At the others somebody moves every 20 seconds."""
    abandoned = [rated(f"Ann {number}", f"Bob {number}") for number in range(TABLES // 2)]
    played = [
        running_table([person(f"Cleo {number}"), person(f"Dora {number}")], visibility="public")
        for number in range(TABLES // 2)
    ]
    moved_at = {match.slug: timezone.now() for match in (*abandoned, *played)}
    on_tv = in_lobby = ""
    for seconds in range(0, 60, 5):
        if seconds % 20 == 0:
            for match in played:
                make_first_move(match)
                moved_at[match.slug] = timezone.now()
        if seconds == 10:  # half of them close their pages
            close_pages(abandoned[::2])
        on_tv, in_lobby = match_on(client, f"/tv/?on={on_tv}"), featured_in_lobby(client, in_lobby)
        for slug in (on_tv, in_lobby, match_on(client, "/tv/"), featured_in_lobby(client)):
            assert timezone.now() - moved_at[slug] < timedelta(seconds=INACTIVE_SECONDS), seconds
            assert slug not in {match.slug for match in abandoned[::2]} or seconds < 10
        clock.shift(5)


def close_pages(matches: list[Match]) -> None:
    """Close the pages of the people at these tables. The site has noticed it."""
    now = timezone.now()
    Seat.objects.filter(match__in=matches).update(left_at=now - leases.RELOAD_GRACE - timedelta(seconds=1))
    assert leases.mark_away(now=now) == len(matches)


def featured_in_lobby(client: Client, current_slug: str = "") -> str:
    """Return the match that the lobby features on a page that shows one, "" for none."""
    response = client.get(f"/?on={current_slug}", headers={"HX-Request": "true"} if current_slug else {})
    assert response.status_code == 200
    if not current_slug:
        return str(response.context["on"])
    link = re.search(r'href="/match/(\w+)/">Live', response.text)
    return link[1] if link else ""


def test_nobody_watches_their_own_match_nor_one_that_is_not_public(client: Client) -> None:
    match = rated("Ann", "Bob")
    hidden = running_table([person("Cleo"), person("Dora")], visibility="link")
    assert match_on(client, f"/tv/?on={hidden.slug}") == match.slug
    player = match.seats.get(index=0).user
    assert player is not None
    client.force_login(player)
    assert match_on(client, "/tv/") == ""


def test_empty_channel_explains_itself_and_polls(client: Client) -> None:
    page = client.get("/tv/").text
    assert "No live match" in page
    assert '<meta http-equiv="refresh" content="10">' in page


def test_a_page_without_a_match_polls_and_reloads_when_there_is_one(client: Client) -> None:
    asking = {"HX-Request": "true"}
    assert 'hx-trigger="every 10s"' in client.get("/tv/").text
    assert "HX-Refresh" not in client.get("/tv/", headers=asking).headers
    rated("Ann", "Bob")
    assert client.get("/tv/", headers=asking).headers["HX-Refresh"] == "true"


def test_seats_of_a_rated_match_have_the_public_ratings(client: Client, clock: time_machine.Traveller) -> None:
    ann, bob, guest = person("Ann"), person("Bob"), person("Gus", is_guest=True)
    match = running_table([ann, bob, guest], rated=True, visibility="public")
    withheld = running_table([bob], bots=1)
    Match.objects.filter(pk=withheld.pk).update(public_at=timezone.now() + timedelta(minutes=1))
    rate(ann, match, mu=27.5, sigma=3.0)
    rate(bob, withheld, mu=30.0, sigma=3.0)
    announcements.touch_table(match.pk)
    page, lobby = client.get("/tv/").text, client.get("/").text
    assert re.findall(r"<span>rated </span>([^<]*)<", page) == ["1620", "1500?"]
    assert "Live, rated: Kozel" in lobby
    assert re.findall(r'<span class="small numeric">([^<]*)<', lobby.split("featured-players")[1]) == ["1620", "1500?"]
    casual = running_table([ann, bob], visibility="public")
    assert "<span>rated </span>" not in client.get(f"/match/{casual.slug}/").text


def test_small_boards_show_the_other_active_matches(client: Client, clock: time_machine.Traveller) -> None:
    on_tv = rated("Ann", "Bob")
    cleo, boards = person("Cleo"), f"/tv/boards/?on={on_tv.slug}"
    other = running_table([cleo, person("Dora")], variant="triominoes", visibility="public")
    page = client.get(f"/tv/?on={on_tv.slug}").text.split('id="boards"')[1]
    assert f'hx-get="{boards}"' in page
    assert ON_BOARDS.findall(page) == ON_BOARDS.findall(client.get(boards).text) == [("/tv/", other.slug)]
    assert count_tiles(page, other) == 0
    make_first_move(other)
    assert count_tiles(client.get(boards).text, other) > 0
    assert ON_BOARDS.findall(client.get("/tv/triominoes/boards/").text) == [("/tv/triominoes/", other.slug)]
    assert ON_BOARDS.findall(client.get("/tv/kozel/boards/").text) == [("/tv/kozel/", on_tv.slug)]
    assert ON_BOARDS.findall(browser_of(cleo).get(boards).text) == []
    clock.shift(INACTIVE_SECONDS)
    assert re.search(r'id="boards"[^>]*\shidden>', client.get(boards).text)
    assert client.get("/tv/chess/boards/").status_code == 404


def test_small_boards_show_a_match_with_a_delay_as_spectators_see_it(
    client: Client, clock: time_machine.Traveller
) -> None:
    match = running_table([person("Ann"), person("Bob")], visibility="public", delay="30", clock="none")
    assert match.slug not in client.get("/tv/boards/").text
    clock.shift(20)
    make_first_move(match)
    clock.shift(29)
    before = client.get("/tv/boards/").text
    assert match.slug in before
    assert count_tiles(before, match) == 0
    clock.shift(1)
    assert count_tiles(client.get("/tv/boards/").text, match) > 0


def count_tiles(page: str, match: Match) -> int:
    """Return the number of drawings on the small board of a match."""
    return len(re.findall(rf'<use [^>]*href="#\w+-{match.slug}"', page))


def rate(user: User, match: Match, *, mu: float, sigma: float) -> None:
    RatingChange.objects.create(
        match=match, user=user, variant="kozel", at=timezone.now(), seat=0, side=0, place=1, mu=mu, sigma=sigma
    )
