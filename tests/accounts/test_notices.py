"""Notices are on every page until they are dismissed."""

from __future__ import annotations

from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts import notices
from accounts.models import Notice, User
from tests.games.tables import person

DETAILS = {"variant": "kozel", "started_at": "2026-11-20T12:00:00+00:00", "reason": "A <ring>.", "path": "/match/abc/"}
TEXT = "Your Kozel match of 20 November 2026 was declared void and no longer counts. Reason: A &lt;ring&gt;."


def test_notice_is_on_every_page_until_it_is_dismissed(as_masha: Client, masha: User) -> None:
    notices.send("match_void", {masha.pk: DETAILS, person("Vasya").pk: DETAILS})
    for path in ("/", "/matches/", "/accounts/settings/"):
        page = as_masha.get(path).text
        assert TEXT in page
        assert 'href="/match/abc/"' in page
    (notice,) = masha.notices.all()
    answer = as_masha.post(f"/accounts/notices/{notice.pk}/", {"next": "/matches/"})
    assert answer.headers["Location"] == "/matches/"
    assert TEXT not in as_masha.get("/matches/").text
    masha.refresh_from_db()
    assert not masha.has_notices


def test_a_deleted_person_gets_no_notice_and_the_others_do(masha: User) -> None:
    notices.send("match_void", {masha.pk: DETAILS, masha.pk + 1: DETAILS})
    assert [notice.user for notice in Notice.objects.all()] == [masha]


def test_nobody_can_dismiss_a_notice_of_somebody_else(as_masha: Client, masha: User) -> None:
    vasya = person("Vasya")
    notices.send("match_void", {vasya.pk: DETAILS})
    as_masha.post(f"/accounts/notices/{Notice.objects.get().pk}/")
    vasya.refresh_from_db()
    assert [notice.path for notice in notices.pending_notices(vasya)] == ["/match/abc/"]


def test_dismissing_one_of_two_notices_keeps_the_other(masha: User) -> None:
    for _ in range(2):
        notices.send("match_void", {masha.pk: DETAILS})
    first, second = Notice.objects.order_by("pk")
    notices.dismiss(masha.pk, first.pk)
    masha.refresh_from_db()
    assert [notice.id for notice in notices.pending_notices(masha)] == [second.pk]


def test_person_without_notices_costs_no_query(masha: User, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert notices.pending_notices(masha) == []


def test_void_match_notice_has_the_new_rating(masha: User) -> None:
    notices.send("match_void", {masha.pk: DETAILS | {"rating": 1512}})
    masha.refresh_from_db()
    (notice,) = notices.pending_notices(masha)
    rating = "Its effect on your rating has been cancelled: your rating is 1512 now."
    assert notice.text.endswith(f"{rating} Reason: A <ring>.")


def test_reason_keeps_the_punctuation_of_the_moderator(masha: User) -> None:
    reasons = ["a ring", "It was a ring.", "Did you think that nobody would see it?"]
    for reason in reasons:
        notices.send("match_void", {masha.pk: DETAILS | {"reason": reason}})
    masha.refresh_from_db()
    texts = [notice.text for notice in notices.pending_notices(masha)]
    assert sorted(text.partition(" Reason: ")[2] for text in texts) == sorted(reasons)
