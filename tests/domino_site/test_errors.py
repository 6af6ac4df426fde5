"""An error of ours is logged wherever it happens, and says no path of a table by link."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404
from django.test import Client, RequestFactory
from pytest_django import Settings

from domino_site import logs, urls
from domino_site.request_ids import current_request_id


def broken(*_arguments: Any, **_options: Any) -> None:
    raise RuntimeError("planted")


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [repr(record.exc_info[1]) for record in caplog.records if record.exc_info]


@pytest.mark.parametrize(("status", "raised"), [(400, BadRequest), (403, PermissionDenied), (404, Http404)])
def test_error_in_an_error_page_is_logged(
    visitor: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    status: int,
    raised: type[Exception],
) -> None:
    def refusing(*_arguments: Any) -> None:
        raise raised

    monkeypatch.setattr("domino_site.monitoring.may_read_metrics", refusing)
    monkeypatch.setattr(urls, f"handler{status}", broken, raising=False)
    answer = visitor.get("/metrics")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.content.decode()
    assert "RuntimeError('planted')" in tracebacks(caplog)


def test_an_error_of_a_page_is_logged_once(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("domino_site.monitoring.may_read_metrics", broken)
    assert visitor.get("/metrics").status_code == 500
    assert tracebacks(caplog) == ["RuntimeError('planted')"]


def test_error_is_logged_even_if_the_last_error_page_is_broken(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("domino_site.monitoring.may_read_metrics", broken)
    monkeypatch.setattr("domino_site.errors.server_error_page", broken)
    answer = visitor.get("/metrics")
    assert (answer.status_code, answer.content) == (500, b"Internal Server Error")
    assert tracebacks(caplog) == ["RuntimeError('planted')"] * 2


def test_error_page_shows_the_code_that_is_in_the_log(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    logged: list[dict[str, Any]] = []

    def fail_and_log(*_arguments: Any) -> None:
        structlog.get_logger("planted").error("lost")
        raise RuntimeError

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            event = record.msg if isinstance(record.msg, dict) else {}
            logged.append(logs.SHARED_PROCESSORS[0](logging.getLogger(), "error", dict(event)))  # type: ignore[arg-type]

    handler = Lines()
    logging.getLogger().addHandler(handler)
    monkeypatch.setattr("domino_site.monitoring.may_read_metrics", fail_and_log)
    try:
        answer = visitor.get("/metrics", headers={"X-Request-Id": "chosen-by-a-visitor"})
        settings.BEHIND_PROXY = True
        second = visitor.get("/metrics", headers={"X-Request-Id": "0123456789abcdef"})
        third = visitor.get("/metrics", headers={"X-Request-Id": "<script>alert()</script>"})
    finally:
        logging.getLogger().removeHandler(handler)
    codes = [page.headers["X-Request-Id"] for page in (answer, second, third)]
    assert codes[1] == "0123456789abcdef"
    assert all(re.fullmatch("[0-9a-f]{16}", code) for code in codes)
    assert len(set(codes)) == 3
    for page, code in zip((answer, second, third), codes, strict=True):
        assert f"include this code: {code}" in page.content.decode()
        # The line of the view, which runs in another thread, and that of Django about the error.
        assert [line["request_id"] for line in logged].count(code) == 2


def test_other_answers_have_an_id_too_and_none_stays_behind(visitor: Client) -> None:
    first, second = visitor.get("/rules/"), visitor.get("/rules/")
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]
    assert current_request_id() == ""


@pytest.fixture
def lines() -> Any:
    """The lines that the site writes, by its own handler's filters."""
    written: list[str] = []

    class Written(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(record.getMessage())

    handler = Written()
    assert "without_paths" in settings.LOGGING["handlers"]["console"]["filters"]
    handler.addFilter(logs.HidePaths())
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


def test_a_refused_form_is_logged_without_the_path_of_its_table(visitor: Client, lines: Any) -> None:
    assert visitor.post("/match/abcdefghjkmn/sit/").status_code == 403
    assert visitor.post("/match/abcdefghjkmn/nothing/").status_code == 404
    assert [line for line in lines if "abcdefghjkmn" in line] == []


def test_server_error_is_logged_without_the_path_of_its_table(
    visitor: Client, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.views.table.visible_match", broken)
    assert visitor.get("/match/abcdefghjkmn/").status_code == 500
    assert lines == ["Internal Server Error: match"]


def test_unknown_page_has_no_name_in_the_log() -> None:
    assert logs.page_name(RequestFactory().get("/nowhere/")) == "unknown"


UNREADABLE = {
    "no boundary": ("multipart/form-data", b"csrfmiddlewaretoken=x"),
    "no parts": ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n"),
    "too many fields": ("application/x-www-form-urlencoded", b"a=&" * 2000),
    "another charset": ("application/x-www-form-urlencoded; charset=utf-16", b"a=b"),
}


@pytest.mark.parametrize("form", UNREADABLE)
@pytest.mark.parametrize("path", ["/nowhere/", "/play/"])
def test_unreadable_form_is_a_bad_request(
    visitor: Client, caplog: pytest.LogCaptureFixture, path: str, form: str
) -> None:
    visitor.get("/accounts/login/")  # a browser that has the cookie of forms: only then are their fields looked at
    kind, body = UNREADABLE[form]
    assert visitor.post(path, body, content_type=kind).status_code in {400, 403, 404, 405}
    assert tracebacks(caplog) == []
