"""Blocking people: who may, what is kept, and the pages on which one does it."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import blocks
from accounts.models import Block, User
from tests.games.finished import finished
from tests.games.tables import person

pytestmark = pytest.mark.django_db
LIST = "/accounts/blocks/"


def test_blocking_twice_and_taking_back_twice_is_as_good_as_once(ann: User, ben: User) -> None:
    blocks.block(blocker=ann, blocked=ben)
    blocks.block(blocker=ann, blocked=ben)
    assert blocks.blocked_by(ann.pk) == {ben.pk}
    blocks.unblock(blocker=ann, blocked_id=ben.pk)
    blocks.unblock(blocker=ann, blocked_id=ben.pk)
    assert not Block.objects.exists()


def test_a_block_goes_one_way_but_keeps_both_apart(ann: User, ben: User) -> None:
    blocks.block(blocker=ann, blocked=ben)
    assert blocks.blocked_by(ben.pk) == blocks.blocked_by(None) == frozenset()
    assert blocks.apart_from(ann.pk) == {ben.pk}
    assert blocks.apart_from(ben.pk) == {ann.pk}


def test_nobody_blocks_themselves(ann: User) -> None:
    with pytest.raises(ValidationError):
        blocks.block(blocker=ann, blocked=ann)


def test_there_is_an_end_to_the_list(ann: User, ben: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MAX_BLOCKS", 1)
    blocks.block(blocker=ann, blocked=ben)
    with pytest.raises(ValidationError):
        blocks.block(blocker=ann, blocked=person())


def test_one_blocks_on_the_persons_page_and_unblocks_there_or_in_the_list(
    client: Client, ann: User, ben: User
) -> None:
    finished([ann, ben])
    client.force_login(ann)
    page, block = reverse("person", args=[ben.pk]), reverse("person-block", args=[ben.pk])
    assert f'action="{block}"' in client.get(page).content.decode()
    blocked = client.post(block, follow=True).content.decode()
    assert "You have blocked Ben." in blocked
    lift = reverse("unblock", args=[ben.pk])
    assert f'action="{lift}"' in blocked
    assert f'action="{lift}"' in client.get(LIST).content.decode()
    assert client.post(lift, {"next": page}).headers["Location"] == page
    assert "You have not blocked anybody." in client.post(lift, follow=True).content.decode()


def test_the_list_leads_no_further_than_this_site(client: Client, ann: User, ben: User) -> None:
    client.force_login(ann)
    away = {"next": "https://example.org/"}
    assert client.post(reverse("unblock", args=[ben.pk]), away).headers["Location"] == LIST


@pytest.mark.parametrize("number", ["9" * 18, "9" * 19, "9" * 5000])
def test_a_number_that_no_row_has_is_no_error(client: Client, ann: User, number: str) -> None:
    client.force_login(ann)
    assert client.post(f"/accounts/blocks/{number}/lift/").status_code in {302, 404}
    assert client.post(f"/people/{number}/block/").status_code == 404


def test_a_number_alone_tells_nobody_who_is_behind_it(client: Client, ann: User, ben: User) -> None:
    client.force_login(ann)
    for number in (ben.pk, 999_999):
        assert client.post(reverse("person-block", args=[number])).status_code == 404
    assert not Block.objects.exists()


def test_who_is_blocked_still_has_a_page_for_the_blocker_alone(client: Client, ann: User, ben: User) -> None:
    Block.objects.create(blocker=ann, blocked=ben)
    client.force_login(ann)
    assert client.get(reverse("person", args=[ben.pk])).status_code == 200
    client.force_login(ben)
    assert client.get(reverse("person", args=[ann.pk])).status_code == 404


def test_ones_own_page_and_a_visitors_have_nothing_to_block(client: Client, ann: User, ben: User) -> None:
    finished([ann, ben])
    page = reverse("person", args=[ann.pk])
    assert "Block this person" not in client.get(page).content.decode()
    client.force_login(ann)
    assert "Block this person" not in client.get(page).content.decode()


def test_a_visitor_is_asked_to_log_in_and_a_look_blocks_nobody(client: Client, ann: User, ben: User) -> None:
    finished([ann, ben])
    block, lift = (reverse(name, args=[ben.pk]) for name in ("person-block", "unblock"))
    assert client.post(block).headers["Location"].startswith("/accounts/login/")
    assert client.get(LIST).headers["Location"].startswith("/accounts/login/")
    client.force_login(ann)
    assert client.get(block).status_code == client.get(lift).status_code == 405


def test_the_download_names_whom_one_has_blocked_and_not_by_whom_one_is(client: Client, ann: User, ben: User) -> None:
    Block.objects.create(blocker=ann, blocked=ben)
    client.force_login(ann)
    assert [row["name"] for row in json.loads(client.get("/accounts/data/export/").content)["blocks"]] == ["Ben"]
    client.force_login(ben)
    assert json.loads(client.get("/accounts/data/export/").content)["blocks"] == []


def test_blocks_go_with_either_person(ann: User, ben: User) -> None:
    Block.objects.create(blocker=ann, blocked=ben)
    Block.objects.create(blocker=ben, blocked=ann)
    ben.delete()
    assert not Block.objects.exists()
