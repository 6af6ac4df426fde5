"""Pages and forms asked for faster than a hand can."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import translation
from pytest_django import Settings

from accounts.models import User
from infrastructure.limit_settings import parse_rate_limits
from infrastructure.limits import LimitExceeded
from infrastructure.page_limits import AccountRateLimit, AddressRateLimit, too_many_requests


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse("served")


def post(address: str = "192.0.2.1", **headers: str) -> HttpRequest:
    return RequestFactory().post("/play/", REMOTE_ADDR=address, headers=headers)


def read(address: str = "192.0.2.1", user: User | None = None) -> HttpRequest:
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    request.user = user or AnonymousUser()
    return request


@pytest.fixture(autouse=True)
def one_a_minute(settings: Settings) -> None:
    settings.RATES = {
        "forms": parse_rate_limits("2+1/m address, 1+1/m account"),
        "pages": parse_rate_limits("1+1/m address, 1+1/h account"),
    }


def test_flood_of_forms_gets_429_in_its_language() -> None:
    site: Any = AddressRateLimit(page)
    assert [site(post()).status_code for _ in range(3)] == [200, 200, 429]
    answer = site(post())
    assert answer["Retry-After"] == "60"
    assert "That was too fast" in answer.content.decode()
    assert "Try again in 1 minute." in answer.content.decode()
    assert 'lang="hu"' in site(post(**{"accept-language": "hu"})).content.decode()


@pytest.mark.parametrize(
    ("seconds", "wait"),
    [
        (0.4, "in 1 second."),
        (59, "in 59 seconds."),
        (61, "in 2 minutes."),
        (3540, "in 59 minutes."),
        (3541, "in 1 hour."),
        (9000, "in 1 hour."),
    ],
)
def test_wait_has_a_readable_unit(seconds: float, wait: str) -> None:
    assert f"Try again {wait}" in too_many_requests(seconds, "en").content.decode()


def test_flood_of_pages_gets_429_without_personal_data() -> None:
    site: Any = AddressRateLimit(page)
    assert [site(read()).status_code for _ in range(2)] == [200, 429]
    answer = site(read())
    assert answer["Cache-Control"] == "no-store"
    assert not answer.cookies
    assert "csrf" not in answer.content.decode()


def test_others_are_served_meanwhile() -> None:
    site: Any = AddressRateLimit(page)
    assert [site(read(where)).status_code for where in ("192.0.2.1", "192.0.2.1", "192.0.2.2")] == [200, 429, 200]
    assert site(post()).status_code == 200


def test_a_household_is_one_address() -> None:
    """The owner of an IPv6 network can use another of its addresses for each request."""
    site: Any = AddressRateLimit(page)
    assert [site(read(f"2001:db8::{number}")).status_code for number in (1, 2)] == [200, 429]
    assert site(read("2001:db8:0:1::1")).status_code == 200


def test_account_is_counted_across_addresses() -> None:
    site: Any = AccountRateLimit(page)
    ann, ben = User(pk=1), User(pk=2)
    assert [site(read(f"192.0.2.{number}", ann)).status_code for number in (1, 2)] == [200, 429]
    assert site(read(user=ben)).status_code == 200
    with translation.override("hu"):  # by the middleware before this one
        assert 'lang="hu"' in site(read(user=ben)).content.decode()
    assert [site(read()).status_code for _ in range(3)] == [200] * 3  # visitors have none


def test_additional_limit_gets_the_same_page() -> None:
    answer = AccountRateLimit(page).process_exception(read(), LimitExceeded(2.1))
    assert (answer.status_code, answer["Retry-After"]) == (429, "3")
    assert AccountRateLimit(page).process_exception(read(), ValueError()) is None


@pytest.mark.django_db
def test_default_limits_apply_to_visitors_and_people(settings: Settings, ann: User) -> None:
    client = Client()
    assert [client.get("/rules/").status_code for _ in range(2)] == [200, 429]
    client.force_login(ann)
    clients: list[dict[str, Any]] = [{"REMOTE_ADDR": f"192.0.2.{number}"} for number in (1, 2)]
    assert [client.get("/rules/", **other).status_code for other in clients] == [200, 429]
