"""The pages of tournaments, their forms, and the calendar file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.fair_dealing import dealing
from games.models import Entry, Tournament
from games.tournaments import entering, selectors
from games.tournaments.announcing import Announcement, announce
from games.tournaments.conditions import Conditions
from tests.foreign_texts import english_texts, texts_of
from tests.games.tables import person
from tests.games.tournaments.site import announced, begin_round, end_matches, run_clock, tables_of

MINUTE = timedelta(minutes=1)
FORM = {
    "name": "Sunday cup",
    "format": "swiss",
    "starts": "30",
    "rounds": "5",
    "seats": "2",
    "visibility": "public",
}


def upcoming(host: User | None = None, **terms: Any) -> Tournament:
    """Announce a tournament that starts in half an hour."""
    now = timezone.now()
    usual: dict[str, Any] = {"format": "swiss", "variant": "kozel", "seats": 2, "starts_at": now + 30 * MINUTE}
    return announce(Announcement(**(usual | terms)), now=now, host=host)


def browser(user: User, language: str = "en") -> Client:
    client = Client(headers={"Accept-Language": language})
    client.force_login(user)
    return client


def press(client: Client, tournament: Tournament, act: str, **fields: Any) -> str:
    """Press a button of the page; return the page that follows."""
    return client.post(f"/tournament/{tournament.slug}/{act}/", fields, follow=True).text


def statuses(tournament: Tournament) -> list[str]:
    return list(tournament.entries.order_by("pk").values_list("status", flat=True))


def running() -> tuple[Tournament, list[User]]:
    """Return a running tournament of four people in its first round."""
    now = timezone.now()
    tournament = announce(
        Announcement(format="swiss", variant="kozel", seats=2, starts_at=now, options={"length": "quick"}),
        now=now - 10 * MINUTE,
    )
    people = [person(name) for name in ("Anna", "Bela", "Cyril", "Dora")]
    for user in people:
        entering.enter(tournament=tournament, user=user, now=now - MINUTE)
    begin_round(now, people)
    return tournament, people


def test_the_list_has_public_tournaments_by_stage(client: Client) -> None:
    upcoming(name="Open cup")
    upcoming(name="Secret cup", visibility="link")
    text = client.get("/tournaments/").text
    assert "Open cup" in text
    assert "Coming up" in text
    assert "Live now" not in text
    assert "Secret cup" not in text


def test_an_unlisted_tournament_is_only_at_its_address(client: Client) -> None:
    tournament = upcoming(name="Secret cup", visibility="link")
    page = client.get(f"/tournament/{tournament.slug}/").text
    assert "Secret cup" in page
    assert '<meta name="robots" content="noindex">' in page
    for address in ("/", "/tournaments/", "/sitemap.xml"):
        assert tournament.slug not in client.get(address).text


def test_an_unknown_tournament_is_not_found(client: Client) -> None:
    assert client.get("/tournament/nothing/").status_code == 404


def test_a_visitor_enters_as_a_guest_and_withdraws() -> None:
    tournament, client = upcoming(), Client()
    assert "You have entered." in press(client, tournament, "enter")
    assert statuses(tournament) == ["entered"]
    assert "You have entered." not in press(client, tournament, "withdraw")
    assert statuses(tournament) == ["gone"]


def test_a_page_of_an_entrant_and_i_am_here_count_as_presence() -> None:
    tournament, user = upcoming(), person("Anna")
    client = browser(user)
    press(client, tournament, "enter")
    for act in (lambda: client.get(f"/tournament/{tournament.slug}/"), lambda: press(client, tournament, "here")):
        Entry.objects.update(seen_at=None)
        act()
        assert tournament.entries.get().seen_at is not None


@pytest.mark.parametrize("act", ["here", "withdraw", "pause", "return"])
def test_people_who_have_not_entered_are_refused_in_their_language(act: str) -> None:
    tournament = upcoming()
    client = browser(person("Anna"), "hu")
    assert "Erre a versenyre nem neveztél be." in press(client, tournament, act)


def test_forms_only_lead_back_to_the_page_with_get(client: Client) -> None:
    tournament = upcoming()
    client = browser(person("Anna"))
    for act in ("enter", "here", "withdraw", "pause", "return", "partner", "accept", "remove", "cancel"):
        answer = client.get(f"/tournament/{tournament.slug}/{act}/")
        assert (answer.status_code, answer["Location"]) == (303, f"/tournament/{tournament.slug}/")
    assert statuses(tournament) == []


def test_conditions_are_named_and_refusals_explained() -> None:
    tournament = upcoming(conditions=Conditions(accounts=True))
    guest = Client()
    assert "for people with accounts" in guest.get(f"/tournament/{tournament.slug}/").text
    assert "Guests cannot do this. Create an account first." in press(guest, tournament, "enter")
    assert statuses(tournament) == []


def test_the_host_accepts_refuses_and_cancels() -> None:
    host, tournament = person("Hana"), upcoming(asks=True)
    Tournament.objects.update(host=host)
    clients = [browser(person(name)) for name in ("Anna", "Bela")]
    assert "The host has not answered yet." in press(clients[0], tournament, "enter")
    press(clients[1], tournament, "enter")
    first, second = tournament.entries.order_by("pk")
    page = browser(host).get(f"/tournament/{tournament.slug}/").text
    assert "Anna" in page
    assert "They ask to enter" in page
    assert "Only the host of this tournament can do that." in press(clients[0], tournament, "accept", entry=first.pk)
    press(browser(host), tournament, "accept", entry=first.pk)
    press(browser(host), tournament, "remove", entry=second.pk)
    assert statuses(tournament) == ["entered", "gone"]
    assert "has taken you off the list" in clients[1].get(f"/tournament/{tournament.slug}/").text
    press(browser(host), tournament, "cancel")
    assert Tournament.objects.get().stage == "cancelled"


def test_moderators_have_no_buttons_of_the_host() -> None:
    tournament = upcoming()
    path = f"/tournament/{tournament.slug}/cancel/"
    moderator = person("Mo", is_staff=True, is_superuser=True)
    assert path not in browser(moderator).get(f"/tournament/{tournament.slug}/").text
    Tournament.objects.update(host=moderator)
    assert path in browser(moderator).get(f"/tournament/{tournament.slug}/").text


@pytest.mark.parametrize("entry", ["", "x", "-1", "99999999999999999999", "7"])
def test_numbers_of_entries_that_do_not_exist_are_refused(entry: str) -> None:
    tournament, host = upcoming(asks=True), person("Hana")
    Tournament.objects.update(host=host)
    answer = browser(host).post(f"/tournament/{tournament.slug}/accept/", {"entry": entry}, follow=True)
    assert answer.status_code == 200
    assert 'class="notice notice-error"' in answer.text


def test_partners_find_each_other() -> None:
    tournament = upcoming(variant="all_fives", seats=4, options={"partners": "yes"})
    clients = [browser(person(name)) for name in ("Anna", "Bela")]
    for client in clients:
        press(client, tournament, "enter")
    first, second = tournament.entries.order_by("pk")
    assert "Bela" in press(clients[0], tournament, "partner", entry=second.pk)
    assert "has asked you" in clients[1].get(f"/tournament/{tournament.slug}/").text
    press(clients[1], tournament, "partner", entry=first.pk)
    assert statuses(tournament) == ["entered", "entered"]
    assert "Anna + Bela" in Client().get(f"/tournament/{tournament.slug}/").text


def test_a_running_tournament_shows_the_standing_the_tables_and_the_way_to_the_own_table() -> None:
    tournament, people = running()
    page = browser(people[0]).get(f"/tournament/{tournament.slug}/").text
    matches = [table.match for table in tables_of(tournament)]
    assert all(f'href="/match/{match.slug}/"' in page for match in matches)
    own = next(match for match in matches if match.seats.filter(user=people[0]).exists())
    assert f'data-follow="/match/{own.slug}/"' in page
    assert "Your place" not in page
    assert "Round 1 of 4" in page
    assert "data-follow" not in Client().get(f"/tournament/{tournament.slug}/").text


def test_a_match_that_is_over_is_no_table_that_is_ready() -> None:
    tournament, people = running()
    assert "Your table is ready." in browser(people[0]).get(f"/tournament/{tournament.slug}/").text
    end_matches()
    assert "Your table is ready." not in browser(people[0]).get(f"/tournament/{tournament.slug}/").text


def test_a_tournament_that_the_clock_deletes_during_an_entry_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, enter = upcoming(), entering.enter

    def enter_too_late(**values: Any) -> Entry:
        Tournament.objects.filter(pk=tournament.pk).delete()
        return enter(**values)

    monkeypatch.setattr(entering, "enter", enter_too_late)
    assert "There is no such tournament." in press(browser(person("Anna")), tournament, "enter")


def test_a_break_is_taken_and_ended() -> None:
    tournament, people = running()
    client = browser(people[0])
    press(client, tournament, "pause")
    assert tournament.events.filter(kind="sat_out").exists()
    press(client, tournament, "return")
    assert tournament.events.filter(kind="returned").exists()


def test_only_the_first_twenty_and_the_own_line_are_listed() -> None:
    tournament = announced(starts_at=timezone.now() + 30 * MINUTE)
    people = [person(f"Player {number:02}") for number in range(25)]
    for user in people:
        entering.enter(tournament=tournament, user=user, now=timezone.now())
    visitor = Client().get(f"/tournament/{tournament.slug}/").text.split("<details")[0]
    assert "Player 19" in visitor
    assert "Player 24" not in visitor
    own = browser(people[24]).get(f"/tournament/{tournament.slug}/").text.split('class="own-line"')[1]
    assert "Player 24" in own


def test_names_are_escaped() -> None:
    tournament = upcoming(name="<b>Cup</b>")
    entering.enter(tournament=tournament, user=person("<i>Eve"), now=timezone.now())
    page = Client().get(f"/tournament/{tournament.slug}/").text + Client().get("/tournaments/").text
    assert "<b>Cup" not in page
    assert "<i>Eve" not in page


def test_a_page_that_polls_gets_the_zones(client: Client) -> None:
    tournament = upcoming()
    answer = client.get(f"/tournament/{tournament.slug}/", headers={"HX-Request": "true"})
    assert '<hx-partial id="tournament-standing">' in answer.text
    assert "<html" not in answer.text
    tag = answer["ETag"]
    again = client.get(f"/tournament/{tournament.slug}/", headers={"HX-Request": "true", "If-None-Match": tag})
    assert again.status_code == 304


class TestForm:
    def test_a_person_with_an_account_creates_a_tournament(self) -> None:
        client = browser(person("Hana"))
        assert client.get("/tournaments/new/").status_code == 200
        answer = client.post("/tournaments/new/?game=kozel", FORM)
        tournament = Tournament.objects.get()
        assert (answer.status_code, answer["Location"]) == (303, f"/tournament/{tournament.slug}/")
        assert (tournament.name, tournament.format, tournament.seat_count) == ("Sunday cup", "swiss", 2)
        assert timedelta(minutes=29) < tournament.starts_at - timezone.now() <= timedelta(minutes=35)
        assert "Host: Hana" in client.get(answer["Location"]).text

    def test_an_arena_has_minutes_conditions_and_approval(self) -> None:
        fields = {"format": "arena", "minutes": "60", "entries": "asks", "min_rating": "1400", "people": "accounts"}
        browser(person("Hana")).post("/tournaments/new/?game=rytmino", FORM | fields)
        tournament = Tournament.objects.get()
        assert (tournament.minutes, tournament.asks) == (60, True)
        assert tournament.conditions == {"min_rating": 1400, "accounts": True}

    def test_a_duplicate_has_boards_of_one_round_and_a_sealed_secret(self) -> None:
        fields = {"format": "duplicate", "boards": "8", "option_length": "full"}
        answer = browser(person("Hana")).post("/tournaments/new/?game=kozel", FORM | fields)
        tournament = Tournament.objects.get()
        assert selectors.load_terms(tournament).rounds == 8
        assert tournament.options["length"] == "round"
        assert tournament.commitment == dealing.commitment(tournament.secret)
        page = Client().get(answer["Location"]).text
        assert "8 boards" in page
        assert "One round" in page
        assert tournament.secret not in page

    @pytest.mark.parametrize(
        "fields",
        [
            {"name": ""},
            {"name": "x" * 41},
            {"format": "knockout"},
            {"format": "duplicate", "boards": "5"},
            {"format": "duplicate", "stakes": "rated"},
            {"seats": "9"},
            {"starts": "1"},
            {"rounds": "40"},
        ],
    )
    def test_bad_input_is_explained_and_announces_nothing(self, fields: dict[str, str]) -> None:
        answer = browser(person("Hana")).post("/tournaments/new/?game=kozel", FORM | fields)
        assert answer.status_code == 422
        assert 'class="errorlist' in answer.text
        assert not Tournament.objects.exists()

    def test_a_third_tournament_is_refused_in_the_language_of_the_host(self) -> None:
        client = browser(person("Hana"), "it")
        for _ in range(2):
            client.post("/tournaments/new/?game=kozel", FORM)
        answer = client.post("/tournaments/new/?game=kozel", FORM)
        assert "Organizzi già due tornei." in answer.text
        assert Tournament.objects.count() == 2

    def test_guests_and_visitors_cannot_create_one(self, client: Client) -> None:
        for browser_ in (client, browser(person("Gail", is_guest=True))):
            assert "Create an account first" in browser_.get("/tournaments/new/", follow=True).text
            browser_.post("/tournaments/new/", FORM)
        assert not Tournament.objects.exists()

    def test_an_unknown_game_is_not_found(self) -> None:
        assert browser(person("Hana")).get("/tournaments/new/?game=chess").status_code == 404


def test_the_calendar_file_has_the_start_in_utc(client: Client) -> None:
    starts_at = datetime(2026, 3, 14, 18, tzinfo=UTC)
    tournament = announce(
        Announcement(
            format="arena", minutes=30, variant="kozel", seats=4, starts_at=starts_at, name="Kozlí, pohár " * 3
        ),
        now=starts_at - MINUTE,
    )
    answer = client.get(f"/tournament/{tournament.slug}/start.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    lines = answer.content.decode().replace("\r\n ", "").split("\r\n")
    assert "DTSTART:20260314T180000Z" in lines
    assert "DTEND:20260314T183000Z" in lines
    assert f"URL:http://testserver/tournament/{tournament.slug}/" in lines
    assert any(line.startswith("SUMMARY:Kozlí\\, pohár Kozlí") for line in lines)
    assert max(len(line) for line in answer.content.split(b"\r\n")) <= 75


def test_an_ended_tournament_stays_readable() -> None:
    tournament, people = running()
    run_clock(timezone.now() + 20 * MINUTE, people[:1])
    page = Client().get(f"/tournament/{tournament.slug}/").text
    assert "The tournament has started." in page
    assert "Anna: entered" in page


@pytest.mark.parametrize("language", ["hu", "cs", "sk", "it", "pl"])
def test_pages_contain_no_english_text(language: str) -> None:
    tournament, people = running()
    host, announced_one = person("Hana"), upcoming(asks=True, conditions=Conditions(accounts=True))
    Tournament.objects.filter(pk=announced_one.pk).update(host=host)
    entering.enter(tournament=announced_one, user=people[3], now=timezone.now())
    pages = [f"/tournament/{row.slug}/" for row in (tournament, announced_one)]
    for client in (browser(people[0], language), browser(host, language)):
        for address in (*pages, "/tournaments/", "/tournaments/new/?game=kozel"):
            answer = client.get(address, follow=True)
            assert (answer.status_code, english_texts(language, texts_of(answer.text))) == (200, []), address


def test_only_players_of_a_table_have_a_link_to_its_tournament() -> None:
    tournament, people = running()
    matches = [table.match for table in tables_of(tournament)]
    link = f'href="/tournament/{tournament.slug}/"'
    own = next(match for match in matches if match.seats.filter(user=people[0]).exists())
    assert link in browser(people[0]).get(f"/match/{own.slug}/").text
    assert link not in Client().get(f"/match/{own.slug}/").text
