"""Mail leaves in its own thread; what goes wrong there fails no page."""

from __future__ import annotations

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from pytest_django import Settings

from accounts.mail import ThreadedBackend, send_through_mail_server

MESSAGE = EmailMessage("Hello", "Text", "dominoes@localhost", ["masha@example.org"])


class Broken(BaseEmailBackend):
    def send_messages(self, email_messages: object) -> int:
        raise ConnectionRefusedError("masha@example.org")


def test_a_message_reaches_the_real_backend(settings: Settings) -> None:
    settings.MAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    send_through_mail_server([MESSAGE])
    assert [message.subject for message in mail.outbox] == ["Hello"]


def test_broken_mail_server_does_not_affect_the_page(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.MAIL_BACKEND = f"{__name__}.Broken"
    assert ThreadedBackend().send_messages([MESSAGE]) == 1
    send_through_mail_server([MESSAGE])


def test_log_contains_no_address(
    settings: Settings, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.MAIL_BACKEND = f"{__name__}.Broken"
    send_through_mail_server([MESSAGE])
    assert "masha" not in caplog.text + capsys.readouterr().err
