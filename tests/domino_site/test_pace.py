"""Forms sent faster than a hand can."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from domino_site.pace import REMEMBERED, Bucket, FormPace


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse("served")


def post(address: str = "192.0.2.1") -> HttpRequest:
    return RequestFactory().post("/play/", REMOTE_ADDR=address)


def test_a_bucket_of_three_gives_three_and_one_more_after_a_second():
    bucket = Bucket(size=3, rate=1, now=0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(0.5) is False
    assert bucket.take(1.0) is True
    assert bucket.take(1.1) is False


def test_a_flood_of_forms_is_told_to_wait(settings):
    settings.FORMS_A_SECOND = 0.2
    site = FormPace(page)
    assert [site(post()).status_code for _ in range(3)] == [200, 200, 429]
    answer = site(post())
    assert answer["Retry-After"] == "2"
    assert "That was too fast" in answer.content.decode()


def test_others_and_readers_are_served_meanwhile(settings):
    settings.FORMS_A_SECOND = 0.1
    site = FormPace(page)
    assert site(post()).status_code == 200
    assert site(post()).status_code == 429
    assert site(post("192.0.2.2")).status_code == 200
    assert site(RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")).status_code == 200


def test_a_household_is_one_address(settings):
    """Whoever has an IPv6 network sends each form from another address of it."""
    settings.FORMS_A_SECOND = 0.1
    site = FormPace(page)
    assert [site(post(f"2001:db8::{number}")).status_code for number in (1, 2)] == [200, 429]
    assert site(post("2001:db8:0:1::1")).status_code == 200


def test_the_memory_is_bounded():
    site = FormPace(page)
    for number in range(REMEMBERED + 5):
        site.bucket(str(number))
    assert len(site.buckets) == REMEMBERED
    assert "0" not in site.buckets
