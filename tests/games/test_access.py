"""Permissions of visitors, guests and accounts, and how a visitor becomes a guest."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.http import Http404
from django.test import Client, override_settings
from django.urls import reverse

from accounts.models import User
from accounts.names import rules as names_rules
from games import access
from games.models import Match, Seat
from games.services import seating
from tests.games.lobby.test_tables import table
from tests.games.tables import person

NOBODY = AnonymousUser()


@pytest.fixture
def host() -> User:
    return person("Host")


class TestSeeing:
    @pytest.mark.parametrize("visibility", ["public", "link"])
    def test_people_with_the_link_see_the_table(self, host: User, visibility: str) -> None:
        match = table(host, visibility=visibility)
        assert access.visible_match(NOBODY, match.slug) == match
        assert access.visible_match(person("Ben"), match.slug) == match

    def test_unknown_table_is_404(self) -> None:
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
    def test_seat_belongs_to_its_player(self, host: User) -> None:
        match = table(host)
        assert access.seat_of(host, match.pk) == 0
        assert access.seat_of(person("Ben"), match.pk) is None
        assert access.seat_of(NOBODY, match.pk) is None


class TestComingAsGuest:
    """A visitor who submits a form is a guest from then on, and what the form asks for is done at once."""

    def test_an_invited_visitor_is_seated_by_one_press(self, host: User, client: Client) -> None:
        match = table(host, visibility="link")
        response = client.post(reverse("match-sit", args=[match.slug]), {"index": "2"})
        assert response["Location"] == reverse("match", args=[match.slug])
        guest = User.objects.get(is_guest=True)
        seat = Seat.objects.get(match=match, index=2)
        assert (seat.user, seat.name) == (guest, guest.name)

    def test_quick_play_seats_a_visitor_at_once(self, client: Client) -> None:
        response = client.post(reverse("quick-play"))
        match = Match.objects.get()
        assert response["Location"] == reverse("match", args=[match.slug])
        assert next(seat.user for seat in seating.seats_of(match)) == User.objects.get(is_guest=True)

    def test_table_form_seats_a_visitor(self, client: Client) -> None:
        posted = {"variant": "kozel", "seats": "3", "option_fish": "one", "clock": "fast"}
        response = client.post(reverse("table-new"), posted)
        match = Match.objects.get()
        assert response["Location"] == reverse("match", args=[match.slug])
        assert (match.seat_count, match.options, match.clock) == (3, {"fish": "one"}, "fast")

    def test_suggested_name_belongs_to_no_account(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = iter([27, 27, *range(40, 90)])
        monkeypatch.setattr(names_rules, "ANIMALS", ["Robin"])
        monkeypatch.setattr(names_rules, "random_number", lambda: next(numbers))
        User.objects.create_user("masha", name="Robin 27")
        client.post(reverse("quick-play"))
        assert User.objects.get(is_guest=True).name == "Robin 40"

    @override_settings(ACCOUNT_RATE_LIMITS={"guest": "2/m/ip"})
    def test_guests_made_this_way_are_counted(self) -> None:
        codes = [Client().post(reverse("quick-play")).status_code for _visitor in range(3)]
        assert (codes, User.objects.count()) == ([303, 303, 429], 2)

    def test_get_requests_change_nothing(self, host: User, client: Client) -> None:
        match = table(host)
        client.force_login(person("Ben"))
        for name in ("match-sit", "match-stand", "match-fill", "match-nonce", "match-start", "match-rematch"):
            assert client.get(reverse(name, args=[match.slug]))["Location"] == reverse("match", args=[match.slug])
        client.get(reverse("quick-play"))
        assert [seat.name for seat in seating.seats_of(match)] == ["Host", "", "", ""]
        assert Match.objects.count() == 1

    def test_reading_visitors_are_not_stored(self, host: User, client: Client) -> None:
        match = table(host)
        for address in (reverse("lobby"), reverse("table-new"), reverse("match", args=[match.slug])):
            assert client.get(address).status_code == 200
        client.get(reverse("quick-play"))
        assert (Session.objects.count(), User.objects.filter(is_guest=True).count()) == (0, 0)
