"""Who may see and do what, and the way of a visitor through the guest page."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.core import signing
from django.http import Http404
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import access
from games.models import Match, Seat
from games.services import lobby, seating
from games.views.person_required import INTENTION
from tests.games.services.test_lobby import table
from tests.games.tables import person

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


@pytest.fixture
def host() -> User:
    return person("Host")


class TestSeeing:
    @pytest.mark.parametrize("visibility", ["public", "link"])
    def test_whoever_has_the_address_sees_the_table(self, host: User, visibility: str) -> None:
        match = table(host, visibility=visibility)
        assert access.visible_match(NOBODY, match.slug) == match
        assert access.visible_match(person("Ben"), match.slug) == match

    def test_an_address_that_leads_nowhere_is_not_found(self) -> None:
        with pytest.raises(Http404):
            access.visible_match(NOBODY, "nowhere")

    def test_a_void_match_is_shown_to_its_players_and_to_staff_only(self, host: User) -> None:
        match = table(host)
        Match.objects.filter(pk=match.pk).update(status="void")
        match.refresh_from_db()
        assert access.can_see(host, match)
        assert access.can_see(person("Mod", is_staff=True), match)
        assert not access.can_see(person("Ben"), match)
        assert not access.can_see(NOBODY, match)


class TestSeats:
    def test_a_seat_belongs_to_who_sits_there(self, host: User) -> None:
        match = table(host)
        assert access.seat_of(host, match.pk) == 0
        assert access.seat_of(person("Ben"), match.pk) is None
        assert access.seat_of(NOBODY, match.pk) is None


class TestComingAsGuest:
    def through_guest_page(self, client: Client, response: Any) -> str:
        """Fill in the guest page as a browser would and return where the visitor is in the end."""
        assert response["Location"].startswith(reverse("guest"))
        page = client.get(response["Location"])
        form = {"name": "Gail", "colour": "red", "next": page.context["onward"]}
        response = client.post(reverse("guest"), form, follow=True)
        assert response.status_code == 200
        return response.redirect_chain[-1][0]

    def test_an_invited_visitor_comes_back_seated(self, host: User, client: Client) -> None:
        match = table(host, visibility="link")
        response = client.post(reverse("match-sit", args=[match.slug]), {"index": "2"})
        assert not User.objects.filter(is_guest=True).exists()
        assert self.through_guest_page(client, response) == reverse("match", args=[match.slug])
        assert Seat.objects.get(match=match, index=2).name == "Gail"

    def test_quick_play_goes_on_after_the_guest_page(self, client: Client) -> None:
        where = self.through_guest_page(client, client.post(reverse("quick-play")))
        match = Match.objects.get()
        assert where == reverse("match", args=[match.slug])
        assert [seat.name for seat in seating.seats_of(match)] == ["Gail", "", "", ""]

    def test_a_table_opened_by_a_visitor_is_opened_after_the_guest_page(self, client: Client) -> None:
        posted = {"variant": "kozel", "seats": "3", "option_fish": "one", "clock": "fast"}
        where = self.through_guest_page(client, client.post(reverse("table-new"), posted))
        match = Match.objects.get()
        assert where == reverse("match", args=[match.slug])
        assert (match.seat_count, match.options, match.clock) == (3, {"fish": "one"}, "fast")

    def test_what_was_posted_is_done_once(self, host: User, client: Client) -> None:
        match = table(host)
        sit = reverse("match-sit", args=[match.slug])
        self.through_guest_page(client, client.post(sit))
        guest = User.objects.get(is_guest=True)
        lobby.stand_up(match=match, user=guest)
        assert client.get(sit)["Location"] == reverse("match", args=[match.slug])
        assert access.seat_of(guest, match.pk) is None

    def test_a_bare_get_never_does_anything(self, host: User, client: Client) -> None:
        match = table(host)
        client.force_login(person("Ben"))
        for name in ("match-sit", "match-stand", "match-fill", "match-nonce", "match-start", "match-rematch"):
            assert client.get(reverse(name, args=[match.slug]))["Location"] == reverse("match", args=[match.slug])
        client.get(reverse("quick-play"))
        assert [seat.name for seat in seating.seats_of(match)] == ["Host", "", "", ""]
        assert Match.objects.count() == 1

    def test_a_flood_is_not_kept(self, client: Client) -> None:
        response = client.post(reverse("quick-play"), {"variant": "x" * 5000})
        assert response.status_code == 302
        assert INTENTION not in response.cookies

    def test_nothing_is_stored_for_a_visitor(self, client: Client) -> None:
        client.post(reverse("quick-play"), {"nonce": "mine"})
        assert not Session.objects.exists()

    @pytest.mark.parametrize(("minutes", "tables"), [(9, 1), (11, 0)])
    def test_an_intention_is_kept_for_ten_minutes(self, client: Client, minutes: int, tables: int) -> None:
        with time_machine.travel("2026-01-01T12:00:00Z", tick=False) as clock:
            response = client.post(reverse("quick-play"))
            clock.shift(60 * minutes)
            self.through_guest_page(client, response)
            assert Match.objects.count() == tables

    def test_what_nobody_signed_is_no_intention(self, client: Client) -> None:
        client.force_login(person("Ben"))
        client.cookies[INTENTION] = signing.dumps([reverse("quick-play"), ""], salt="of something else")
        client.get(reverse("quick-play"))
        assert not Match.objects.exists()
        assert not client.cookies[INTENTION].value
