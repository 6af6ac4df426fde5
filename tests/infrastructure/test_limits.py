"""How often, and how much at a time: buckets and places."""

from __future__ import annotations

import time

import pytest
from django.core.exceptions import ImproperlyConfigured
from prometheus_client import REGISTRY
from pytest_django import Settings

from domino_site import settings as site
from infrastructure import limits as module
from infrastructure.limit_settings import Rate, parse_place_limits, parse_rate_limits
from infrastructure.limits import LimitExceeded, Limits, TokenBucket

PUPILS, WINDOWS = 60, 2
HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time, which stands still: a list of one number of seconds."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_a_bucket_of_three_gives_three_and_one_more_after_a_second() -> None:
    bucket = TokenBucket(size=3, rate=1, now=0)
    assert [bucket.take_token(0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take_token(0.5) is False
    assert bucket.take_token(1.0) is True
    assert bucket.take_token(1.1) is False


def test_exceeded_limit_has_a_retry_time(settings: Settings, clock: list[float]) -> None:
    settings.RATES = {"pages": parse_rate_limits("2+1/m address")}
    limits = Limits()
    assert [limits.consume("pages", address=HERE) for _ in range(3)] == [0, 0, 60]
    assert limits.consume("pages", address=THERE) == 0
    clock[0] += 60
    assert limits.consume("pages", address=HERE) == 0
    refusals = {"limit": "pages", "kind": "rate"}
    before = REGISTRY.get_sample_value("dominoes_refusals_total", refusals) or 0
    with pytest.raises(LimitExceeded) as refused:
        limits.enforce("pages", address=HERE)
    assert refused.value.seconds == 60
    assert REGISTRY.get_sample_value("dominoes_refusals_total", refusals) == before + 1


def test_an_account_has_a_bucket_of_its_own_behind_any_address(settings: Settings, clock: list[float]) -> None:
    settings.RATES = {"pages": parse_rate_limits("3+1/s address, 2+1/s account")}
    limits = Limits()
    assert [limits.consume("pages", address=where, account=1) for where in (HERE, THERE, "192.0.2.3")] == [0, 0, 1]
    assert limits.consume("pages", address=HERE, account=2) == 0


def test_refusal_of_an_account_costs_the_address_nothing(settings: Settings, clock: list[float]) -> None:
    settings.RATES = {"pages": parse_rate_limits("2+1/s address, 1+1/s account")}
    limits = Limits()
    assert [bool(limits.consume("pages", address=HERE, account=1)) for _ in range(9)] == [False, *[True] * 8]
    assert limits.consume("pages", address=HERE, account=2) == 0


def test_visitors_leave_tokens_to_the_accounts_at_their_address(settings: Settings, clock: list[float]) -> None:
    settings.RATES = {"frames": parse_rate_limits("4+1/m address, 2+1/m visitors, 3+1/m account")}
    limits = Limits()
    assert [bool(limits.consume("frames", address=HERE, visitors=HERE)) for _ in range(3)] == [False, False, True]
    assert not any(limits.consume("frames", address=HERE, account=account) for account in (1, 2))
    assert limits.consume("frames", address=THERE, visitors=THERE) == 0


def test_released_place_is_free(settings: Settings) -> None:
    settings.PLACES = {"sockets": parse_place_limits("2 address, 1 account")}
    limits = Limits()
    give_back = limits.acquire_place("sockets", address=HERE, account=1)
    with pytest.raises(LimitExceeded):
        limits.acquire_place("sockets", address=THERE, account=1)
    limits.acquire_place("sockets", address=HERE, account=2)
    with pytest.raises(LimitExceeded):
        limits.acquire_place("sockets", address=HERE)
    give_back()
    limits.acquire_place("sockets", address=HERE, account=1)


def test_unlimited_clients_are_never_refused(settings: Settings) -> None:
    settings.RATES, settings.PLACES = {"pages": parse_rate_limits("")}, {"sockets": parse_place_limits("1 account")}
    limits = Limits()
    assert not any(limits.consume("pages", address=HERE, account=1) for _ in range(1000))
    assert [limits.acquire_place("sockets", address=HERE) for _ in range(1000)]


def test_the_memory_is_bounded(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATES, settings.PLACES = (
        {"pages": parse_rate_limits("1+1/h address")},
        {"sockets": parse_place_limits("1 address")},
    )
    monkeypatch.setattr(module, "MAX_BUCKETS", 10)
    limits = Limits()
    for number in range(15):
        limits.consume("pages", address=str(number))
        limits.acquire_place("sockets", address=str(number))()
    assert [which for _what, _counted, which in limits.buckets] == [str(number) for number in range(5, 15)]
    assert not limits.taken_places


def test_limits_are_parsed() -> None:
    assert parse_rate_limits("300+20/s address, 60+3/m account") == {
        "address": Rate(300, 20),
        "account": Rate(60, 0.05),
    }
    assert parse_rate_limits("5+1/h account") == {"account": Rate(5, 1 / 3600)}
    assert parse_place_limits("300 address,20 account") == {"address": 300, "account": 20}
    assert parse_rate_limits("") == {}
    assert parse_place_limits("") == {}


@pytest.mark.parametrize("text", ["300", "300 address", "0+1/s address", "3+1/d address", "3+1/s household", "x"])
def test_invalid_rate_stops_the_start(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="no limit"):
        parse_rate_limits(text)


@pytest.mark.parametrize("text", ["300", "3+1/s address", "0 address", "-1 address", "٣ address"])
def test_invalid_number_of_places_stops_the_start(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="no limit"):
        parse_place_limits(text)


class TestASchool:
    """What the site allows by default is enough for sixty pupils behind one address, each with two windows."""

    @pytest.fixture(autouse=True)
    def defaults(self, settings: Settings, clock: list[float]) -> None:
        settings.RATES, settings.PLACES = site.RATES, site.PLACES

    def everybody(self, limits: Limits, what: str, times: int = 1) -> list[float]:
        return [
            limits.consume(what, address=HERE, account=pupil) for _ in range(times) for pupil in range(1, PUPILS + 1)
        ]

    def test_school_reconnects_after_a_restart(self) -> None:
        limits = Limits()
        assert not any(self.everybody(limits, "sockets", WINDOWS))
        assert not any(self.everybody(limits, "frames", 2 * WINDOWS))
        for pupil in range(PUPILS):
            for _window in range(WINDOWS):
                limits.acquire_place("sockets", address=HERE, account=pupil)

    def test_school_opens_the_site_at_once(self) -> None:
        limits = Limits()
        assert not any(self.everybody(limits, "pages", 2 * WINDOWS))
        assert not any(self.everybody(limits, "forms", 3))

    def test_school_opens_and_joins_tables_in_a_minute(self) -> None:
        assert not any(self.everybody(Limits(), "tables"))

    def test_school_reviews_the_same_record(self) -> None:
        limits = Limits()
        assert not any(self.everybody(limits, "imports"))
        assert not any(self.everybody(limits, "opinions"))

    def test_school_plays_for_a_lesson(self, clock: list[float]) -> None:
        """Each with a move, a choice of a tile or a heartbeat every second, and a page every five."""
        limits = Limits()
        for second in range(300):
            clock[0] += 1
            assert not any(self.everybody(limits, "frames"))
            assert second % 5 or not any(self.everybody(limits, "pages"))
