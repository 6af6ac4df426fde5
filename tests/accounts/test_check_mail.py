"""``manage.py check_mail`` sends at once and explains the answer of the server."""

from __future__ import annotations

import io
import socketserver
import threading
from collections.abc import Iterator
from typing import ClassVar

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.server import free_port


class MailServer(socketserver.StreamRequestHandler):
    """Answers each command of SMTP with its reply, by default "250 Ok"."""

    replies: ClassVar[dict[str, str]] = {}
    mails: ClassVar[list[str]] = []

    def handle(self) -> None:
        self.reply("220 mail.example")
        while line := self.rfile.readline().decode():
            command = line[:4].strip().upper()
            if command == "DATA":
                self.reply("354 Go on")
                self.mails.append(b"".join(iter(self.rfile.readline, b".\r\n")).decode())
            self.reply(self.replies.get(command, "250 Ok"))
            if command == "QUIT":
                return

    def reply(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@pytest.fixture
def replies(settings: Settings) -> Iterator[dict[str, str]]:
    """Run a mail server; the value is what it replies to each command."""
    MailServer.replies.clear()
    MailServer.mails.clear()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailServer) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        settings.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
        settings.DEFAULT_FROM_EMAIL = "Dominoes <dominoes@site.example>"
        yield MailServer.replies
        server.shutdown()


def check_mail(address: str = "ann@example.org") -> str:
    output = io.StringIO()
    call_command("check_mail", address, stdout=output)
    return output.getvalue()


def test_answer_of_the_server_is_printed(replies: dict[str, str]) -> None:
    replies["DATA"] = "250 2.0.0 Ok: queued as 4F2"
    text = check_mail()
    assert "accepted the mail from Dominoes <dominoes@site.example>: 250 2.0.0 Ok: queued as 4F2" in text
    assert "SPF and DKIM of site.example" in text
    assert "Set DEFAULT_FROM_EMAIL" not in text
    (mail,) = MailServer.mails
    assert "To: ann@example.org" in mail


@pytest.mark.parametrize(
    ("command", "reply", "advice"),
    [
        ("MAIL", "553 5.7.1 not owned by you", "Check DEFAULT_FROM_EMAIL"),
        ("RCPT", "554 5.7.1 relay access denied", "may need a user and a password"),
        ("DATA", "550 5.7.1 spam", "Check EMAIL_URL"),
    ],
)
def test_refusal_is_explained(replies: dict[str, str], command: str, reply: str, advice: str) -> None:
    replies[command] = reply
    with pytest.raises(CommandError) as error:
        check_mail()
    assert reply in str(error.value)
    assert advice in str(error.value)


def test_missing_login_of_the_server_is_explained(replies: dict[str, str], settings: Settings) -> None:
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = "dominoes"
    with pytest.raises(CommandError, match="does not offer what EMAIL_URL asks for"):
        check_mail()


def test_server_that_does_not_listen_is_explained(replies: dict[str, str], settings: Settings) -> None:
    settings.EMAIL_PORT = free_port()
    with pytest.raises(CommandError, match="No mail server listens there"):
        check_mail()


def test_sender_without_a_domain_is_reported(replies: dict[str, str], settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "dominoes@localhost"
    assert "Set DEFAULT_FROM_EMAIL" in check_mail()


def test_site_without_a_mail_server_and_wrong_addresses_are_errors(settings: Settings) -> None:
    with pytest.raises(CommandError, match="names no mail server"):
        check_mail()
    settings.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with pytest.raises(CommandError, match="is not an address"):
        check_mail("nobody")
