"""Blocking and following people: the rules, the pages, and the download of personal data."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType

import pytest
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts import blocks, follows
from accounts.models import Block, Follow, User
from tests.games.finished import create_finished_match
from tests.games.tables import browser_of, person

BLOCKS, FOLLOWS = "/accounts/blocks/", "/accounts/follows/"
Relate = Callable[[User, User], None]


def block(one: User, other: User) -> None:
    blocks.block(blocker=one, blocked=other)


def follow(one: User, other: User) -> None:
    follows.follow(follower=one, followed=other)


def refusal(relate: Relate, one: User, other: User) -> str:
    with pytest.raises(ValidationError) as error:
        relate(one, other)
    return " ".join(error.value.messages)


def html(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def page_of(user: User) -> str:
    return reverse("person", args=[user.pk])


def test_repeated_blocks_and_unblocks_have_no_effect(ann: User, ben: User) -> None:
    for _ in range(2):
        block(ann, ben)
    assert blocks.blocked_ids(ann.pk) == {ben.pk}
    assert blocks.blocked_ids(ben.pk) == blocks.blocked_ids(None) == frozenset()
    assert [blocks.ids_with_block_between(user.pk) for user in (ann, ben)] == [{ben.pk}, {ann.pk}]
    for _ in range(2):
        blocks.unblock(blocker=ann, blocked_id=ben.pk)
    assert not Block.objects.exists()


def test_repeated_follows_and_unfollows_have_no_effect(ann: User, ben: User) -> None:
    for _ in range(2):
        follow(ann, ben)
    assert [follows.followed_ids(user.pk) for user in (ann, ben)] == [{ben.pk}, frozenset()]
    for _ in range(2):
        follows.unfollow(follower=ann, followed_id=ben.pk)
    assert not Follow.objects.exists()


def test_block_ends_follows_both_ways_and_looks_like_a_setting(ann: User, ben: User) -> None:
    follow(ann, ben)
    follow(ben, ann)
    block(ann, ben)
    assert not Follow.objects.exists()
    texts = {refusal(follow, ann, ben), refusal(follow, ben, ann), refusal(follow, ann, person(followable=False))}
    assert texts == {"This person cannot be followed."}


@pytest.mark.parametrize(
    ("relate", "module", "limit", "verb"),
    [(block, blocks, "MAX_BLOCKS", "block"), (follow, follows, "MAX_FOLLOWS", "follow")],
)
def test_number_of_blocks_and_follows_is_limited(  # noqa: PLR0917
    ann: User, ben: User, monkeypatch: pytest.MonkeyPatch, relate: Relate, module: ModuleType, limit: str, verb: str
) -> None:
    monkeypatch.setattr(module, limit, 1)
    assert refusal(relate, ann, ann) == f"You cannot {verb} yourself."
    relate(ann, ben)
    assert refusal(relate, ann, person()) == f"You cannot {verb} any more people."


def test_turning_followers_off_ends_all_follows(ann: User, ben: User) -> None:
    follow(ann, ben)
    looks = {"theme": "light", "felt": "green", "tiles": "bone"}
    settings = looks | {"name": "Ben", "colour": "teal", "may_invite": "all"}
    client = browser_of(ben)
    assert client.post("/accounts/settings/", settings | {"followable": "on"}).status_code == 302
    assert Follow.objects.exists()
    assert client.post("/accounts/settings/", settings).status_code == 302
    assert not Follow.objects.exists()


@pytest.mark.parametrize(
    ("start", "end", "listing", "text", "empty"),
    [
        ("person-block", "unblock", BLOCKS, "Blocked: Ben.", "You have not blocked anybody."),
        ("person-follow", "unfollow", FOLLOWS, "Following: Ben.", "You do not follow anybody."),
    ],
)
def test_pages_begin_and_end_a_relation(  # noqa: PLR0917
    ann: User, ben: User, start: str, end: str, listing: str, text: str, empty: str
) -> None:
    create_finished_match([ann, ben])
    client, page = browser_of(ann), page_of(ben)
    start, end = reverse(start, args=[ben.pk]), reverse(end, args=[ben.pk])
    assert f'action="{start}"' in html(client, page)
    answer = client.post(start, follow=True).content.decode()
    assert text in answer
    assert f'action="{end}"' in answer
    assert f'action="{start}"' not in answer
    assert f'action="{end}"' in html(client, listing)
    assert client.post(end, {"next": page}).headers["Location"] == page
    assert client.post(end, {"next": "https://example.org/"}).headers["Location"] == listing
    assert empty in html(client, listing)


def test_page_has_only_buttons_with_an_effect(client: Client, ann: User, ben: User) -> None:
    create_finished_match([ann, ben])
    page = page_of(ben)
    for own_or_visitor in (client, browser_of(ben)):
        assert "/follow/" not in html(own_or_visitor, page)
        assert "Block this person" not in html(own_or_visitor, page)
    viewer, button = browser_of(ann), f'action="{reverse("person-follow", args=[ben.pk])}"'
    assert button in html(viewer, page)
    block(ben, ann)
    assert button not in html(viewer, page)
    assert "Block this person" in html(viewer, page)


def test_guests_can_follow_guests() -> None:
    gil, hal = person("Gil", is_guest=True), person("Hal", is_guest=True)
    create_finished_match([gil, hal])
    browser_of(gil).post(reverse("person-follow", args=[hal.pk]))
    assert follows.followed_ids(gil.pk) == {hal.pk}


@pytest.mark.parametrize("number", ["9" * 18, "9" * 19, "9" * 5000])
def test_unknown_ids_are_no_server_errors(ann: User, number: str) -> None:
    client = browser_of(ann)
    for address in (f"{BLOCKS}{number}/lift/", f"{FOLLOWS}{number}/end/"):
        assert client.post(address).status_code in {302, 404}
    assert client.post(f"/people/{number}/block/").status_code == 404


def test_ids_do_not_reveal_people(ann: User, ben: User) -> None:
    client = browser_of(ann)
    for number in (ben.pk, 999_999):
        for name in ("person-block", "person-follow"):
            assert client.post(reverse(name, args=[number])).status_code == 404
    assert not Block.objects.exists()
    assert not Follow.objects.exists()


def test_blocked_person_has_a_page_only_for_the_blocker(ann: User, ben: User) -> None:
    block(ann, ben)
    assert browser_of(ann).get(page_of(ben)).status_code == 200
    assert browser_of(ben).get(page_of(ann)).status_code == 404


def test_visitors_must_log_in_and_links_change_nothing(client: Client, ann: User, ben: User) -> None:
    create_finished_match([ann, ben])
    names = ("person-block", "unblock", "person-follow", "unfollow")
    addresses = [reverse(name, args=[ben.pk]) for name in names]
    answers = [client.post(address) for address in addresses] + [client.get(BLOCKS), client.get(FOLLOWS)]
    assert {answer.headers["Location"].partition("?")[0] for answer in answers} == {"/accounts/login/"}
    reader = browser_of(ann)
    assert {reader.get(address).status_code for address in addresses} == {405}


@pytest.mark.parametrize(("relate", "model", "key"), [(block, Block, "blocks"), (follow, Follow, "follows")])
def test_only_the_own_relations_are_in_the_download(
    ann: User, ben: User, relate: Relate, model: type[Model], key: str
) -> None:
    relate(ann, ben)
    data = [json.loads(browser_of(user).get("/accounts/data/export/").content) for user in (ann, ben)]
    assert [[row["name"] for row in of_person[key]] for of_person in data] == [["Ben"], []]
    assert data[0]["profile"]["followable"] is True
    ben.delete()
    assert not model._default_manager.exists()
