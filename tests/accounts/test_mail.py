"""Mail leaves in its own thread, in up to three attempts; what goes wrong there fails no page."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from prometheus_client import REGISTRY
from pytest_django import Settings

from accounts import mail as site_mail
from accounts.mail import ThreadedBackend, send_or_retry

MESSAGE = EmailMessage("Hello", "Text", "dominoes@localhost", ["masha@example.org"])


class Broken(BaseEmailBackend):
    """A mail server that fails with each of these errors in turn, then works."""

    errors: ClassVar[list[Exception]] = []
    message_ids: ClassVar[list[str]] = []

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        self.message_ids.extend(message.message()["Message-ID"] for message in email_messages)
        if self.errors:
            raise self.errors.pop(0)
        return 1


@pytest.fixture
def waits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits before further attempts, which take no time here."""
    seconds: list[float] = []

    class Timer:
        def __init__(self, interval: float, function: Any, arguments: Sequence[Any]) -> None:
            seconds.append(interval)
            self.work = arguments

        def start(self) -> None:
            send, *arguments = self.work
            send(*arguments)

    monkeypatch.setattr(threading, "Timer", Timer)
    settings.MAIL_BACKEND, settings.EMAIL_HOST = f"{__name__}.Broken", "mail.example"
    Broken.errors, Broken.message_ids = [], []
    return seconds


def outcomes() -> dict[str, float]:
    names = ("sent", "retried", "failed")
    return {name: REGISTRY.get_sample_value("dominoes_mails_total", {"outcome": name}) or 0 for name in names}


def increase(before: dict[str, float]) -> dict[str, float]:
    return {name: count - before[name] for name, count in outcomes().items() if count != before[name]}


def test_a_message_reaches_the_real_backend(settings: Settings) -> None:
    settings.MAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    before = outcomes()
    send_or_retry(MESSAGE)
    assert [message.subject for message in mail.outbox] == ["Hello"]
    assert increase(before) == {"sent": 1}


def test_broken_mail_server_does_not_affect_the_page(waits: list[float]) -> None:
    Broken.errors = [ConnectionRefusedError()] * 3
    before = outcomes()
    assert ThreadedBackend().send_messages([MESSAGE]) == 1
    site_mail._mail_thread.submit(int).result(10)
    assert increase(before) == {"retried": 2, "failed": 1}


def test_mail_is_sent_at_the_third_attempt(waits: list[float]) -> None:
    Broken.errors = [ConnectionRefusedError(), SMTPServerDisconnected("gone")]
    before = outcomes()
    ThreadedBackend().send_messages([MESSAGE])
    for _attempt in range(3):
        site_mail._mail_thread.submit(int).result(10)
    assert len(Broken.message_ids) == 3
    assert len(set(Broken.message_ids)) == 1, "the same mail"
    assert waits == list(site_mail.RETRY_SECONDS)
    assert increase(before) == {"retried": 2, "sent": 1}


def waiting_mails() -> float:
    return REGISTRY.get_sample_value("dominoes_mails_waiting") or 0


def test_mails_that_wait_for_another_attempt_are_counted(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "Timer", Mock())
    Broken.errors = [ConnectionRefusedError()]
    before = waiting_mails()
    ThreadedBackend().send_messages([MESSAGE])
    site_mail._mail_thread.submit(int).result(10)
    assert waiting_mails() == before + 1
    send_or_retry(MESSAGE, attempt=2)
    assert waiting_mails() == before


def test_permanent_refusal_is_not_retried_and_its_line_has_no_address(
    waits: list[float], caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    Broken.errors = [SMTPRecipientsRefused({"masha@example.org": (550, b"no masha here")})]
    before = outcomes()
    send_or_retry(MESSAGE)
    assert (waits, increase(before)) == ([], {"failed": 1})
    lines = caplog.text + capsys.readouterr().err
    assert "masha" not in lines
    assert all(text in lines for text in ("mail_failed", "SMTPRecipientsRefused", "550", "mail.example"))
