"""The games of the lobby: each by picture and sentence, each with a lobby of its own at an address."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from accounts.models import User
from accounts.names.rules import ANIMALS
from games import access
from games.lobby import tables
from games.models import Match
from games.terms.presets import presets_of
from games.words import offered_variants, words_of
from games.words.length import MEDIAN_MINUTES
from tests.games.tables import person
from tests.plain_browser import PlainBrowser

GAMES = list(offered_variants())


def html(address: str, client: Client | None = None) -> str:
    response = (client or Client()).get(address)
    assert response.status_code == 200
    return response.content.decode()


def usual_table(host: User, game: str, **changed: Any) -> Match:
    return tables.open_table(host=host, terms=replace(presets_of(offered_variants()[game])[0].terms, **changed))


@pytest.mark.parametrize("game", GAMES)
def test_lobby_card_has_picture_sentence_and_links(game: str) -> None:
    text, words = html("/"), words_of(game)
    for part in (
        f'<use href="#picture-{game}"/>',
        f'<a href="?game={game}">{words.name}</a>',
        escape(str(words.text)),
        f'href="{reverse("lesson", args=[game])}"',
        f'form="act" name="variant" value="{game}"',
    ):
        assert part in text, part


@pytest.mark.parametrize("game", GAMES)
def test_the_lobby_of_a_game_opens_its_tables_and_lists_its_own_only(game: str) -> None:
    for other in GAMES:
        usual_table(person(f"Host of {other}"), other)
    text = html(f"/?game={game}")
    for part in (
        f'<input type="hidden" name="variant" value="{game}">',
        *(f'name="preset" value="{preset.key}"' for preset in presets_of(offered_variants()[game])),
        f'href="{reverse("table-new")}?game={game}"',
        f'hx-ws:connect="/ws/lobby/?game={game}&amp;on=&amp;shown=',
        f"Host of {game}<",
    ):
        assert part in text, part
    assert not [other for other in GAMES if other != game and f"Host of {other}<" in text]
    assert not [other for other in GAMES if f"Host of {other}<" not in html("/")]


@pytest.mark.parametrize("game", GAMES)
def test_play_now_asks_for_the_game_last_played(game: str, client: Client) -> None:
    ann = person("Ann")
    usual_table(ann, game)
    client.force_login(ann)
    assert f"Play {words_of(game).name} now" in html("/", client)


@pytest.mark.parametrize("game", GAMES)
def test_play_now_seats_a_visitor_with_a_suggested_name(game: str, client: Client) -> None:
    response = client.post(reverse("quick-play"), {"variant": game}, follow=True)
    match = Match.objects.get()
    assert response.redirect_chain[-1][0] == reverse("match", args=[match.slug])
    assert (match.variant, match.due_kind) == (game, Match.Due.FILL)
    assert match.seats.get(index=0).name.split()[0] in [str(noun) for noun in ANIMALS]


@pytest.mark.parametrize("game", GAMES)
def test_a_card_offers_every_length_with_its_minutes_and_each_is_one_press(game: str, client: Client) -> None:
    lengths = list(MEDIAN_MINUTES[game])
    card = re.search(rf'<li class="card game">(?:(?!</li>).)*picture-{game}".*?</li>', html("/"), re.DOTALL)
    assert card is not None
    minutes = [MEDIAN_MINUTES[game][length][4] for length in lengths]
    assert [int(number) for number in re.findall(r"~(\d+) min", card[0])] == minutes
    ann = person("Ann")
    client.force_login(ann)
    for length in lengths:
        client.post(reverse("quick-play"), {"variant": game} | ({} if length == lengths[0] else {"length": length}))
        match = Match.objects.filter(status="open").get()
        assert match.options.get("length", "full") == length
        assert f"~{MEDIAN_MINUTES[game][length][4]} min" in html("/")


@pytest.mark.parametrize("game", GAMES)
def test_two_presses_lead_from_the_front_page_to_a_link_for_friends(game: str) -> None:
    browser = PlainBrowser(f"/?game={game}")
    browser.go(next(link for link in browser.page.links if "friends" in link))
    browser.press(next(button for button in browser.page.buttons if button.text == "Get a link"))
    match = Match.objects.get()
    assert (match.variant, match.visibility, match.clock) == (game, "link", "relaxed")
    assert match.options.get("length", "full") == next(iter(MEDIAN_MINUTES[game]))
    assert f'value="http://testserver{browser.address}"' in browser.page.html


@pytest.mark.parametrize("game", GAMES)
def test_ready_made_tables_state_each_fact_once(game: str) -> None:
    for preset in presets_of(offered_variants()[game]):
        facts = re.split(" · |, ", preset.facts)
        assert len(facts) == len(set(facts)) >= 2
        assert f">{preset.facts}<" in html(f"/?game={game}")


@pytest.mark.parametrize("game", GAMES)
def test_link_to_a_table_offers_a_seat(game: str, client: Client) -> None:
    match = usual_table(person("Ann"), game, visibility="link")
    assert match.slug not in html("/")
    ben = person("Ben")
    client.force_login(ben)
    assert "<summary>Unlisted</summary>" in html(reverse("match", args=[match.slug]), client)
    client.post(reverse("match-sit", args=[match.slug]))
    assert access.seat_of(ben, match.pk) == 1


def test_waiting_room_of_a_classic_table_lists_no_changes(client: Client) -> None:
    match = usual_table(person("Ann"), GAMES[0])
    assert 'class="unfold changes"' not in html(reverse("match", args=[match.slug]), client)
