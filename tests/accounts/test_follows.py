"""Following people: who may, what ends it, and the pages on which one does it."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import blocks, follows
from accounts.models import Follow, User
from tests.games.finished import finished
from tests.games.tables import person

pytestmark = pytest.mark.django_db
LIST = "/accounts/follows/"


def refused(follower: User, followed: User) -> str:
    with pytest.raises(ValidationError) as caught:
        follows.follow(follower=follower, followed=followed)
    return " ".join(caught.value.messages)


def test_following_twice_and_ending_it_twice_is_as_good_as_once(ann: User, ben: User) -> None:
    follows.follow(follower=ann, followed=ben)
    follows.follow(follower=ann, followed=ben)
    assert follows.followed_by(ann.pk) == {ben.pk}
    assert follows.followed_by(ben.pk) == frozenset()
    follows.unfollow(follower=ann, followed_id=ben.pk)
    follows.unfollow(follower=ann, followed_id=ben.pk)
    assert not Follow.objects.exists()


def test_a_block_ends_following_both_ways_and_a_refusal_says_no_more_than_a_setting(ann: User, ben: User) -> None:
    cat = person("Cat", followable=False)
    follows.follow(follower=ann, followed=ben)
    follows.follow(follower=ben, followed=ann)
    blocks.block(blocker=ann, blocked=ben)
    assert not Follow.objects.exists()
    assert refused(ann, ben) == refused(ben, ann) == refused(ann, cat) == "This person cannot be followed."


def test_nobody_follows_themselves_and_there_is_an_end_to_the_list(
    ann: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follows, "MAX_FOLLOWS", 1)
    assert refused(ann, ann) == "You cannot follow yourself."
    follows.follow(follower=ann, followed=ben)
    assert refused(ann, person()) == "You cannot follow any more people."


def test_who_no_longer_lets_others_follow_is_followed_by_nobody(client: Client, ann: User, ben: User) -> None:
    follows.follow(follower=ann, followed=ben)
    client.force_login(ben)
    settings = {
        "name": "Ben",
        "colour": "teal",
        "theme": "light",
        "felt": "green",
        "tiles": "bone",
        "may_invite": "all",
    }
    assert client.post("/accounts/settings/", settings | {"followable": "on"}).status_code == 302
    assert Follow.objects.exists()
    assert client.post("/accounts/settings/", settings).status_code == 302
    assert not Follow.objects.exists()


def test_one_follows_on_the_persons_page_and_stops_there_or_in_the_list(client: Client, ann: User, ben: User) -> None:
    finished([ann, ben])
    client.force_login(ann)
    page, follow = reverse("person", args=[ben.pk]), reverse("person-follow", args=[ben.pk])
    assert f'action="{follow}"' in client.get(page).content.decode()
    shown = client.post(follow, follow=True).content.decode()
    end = reverse("unfollow", args=[ben.pk])
    assert "You follow Ben now." in shown
    assert f'action="{end}"' in shown
    assert f'action="{follow}"' not in shown
    assert f'action="{end}"' in client.get(LIST).content.decode()
    assert client.post(end, {"next": page}).headers["Location"] == page
    assert client.post(end, {"next": "https://example.org/"}).headers["Location"] == LIST
    assert "You do not follow anybody." in client.get(LIST).content.decode()


def test_the_button_stands_only_where_a_press_would_do_something(client: Client, ann: User, ben: User) -> None:
    finished([ann, ben])
    follow = f'action="{reverse("person-follow", args=[ben.pk])}"'
    page = reverse("person", args=[ben.pk])
    assert follow not in client.get(page).content.decode()
    client.force_login(ben)
    assert "/follow/" not in client.get(page).content.decode()
    client.force_login(ann)
    assert follow in client.get(page).content.decode()
    blocks.block(blocker=ben, blocked=ann)
    shown = client.get(page).content.decode()
    assert follow not in shown
    assert "Block this person" in shown


def test_a_guest_follows_a_guest(client: Client) -> None:
    gil, hal = person("Gil", is_guest=True), person("Hal", is_guest=True)
    finished([gil, hal])
    client.force_login(gil)
    client.post(reverse("person-follow", args=[hal.pk]))
    assert follows.followed_by(gil.pk) == {hal.pk}


def test_a_number_alone_tells_nobody_who_is_behind_it(client: Client, ann: User, ben: User) -> None:
    client.force_login(ann)
    for number in (ben.pk, 999_999):
        assert client.post(reverse("person-follow", args=[number])).status_code == 404
    assert client.post(f"/accounts/follows/{'9' * 19}/end/").status_code in {302, 404}
    assert not Follow.objects.exists()


def test_a_visitor_is_asked_to_log_in_and_a_look_follows_nobody(client: Client, ann: User, ben: User) -> None:
    finished([ann, ben])
    addresses = [reverse(name, args=[ben.pk]) for name in ("person-follow", "unfollow")]
    for address in addresses:
        assert client.post(address).headers["Location"].startswith("/accounts/login/")
    assert client.get(LIST).headers["Location"].startswith("/accounts/login/")
    client.force_login(ann)
    assert [client.get(address).status_code for address in addresses] == [405, 405]


def test_the_download_names_whom_one_follows_and_not_by_whom_one_is(client: Client, ann: User, ben: User) -> None:
    follows.follow(follower=ann, followed=ben)
    client.force_login(ann)
    data = json.loads(client.get("/accounts/data/export/").content)
    assert [row["name"] for row in data["follows"]] == ["Ben"]
    assert data["profile"]["followable"] is True
    client.force_login(ben)
    assert json.loads(client.get("/accounts/data/export/").content)["follows"] == []
    ben.delete()
    assert not Follow.objects.exists()
