"""Conduct on the pages: the ledger for its owner alone, the price before a press, and the pause where it matters."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.conduct import ledger
from games.enums import ConductKind
from games.lobby import tables as lobby_tables
from games.models import ConductMark, Match
from games.services import play
from tests.games import tables
from tests.games.lobby.test_tables import table
from tests.games.tables import browser_of, person

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)
BEGINNING = NOW - timedelta(hours=2)


def shown(user: User | None, path: str) -> str:
    client = Client()
    if user:
        client.force_login(user)
    with time_machine.travel(NOW, tick=False):
        return re.sub(r"\s+", " ", client.get(path).content.decode())


def marked(user: User, *kinds: str, match: Match | None = None) -> None:
    for kind in kinds:
        ledger.charge(user.pk, kind, BEGINNING, match_id=match.pk if match else None)


class TestThePage:
    def test_it_shows_the_points_each_line_with_its_match_and_when_the_next_one_fades(self, ann: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        marked(ann, "late", "held", match=match)
        page = shown(ann, "/conduct/")
        assert "3 conduct points" in page
        assert re.search(r"The next point fades on <time[^>]*>March 13, 2026, noon UTC</time>", page)
        assert re.findall(r'<b class="numeric[^"]*">(.*?)</b> <div> <p>(.*?)</p>', page) == [
            ("+2", "You were away, and a bot took over."),
            ("+1", "Your time was up, and the clock moved for you."),
        ]
        assert re.findall(r">= (\d+)<", page) == ["3", "1"]
        assert page.count(f'· <a href="/match/{match.slug}/">') == 2
        assert page.count(f'href="/match/{match.slug}/absences/"') == 2

    def test_it_shows_a_pause_and_how_all_is_counted(self, ann: User) -> None:
        ledger.charge(ann.pk, ConductKind.LEFT, NOW)
        ledger.charge(ann.pk, ConductKind.LEFT, NOW)
        page = shown(ann, "/conduct/")
        assert "until March 12, 2026, 2:10 p.m. UTC. You can play casual matches. Reason: You left a match." in page
        assert "6 points, rated play is paused for 20 minutes" in page
        for price in ledger.PRICES.values():
            assert price.points < 0 or f'<td class="number">{price.points}</td>' in page

    def test_nobody_else_sees_it(self, ann: User, ben: User) -> None:
        marked(ann, "left")
        assert "You left a match." not in shown(ben, "/conduct/")
        assert "0 conduct points" in shown(ben, "/conduct/")
        assert Client().get("/conduct/").status_code == 302
        assert "onduct" not in shown(ben, f"/people/{ann.pk}/").replace("/conduct/", "")

    def test_it_is_linked_from_the_settings_and_ones_own_page(self, ann: User) -> None:
        for path in ("/accounts/settings/", f"/people/{ann.pk}/"):
            assert 'href="/conduct/"' in shown(ann, path)

    def test_guests_have_none_and_are_told_why(self) -> None:
        guest = person("Guest", is_guest=True)
        assert "As a guest you have no conduct points" in shown(guest, "/conduct/")
        assert 'href="/conduct/"' not in shown(guest, "/accounts/settings/")


class TestThePriceOfLeaving:
    def test_it_stands_beside_the_button(self, ann: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        marked(ann, "held")
        page = shown(ann, f"/match/{match.slug}/")
        assert "Costs 3 conduct points. You have 2; at 6, rated play is paused for 10 minutes." in page
        marked(ann, "late")
        page = shown(ann, f"/match/{match.slug}/")
        assert "Costs 3 conduct points. That makes 6 and pauses rated play for 10 minutes." in page

    def test_a_page_loaded_before_asks_for_it_when_the_dialog_opens(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, person("Cat")])
        path = f"/match/{match.slug}/leave/price/"
        assert f'hx-get="{path}"' in shown(ann, f"/match/{match.slug}/")
        marked(ann, "left")
        assert shown(ann, path) == "Costs 3 conduct points. That makes 6 and pauses rated play for 10 minutes."
        assert shown(ben, path) == shown(None, path) == ""

    def test_somebody_who_is_out_already_reads_none(self, ann: User) -> None:
        match = tables.running_table([ann, person("Cat")])
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert "Costs" not in shown(ann, f"/match/{match.slug}/")

    def test_what_is_announced_is_what_is_charged(self, ann: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        before = ledger.quote(ann.pk, ConductKind.LEFT, NOW).points
        client = browser_of(ann)
        client.post(f"/match/{match.slug}/leave/")
        assert [mark.points for mark in ConductMark.objects.all()] == [before]

    def test_guests_and_spectators_read_nothing_of_it(self, ann: User, ben: User) -> None:
        guest = person("Guest", is_guest=True)
        match = tables.running_table([ann, guest])
        for viewer in (guest, ben, None):
            assert "Costs" not in shown(viewer, f"/match/{match.slug}/")


class TestThePriceOfASeat:
    @pytest.fixture
    def seated(self, ann: User, ben: User) -> Match:
        for _seat in range(2):
            ledger.charge(ann.pk, ConductKind.STOOD_UP, NOW - timedelta(minutes=30))
        match = table(ben)
        lobby_tables.sit(match=match, user=ann)
        return match

    def test_the_third_in_an_hour_is_announced_and_the_form_says_so(self, seated: Match, ann: User, ben: User) -> None:
        page = shown(ann, f"/match/{seated.slug}/")
        assert "within an hour has a price. Costs 1 conduct point." in page
        (price,) = re.findall(r'<input type="hidden" form="act" name="told" value="(\d+)">', page)
        client = browser_of(ann)
        with time_machine.travel(NOW, tick=False):
            client.post(f"/match/{seated.slug}/stand/", {"told": price})
        assert sum(mark.points for mark in ConductMark.objects.all()) == 1
        assert "has a price" not in shown(ben, f"/match/{seated.slug}/")

    def test_a_page_that_did_not_announce_it_is_asked_to_look_again(self, seated: Match, ann: User) -> None:
        client = browser_of(ann)
        with time_machine.travel(NOW, tick=False):
            answer = client.post(f"/match/{seated.slug}/stand/", follow=True)
        assert answer.redirect_chain[-1][0] == f"/match/{seated.slug}/"
        assert "now costs a conduct point" in answer.content.decode()
        assert seated.seats.filter(user=ann).exists()


class TestThePause:
    @pytest.fixture(autouse=True)
    def paused(self, ann: User) -> None:
        for _match in range(2):
            ledger.charge(ann.pk, ConductKind.LEFT, NOW)

    @pytest.mark.parametrize("path", ["/", "/?game=kozel", "/tables/new/"])
    def test_the_lobby_and_the_form_say_until_when_and_why(self, ann: User, ben: User, path: str) -> None:
        text = "until March 12, 2026, 2:10 p.m. UTC. You can play casual matches. Reason: You left a match."
        assert text in shown(ann, path)
        assert "paused" not in shown(ben, path)
        assert "paused" not in shown(None, path)

    def test_a_rated_table_says_it_before_anybody_sits_down_and_refuses(self, ann: User, ben: User) -> None:
        match = table(ben, rated=True)
        assert "Rated play is paused" in shown(ann, f"/match/{match.slug}/")
        assert "Rated play is paused" not in shown(ann, f"/match/{table(person('Cat')).slug}/")
        client = browser_of(ann)
        with time_machine.travel(NOW, tick=False):
            answer = client.post(f"/match/{match.slug}/sit/", follow=True)
        assert "Rated play is paused for you until" in answer.content.decode()
        assert not match.seats.filter(user=ann).exists()
