"""The pages of duplicate tournaments: the nonces of entrants, and results of closed boards."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.daily_boards.texts import percent_text
from games.engine.deal import nonce_commitment
from games.models import Entry, Match, Tournament
from games.services.boards import close_boards
from games.tournaments.board_results import fields_of_board
from games.tournaments.boards import source_of
from tests.foreign_texts import english_texts, texts_of
from tests.games.tables import browser_of, person
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    begin_round,
    duplicate,
    entrants,
    run_clock,
    running_matches,
)
from tests.games.tournaments.test_duplicate import play_to_end
from tests.plain_browser import PlainBrowser

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]
NAMES = ("Anna", "Bela", "Cyril", "Dora", "Emil", "Fanni")


def address(tournament: Tournament) -> str:
    return f"/tournament/{tournament.slug}/"


def data_of(page: str) -> str:
    """Return the data for the browser's nonce, "" if there are none."""
    return page.split('<data id="nonce" ')[1].split(">", maxsplit=1)[0] if '<data id="nonce" ' in page else ""


def closed_board() -> tuple[Tournament, list[User], list[Match]]:
    """Return a tournament whose first board is closed, and the matches on it."""
    tournament = duplicate(variant="triominoes")
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    matches = running_matches()
    for number, match in enumerate(matches):
        play_to_end(match, number)
    close(people)
    return tournament, people, matches


def close(people: Sequence[User]) -> None:
    for number in range(3):
        run_clock(START + MINUTE + 2 * number * SECOND, people)


class TestNonces:
    def test_the_browser_commits_with_the_entry_and_opens_its_nonce_at_the_start(self, settings: Settings) -> None:
        settings.NONCE_SECONDS = 5
        with time_machine.travel(START - MINUTE, tick=False) as travel:
            tournament, user = duplicate(), person("Anna")
            entrants(tournament, *NAMES[1:])
            client = browser_of(user)
            page = client.get(address(tournament)).text
            assert 'data-stage="enter"' in data_of(page)
            assert f'data-commitment="{tournament.commitment}"' in data_of(page)
            own = nonce_commitment("my nonce")
            client.post(f"{address(tournament)}enter/", {"commitment": own, "nonce": ""})
            assert data_of(client.get(address(tournament)).text) == ""
            travel.move_to(START)
            run_clock(START)
            page = client.get(address(tournament)).text
            assert f'value="{own}" data-stage="reveal"' in data_of(page)
            assert data_of(Client().get(address(tournament)).text) == ""
            assert "my nonce" not in page
            client.post(f"{address(tournament)}nonce/", {"nonce": "my nonce"})
            assert Entry.objects.get(user=user).nonce == "my nonce"
            assert data_of(client.get(address(tournament)).text) == ""
            begin_round(START + 2 * SECOND, list(User.objects.all()))
            page = Client().get(address(tournament)).text
            assert page.count("no text") == 5
            assert '<code translate="no">my nonce</code>' in page

    def test_a_person_without_scripts_types_a_text(self, settings: Settings) -> None:
        settings.NONCE_SECONDS = 5
        tournament = duplicate(variant="triominoes")
        people = entrants(tournament, *NAMES[:5])
        with time_machine.travel(START - MINUTE, tick=False):
            browser = PlainBrowser(address(tournament))
            assert 'http-equiv="refresh"' not in browser.page.html
            assert "<noscript>" in browser.page.html.partition('id="nonce-text"')[0].split('id="tournament-mine"')[1]
            browser.page.forms["act"].fields["nonce"] = "a text of mine"
            browser.press(
                next(button for button in browser.page.buttons if "enter" in button.attributes["formaction"])
            )
            assert 'http-equiv="refresh"' in browser.page.html
            assert 'id="nonce-text"' not in browser.page.html
        entry = tournament.entries.get(key="6")
        assert entry.user is not None
        assert (entry.nonce, entry.nonce_commitment) == ("a text of mine", nonce_commitment("a text of mine"))
        begin_round(START, [*people, entry.user])
        page = Client().get(address(tournament)).text
        assert '<code translate="no">a text of mine</code>' in page
        assert page.count("no text") == 5

    def test_another_nonce_is_refused_on_the_page(self, settings: Settings) -> None:
        settings.NONCE_SECONDS = 5
        with time_machine.travel(START, tick=False):
            tournament, user = duplicate(), person("Anna")
            client = browser_of(user)
            client.post(f"{address(tournament)}enter/", {"commitment": nonce_commitment("mine")})
            run_clock(START)
            answer = client.post(f"{address(tournament)}nonce/", {"nonce": "another"}, follow=True)
            assert 'class="notice notice-error"' in answer.text
            assert Entry.objects.get(user=user).nonce == ""


class TestResults:
    def test_a_closed_board_lists_all_results_in_each_seat(self) -> None:
        tournament, _people, matches = closed_board()
        tournament.refresh_from_db()
        page = Client().get(f"{address(tournament)}board/1/").text
        assert [page.count(name) for name in NAMES] == [1] * 6
        assert page.count("Master") == 2
        assert all(f"/match/{match.slug}/review/?as={seat}" in page for match in matches for seat in (0, 1))
        lines = [line for field in fields_of_board(tournament, 1) for line in field.lines]
        assert all(f">{percent_text(line.share)}%<" in page for line in lines)
        assert {line.share for line in lines} >= {0, 1}

    def test_the_check_of_a_deal_names_the_entrants_and_says_when_the_secret_is_published(self) -> None:
        tournament, _people, matches = closed_board()
        path = f"/match/{matches[0].slug}/verify/"
        assert "Then it added texts of the entrants." in Client().get(path).text
        assert "The secret is published when all boards are over." in Client().get(path).text
        close_boards(sources=[source_of(tournament)], with_secret=True, now=START)
        assert "The secret has been published" in Client().get(path).text

    def test_players_see_their_own_result_next_to_the_best_and_the_bots(self) -> None:
        tournament, people, _matches = closed_board()
        own = browser_of(people[0]).get(address(tournament)).text.split('id="tournament-boards"')[1]
        visitor = Client().get(address(tournament)).text.split('id="tournament-boards"')[1]
        assert f'href="{address(tournament)}board/1/"' in visitor
        assert 'class="own-result"' in own
        assert "Average of all" in own
        assert "own-result" not in visitor

    def test_an_open_board_has_no_page_and_no_line(self) -> None:
        tournament = duplicate()
        begin_round(START, entrants(tournament, *NAMES))
        for number in (0, 1, 2):
            assert Client().get(f"{address(tournament)}board/{number}/").status_code == 404
        page = Client().get(address(tournament)).text
        assert 'aria-labelledby="boards-title" hidden' in page
        assert "/board/" not in page

    def test_their_texts_are_translated(self) -> None:
        tournament, people, _matches = closed_board()
        for path in (address(tournament), f"{address(tournament)}board/1/"):
            for language in ("hu", "cs", "sk", "it", "pl"):
                client = Client(headers={"Accept-Language": language})
                client.force_login(people[0])
                assert english_texts(language, texts_of(client.get(path).text)) == [], path
