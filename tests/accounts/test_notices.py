"""Notices: on every page until they are put away."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts import notices
from accounts.models import Notice, User
from tests.games.tables import person

pytestmark = pytest.mark.django_db
FACTS = {"variant": "kozel", "started_at": "2026-11-20T12:00:00+00:00", "reason": "A <ring>.", "path": "/match/abc/"}
SAID = "Your match of Kozel of Nov. 20, 2026 was declared void and no longer counts. Reason: A &lt;ring&gt;."


def test_a_notice_is_on_every_page_until_it_is_put_away(as_masha: Client, masha: User) -> None:
    notices.send("match_void", {masha.pk: FACTS, person("Vasya").pk: FACTS})
    for path in ("/", "/matches/", "/accounts/settings/"):
        page = as_masha.get(path).text
        assert SAID in page
        assert 'href="/match/abc/"' in page
    (notice,) = masha.notices.all()
    answer = as_masha.post(f"/accounts/notices/{notice.pk}/", {"next": "/matches/"})
    assert answer.headers["Location"] == "/matches/"
    assert SAID not in as_masha.get("/matches/").text
    masha.refresh_from_db()
    assert not masha.has_notices


def test_nobody_puts_away_what_was_told_to_somebody_else(as_masha: Client, masha: User) -> None:
    vasya = person("Vasya")
    notices.send("match_void", {vasya.pk: FACTS})
    as_masha.post(f"/accounts/notices/{Notice.objects.get().pk}/")
    vasya.refresh_from_db()
    assert [told.path for told in notices.pending(vasya)] == ["/match/abc/"]


def test_of_two_notices_one_stays(masha: User) -> None:
    for _ in range(2):
        notices.send("match_void", {masha.pk: FACTS})
    first, second = Notice.objects.order_by("pk")
    notices.put_away(masha.pk, first.pk)
    masha.refresh_from_db()
    assert [told.id for told in notices.pending(masha)] == [second.pk]


def test_whoever_has_none_costs_no_query(masha: User, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert notices.pending(masha) == []


def test_a_rating_that_was_taken_back_is_told(masha: User) -> None:
    notices.send("match_void", {masha.pk: FACTS | {"rating": 1512}})
    masha.refresh_from_db()
    (told,) = notices.pending(masha)
    assert told.text.endswith("What it did to your rating is taken back: it is 1512 now.")
