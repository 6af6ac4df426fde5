"""The pages of clubs and their forms."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Sanction, User
from games.clubs import joining, selectors
from games.models import Club, Report, Tournament
from tests.games.clubs.site import founded, members, settled, statuses
from tests.games.tables import browser_of, person

NOW = timezone.now()
FORM = {"name": "Domino Brno", "text": "We meet on Fridays.\n\nCome!", "entries": "asks"}
TOURNAMENT = {"name": "Club cup", "format": "arena", "starts": "60", "seats": "2", "visibility": "public"}


def press(client: Client, club: Club, act: str, **fields: Any) -> str:
    """Press a button of the page; return the page that follows."""
    return client.post(f"/club/{club.slug}/{act}/", fields, follow=True).text


def page_of(client: Client, club: Club) -> str:
    return client.get(f"/club/{club.slug}/").text


def test_a_club_is_founded_and_changed_with_forms() -> None:
    client = browser_of(settled())
    assert client.get("/clubs/new/").status_code == 200
    answer = client.post("/clubs/new/", FORM)
    club = Club.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/club/{club.slug}/")
    page = page_of(client, club)
    assert "<p>We meet on Fridays.</p>" in page
    assert "You lead this club." in page
    assert "Leaders accept each new member" in page
    form = client.get(f"/club/{club.slug}/edit/").text
    assert 'value="Domino Brno"' in form
    client.post(f"/club/{club.slug}/edit/", FORM | {"name": "Domino Praha", "entries": "open"})
    assert "Domino Praha" in page_of(client, club)


def test_forms_show_what_is_wrong() -> None:
    client = browser_of(settled())
    founded("Domino Brno", founder=settled("Olga"))
    for fields, reason in (
        ({}, "There is already a club with this name."),
        ({"name": "K"}, "Names have 2 to 30 characters."),
        ({"text": "x" * 1500}, "The text can have at most 1000 characters"),
        ({"name": "Nazi club"}, "This name can offend others."),
    ):
        answer = client.post("/clubs/new/", FORM | fields)
        assert answer.status_code == 422
        assert reason in answer.text
    assert Club.objects.count() == 1


def test_people_who_may_not_found_a_club_read_why() -> None:
    assert "You can found a club seven days after" in browser_of(person()).get("/clubs/new/", follow=True).text
    assert "Guests cannot do this." in Client().get("/clubs/new/", follow=True).text
    answer = browser_of(person()).post("/clubs/new/", FORM)
    assert answer.status_code == 422
    assert not Club.objects.exists()


def test_only_leaders_open_the_form_of_a_club() -> None:
    club = founded()
    (anna,) = members(club, "Anna")
    for client in (Client(), browser_of(anna)):
        assert client.get(f"/club/{club.slug}/edit/")["Location"] == f"/club/{club.slug}/"
        client.post(f"/club/{club.slug}/edit/", FORM | {"name": "Taken"})
    assert Club.objects.get().name == "Domino Brno"


def test_the_list_is_searched_by_name_without_accents(client: Client) -> None:
    founded("Dominó Győr", founder=settled("Olga"))
    founded("Kozel Praha", founder=settled("Petr"))
    text = client.get("/clubs/?q=domino gyor").text
    assert "Dominó Győr" in text
    assert "Kozel Praha" not in text
    assert "No club has such a name." in client.get("/clubs/?q=<b>x").text
    assert "<b>x" not in client.get("/clubs/?q=<b>x").text


def test_the_list_has_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "PAGE_SIZE", 1)
    large = founded("Large club", founder=settled("Olga"))
    members(large, "Anna")
    founded("Small club", founder=settled("Petr"))
    first, second = client.get("/clubs/").text, client.get("/clubs/?page=2").text
    assert ("Large club" in first, "Small club" in first) == (True, False)
    assert ("Large club" in second, "Small club" in second) == (False, True)
    assert 'href="?page=2"' in first
    assert 'href="?page=1"' in second
    assert 'rel="next"' not in second
    for page in ("0", "x", "-1", "99999999", "٣", "999"):
        assert client.get("/clubs/", {"page": page}).status_code == 200


def test_leaders_see_in_the_list_how_many_ask() -> None:
    leader = settled()
    club = founded(founder=leader, asks=True)
    (anna, _bela) = members(club, "Anna", "Bela")
    assert "2 ask to join" in browser_of(leader).get("/clubs/").text
    assert "ask to join" not in browser_of(anna).get("/clubs/").text
    assert "Your clubs" not in Client().get("/clubs/").text


def test_a_person_joins_and_leaves() -> None:
    club, client = founded(), browser_of(person("Anna"))
    assert "Join the club" in page_of(client, club)
    assert "You are a member." in press(client, club, "join")
    assert "Join the club" in press(client, club, "leave")
    assert statuses(club) == {"Hana": "leader"}


def test_visitors_and_guests_are_asked_to_create_an_account() -> None:
    club = founded()
    for client in (Client(), browser_of(person("Anna", is_guest=True))):
        page = page_of(client, club)
        assert "Create an account to join" in page
        assert "/join/" not in page
    assert "Guests cannot do this." in press(browser_of(person("Anna", is_guest=True)), club, "join")


def test_leaders_answer_requests_and_only_they_see_them() -> None:
    leader = settled()
    club = founded(founder=leader, asks=True)
    (anna, bela) = members(club, "Anna", "Bela")
    assert "No leader has answered yet." in page_of(browser_of(anna), club)
    for client in (Client(), browser_of(bela)):
        assert "Requests to join" not in page_of(client, club)
        assert "Anna" not in page_of(client, club)
    ids = dict(club.members.values_list("user__name", "pk"))
    client = browser_of(leader)
    assert "Requests to join" in page_of(client, club)
    press(client, club, "accept", member=ids["Anna"])
    press(client, club, "remove", member=ids["Bela"])
    assert statuses(club) == {"Hana": "leader", "Anna": "member", "Bela": "removed"}
    assert "Refused and removed" in page_of(client, club)
    assert "Allow to join again" in page_of(client, club)
    assert "Refused and removed" not in page_of(browser_of(anna), club)
    press(client, club, "lead", member=ids["Anna"])
    assert statuses(club)["Anna"] == "leader"


def test_a_removed_person_reads_the_page_as_a_stranger_and_is_refused() -> None:
    leader = settled()
    club = founded(founder=leader)
    (anna,) = members(club, "Anna")
    joining.remove(club=club, by=leader, member_id=club.members.get(user=anna).pk, now=NOW)
    client = browser_of(anna)
    assert "Join the club" in page_of(client, club)
    assert "You cannot join this club." in press(client, club, "join")


@pytest.mark.parametrize("member", ["", "x", "-1", "99999999999999999999", "7"])
def test_numbers_of_people_that_do_not_exist_are_refused(member: str) -> None:
    leader = settled()
    club = founded(founder=leader)
    for act in ("accept", "remove", "lead"):
        assert 'class="notice notice-error"' in press(browser_of(leader), club, act, member=member)


def test_the_last_person_closes_the_club() -> None:
    leader = settled()
    club, client = founded(founder=leader), browser_of(leader)
    assert "Close the club" in page_of(client, club)
    assert "All clubs" in press(client, club, "leave")
    assert client.get(f"/club/{club.slug}/").status_code == 404
    assert "Domino Brno" not in client.get("/clubs/").text


def test_buttons_only_lead_back_to_the_page_with_get() -> None:
    club = founded()
    client = browser_of(person("Anna"))
    for act in ("join", "leave", "accept", "remove", "lead"):
        answer = client.get(f"/club/{club.slug}/{act}/")
        assert (answer.status_code, answer["Location"]) == (303, f"/club/{club.slug}/")
    assert statuses(club) == {"Hana": "leader"}


def test_suspended_members_are_not_listed() -> None:
    club = founded()
    (anna,) = members(club, "Anna")
    Sanction.objects.create(user=anna, kind="suspend", reason="spam")
    assert "Anna" not in page_of(Client(), club)


def test_names_and_texts_are_escaped(client: Client) -> None:
    club = founded("Club", founder=settled("<i>Eve"), text="<script>alert(1)</script>")
    Club.objects.update(name="<b>Club")
    for page in (page_of(client, club), client.get("/clubs/").text):
        assert "<b>Club" not in page
        assert "<i>Eve" not in page
        assert "<script>alert" not in page


def test_a_leader_creates_a_tournament_of_the_club() -> None:
    leader = settled()
    club, client = founded(founder=leader), browser_of(leader)
    assert "Domino Brno" in client.get("/tournaments/new/?game=kozel").text
    client.post("/tournaments/new/?game=kozel", TOURNAMENT | {"club": club.slug})
    tournament = Tournament.objects.get()
    assert tournament.club == club
    assert f'href="/club/{club.slug}/"' in client.get(f"/tournament/{tournament.slug}/").text
    assert "For members of Domino Brno" in client.get("/tournaments/").text
    assert "Club cup" in page_of(client, club)
    refused = browser_of(person("Anna")).post(f"/tournament/{tournament.slug}/enter/", follow=True).text
    assert "Only members of the club can enter this tournament." in refused


def test_the_club_of_another_leader_is_no_choice() -> None:
    club, client = founded(), browser_of(settled("Olga"))
    assert "Domino Brno" not in client.get("/tournaments/new/?game=kozel").text
    client.post("/tournaments/new/?game=kozel", TOURNAMENT | {"club": club.slug})
    assert Tournament.objects.get().club is None
    founded("Other club", founder=User.objects.get(name="Olga"))
    assert client.post("/tournaments/new/?game=kozel", TOURNAMENT | {"club": club.slug}).status_code == 422


def test_an_unlisted_tournament_is_not_on_the_page_of_its_club() -> None:
    leader = settled()
    club, client = founded(founder=leader), browser_of(leader)
    client.post("/tournaments/new/?game=kozel", TOURNAMENT | {"club": club.slug, "visibility": "link"})
    assert Tournament.objects.get().club == club
    assert "Club cup" not in page_of(client, club)


def test_the_tournament_of_a_closed_club_is_shown_as_open_to_everybody(client: Client) -> None:
    leader = settled()
    club = founded(founder=leader)
    browser_of(leader).post("/tournaments/new/?game=kozel", TOURNAMENT | {"club": club.slug})
    address = f"/tournament/{Tournament.objects.get().slug}/"
    assert "For members of" in client.get(address).text
    joining.leave(club=club, user=leader, now=NOW)
    assert "For members of" not in client.get(address).text


def test_a_club_leads_to_the_form_of_a_tournament_for_its_members() -> None:
    leader = settled()
    club, client = founded(founder=leader), browser_of(leader)
    founded("Another club", founder=leader)
    address = f"/tournaments/new/?club={club.slug}"
    assert f'href="{address}"' in page_of(client, club)
    form = client.get(address)
    assert form.context["form"]["club"].value() == club.slug
    assert f'href="?game=kozel&amp;club={club.slug}"' in form.text
    assert client.get("/tournaments/new/?club=nothing").context["form"]["club"].value() == "none"


def test_a_report_of_a_club_is_about_a_leader_and_names_the_club() -> None:
    leader = settled("Hana")
    club = founded(founder=leader, text="Something bad")
    client = browser_of(person("Anna"))
    address = f"/report/?club={club.slug}"
    assert address in page_of(client, club)
    page = client.get(address).text
    assert "Hana" in page
    assert f'name="club" value="{club.slug}"' in page
    client.post("/report/", {"club": club.slug, "person": leader.pk, "reason": "insults", "words": "See the text."})
    report = Report.objects.get()
    assert (report.case.suspect, report.words) == (leader, f"Club {club.slug}: See the text.")
    assert client.get("/report/?club=nothing").status_code == 404
