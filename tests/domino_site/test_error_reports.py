"""Reports of errors contain nothing that the log would hide."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.urls import resolve, reverse
from redis.exceptions import ConnectionError as RedisConnectionError

from domino_site.error_reports import clean_report, start_error_reports

DSN = "https://key@sentry.example/1"


def test_package_is_optional_but_needed_with_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="pip install sentry-sdk"):
        start_error_reports(DSN, "1.0.0")


def test_reports_have_no_personal_data_bodies_and_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {}
    monkeypatch.setitem(sys.modules, "sentry_sdk", SimpleNamespace(init=options.update))
    start_error_reports(DSN, "1.0.0")
    assert options["dsn"] == DSN
    assert options["release"] == "1.0.0"
    assert not options["send_default_pii"]
    assert not options["include_local_variables"]
    assert options["max_request_body_size"] == "never"
    assert options["before_send"] is clean_report


def test_report_hides_what_the_log_hides() -> None:
    report: dict[str, Any] = {
        "request": {"method": "POST", "url": "https://x/match/dtxgq2kasrzv/", "cookies": {"sessionid": "s3cret"}},
        "user": {"ip_address": "203.0.113.9"},
        "transaction": "match",
        "extra": {"tiles": ["6-4"], "seat": 2, "facts": [{"hand": "5-5"}]},
        "exception": {"values": [{"type": "KeyError", "value": "match.dtxgq2kasrzv"}]},
    }
    cleaned = clean_report(report, {}) or {}
    assert cleaned["request"] == {"method": "POST", "url": "/match/<slug:slug>/"}
    assert cleaned["extra"] == {"tiles": "[hidden]", "seat": 2, "facts": [{"hand": "[hidden]"}]}
    assert cleaned["exception"]["values"] == [{"type": "KeyError", "value": "match.[hidden]"}]
    assert all(text not in str(cleaned) for text in ("dtxgq2kasrzv", "203.0.113.9", "s3cret", "6-4", "5-5"))


def test_report_has_the_route_instead_of_the_path() -> None:
    path = reverse("account_reset_password_from_key", args=["4f", "c2xa9-1b5e0d"])
    report: dict[str, Any] = {
        "request": {"method": "GET", "url": f"https://x{path}"},
        "transaction": path,
        "logentry": {"message": "%s: %s", "params": ["Internal Server Error", path]},
        "extra": {"request": f"<ASGIRequest: GET '{path}'>", "status_code": 500},
    }
    cleaned = clean_report(report, {}) or {}
    assert "1b5e0d" not in str(cleaned)
    assert cleaned["transaction"] == cleaned["request"]["url"] == f"/{resolve(path).route}"
    unknown = clean_report({"request": {"method": "GET", "url": "https://x/ws/s%C3%A9cret/"}, "a": "/ws/sécret/"}, {})
    assert unknown == {"a": "[hidden]", "request": {"method": "GET", "url": "[hidden]"}}


@pytest.mark.parametrize("error", [OperationalError("the connection is closed"), RedisConnectionError()])
def test_outages_are_not_reported(error: Exception) -> None:
    assert clean_report({}, {"exc_info": (type(error), error, None)}) is None


def test_bugs_and_log_lines_are_reported() -> None:
    assert clean_report({}, {"exc_info": (KeyError, KeyError("planted"), None)}) == {}
    assert clean_report({}, {"exc_info": None, "log_record": None}) == {}
