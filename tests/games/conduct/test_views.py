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


def page_text(user: User | None, path: str) -> str:
    client = Client()
    if user:
        client.force_login(user)
    with time_machine.travel(NOW, tick=False):
        return re.sub(r"\s+", " ", client.get(path).content.decode())


def charge_marks(user: User, *kinds: str, match: Match | None = None) -> None:
    for kind in kinds:
        ledger.charge_points(user.pk, kind, BEGINNING, match_id=match.pk if match else None)


class TestThePage:
    def test_page_shows_points_marks_and_the_next_fade(self, ann: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        charge_marks(ann, "late", "held", match=match)
        page = page_text(ann, "/conduct/")
        assert "3 conduct points" in page
        assert re.search(r"The next point fades on <time[^>]*>13 March 2026, 12:00 UTC</time>", page)
        assert re.findall(r'<b class="numeric[^"]*">(.*?)</b> <div> <p>(.*?)</p>', page) == [
            ("+2", "You were away, and a bot took over."),
            ("+1", "Your time was up, and the clock moved for you."),
        ]
        assert re.findall(r">= (\d+)<", page) == ["3", "1"]
        assert page.count(f'· <a href="/match/{match.slug}/">') == 2
        assert page.count(f'href="/match/{match.slug}/absences/"') == 2

    def test_page_shows_the_pause_and_the_rules(self, ann: User) -> None:
        ledger.charge_points(ann.pk, ConductKind.LEFT, NOW)
        ledger.charge_points(ann.pk, ConductKind.LEFT, NOW)
        page = page_text(ann, "/conduct/")
        assert "until 12 March 2026, 14:10 UTC. You can play casual matches. Reason: You left a match." in page
        assert "6 points, rated play is paused for 20 minutes" in page
        for price in ledger.PRICES.values():
            assert price.points < 0 or f'<td class="number">{price.points}</td>' in page

    def test_page_is_private(self, ann: User, ben: User) -> None:
        charge_marks(ann, "left")
        assert "You left a match." not in page_text(ben, "/conduct/")
        assert "0 conduct points" in page_text(ben, "/conduct/")
        assert Client().get("/conduct/").status_code == 302
        assert "onduct" not in page_text(ben, f"/people/{ann.pk}/").replace("/conduct/", "")

    def test_settings_and_own_page_link_to_it(self, ann: User) -> None:
        for path in ("/accounts/settings/", f"/people/{ann.pk}/"):
            assert 'href="/conduct/"' in page_text(ann, path)

    def test_guests_get_an_explanation(self) -> None:
        guest = person("Guest", is_guest=True)
        assert "As a guest you have no conduct points" in page_text(guest, "/conduct/")
        assert 'href="/conduct/"' not in page_text(guest, "/accounts/settings/")


class TestThePriceOfLeaving:
    def test_price_is_next_to_the_button(self, ann: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        charge_marks(ann, "held")
        page = page_text(ann, f"/match/{match.slug}/")
        assert "Costs 3 conduct points. You have 2; at 6, rated play is paused for 10 minutes." in page
        charge_marks(ann, "late")
        page = page_text(ann, f"/match/{match.slug}/")
        assert "Costs 3 conduct points. That makes 6 and pauses rated play for 10 minutes." in page

    def test_dialog_of_an_older_page_loads_the_price(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, person("Cat")])
        path = f"/match/{match.slug}/leave/price/"
        assert f'hx-get="{path}"' in page_text(ann, f"/match/{match.slug}/")
        charge_marks(ann, "left")
        assert page_text(ann, path) == "Costs 3 conduct points. That makes 6 and pauses rated play for 10 minutes."
        assert page_text(ben, path) == page_text(None, path) == ""

    def test_player_without_a_seat_sees_no_price(self, ann: User) -> None:
        match = tables.running_table([ann, person("Cat")])
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert "Costs" not in page_text(ann, f"/match/{match.slug}/")

    def test_displayed_price_is_charged(self, ann: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        before = ledger.quote_price(ann.pk, ConductKind.LEFT, NOW).points
        client = browser_of(ann)
        client.post(f"/match/{match.slug}/leave/")
        assert [mark.points for mark in ConductMark.objects.all()] == [before]

    def test_guests_and_spectators_see_no_price(self, ann: User, ben: User) -> None:
        guest = person("Guest", is_guest=True)
        match = tables.running_table([ann, guest])
        for viewer in (guest, ben, None):
            assert "Costs" not in page_text(viewer, f"/match/{match.slug}/")


class TestThePriceOfASeat:
    @pytest.fixture
    def seated(self, ann: User, ben: User) -> Match:
        for _seat in range(2):
            ledger.charge_points(ann.pk, ConductKind.STOOD_UP, NOW - timedelta(minutes=30))
        match = table(ben)
        lobby_tables.sit(match=match, user=ann)
        return match

    def test_third_seat_left_in_an_hour_has_a_price(self, seated: Match, ann: User, ben: User) -> None:
        page = page_text(ann, f"/match/{seated.slug}/")
        assert "within an hour has a price. Costs 1 conduct point." in page
        (price,) = re.findall(r'<input type="hidden" form="act" name="told" value="(\d+)">', page)
        client = browser_of(ann)
        with time_machine.travel(NOW, tick=False):
            client.post(f"/match/{seated.slug}/stand/", {"told": price})
        assert sum(mark.points for mark in ConductMark.objects.all()) == 1
        assert "has a price" not in page_text(ben, f"/match/{seated.slug}/")

    def test_page_without_the_price_must_confirm_again(self, seated: Match, ann: User) -> None:
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
            ledger.charge_points(ann.pk, ConductKind.LEFT, NOW)

    @pytest.mark.parametrize("path", ["/", "/?game=kozel", "/tables/new/"])
    def test_lobby_and_form_show_the_pause(self, ann: User, ben: User, path: str) -> None:
        text = "until 12 March 2026, 14:10 UTC. You can play casual matches. Reason: You left a match."
        assert text in page_text(ann, path)
        assert "paused" not in page_text(ben, path)
        assert "paused" not in page_text(None, path)

    def test_rated_table_shows_the_pause_and_refuses(self, ann: User, ben: User) -> None:
        match = table(ben, rated=True)
        assert "Rated play is paused" in page_text(ann, f"/match/{match.slug}/")
        assert "Rated play is paused" not in page_text(ann, f"/match/{table(person('Cat')).slug}/")
        client = browser_of(ann)
        with time_machine.travel(NOW, tick=False):
            answer = client.post(f"/match/{match.slug}/sit/", follow=True)
        assert "Rated play is paused for you until" in answer.content.decode()
        assert not match.seats.filter(user=ann).exists()
