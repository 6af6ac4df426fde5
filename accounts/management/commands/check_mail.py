"""``manage.py check_mail``: send a test mail now, and print the answer of the mail server."""

from __future__ import annotations

import socket
import ssl
from argparse import ArgumentParser
from email.utils import parseaddr
from smtplib import (
    SMTPAuthenticationError,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

SMTP_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
SCHEMES = "Use smtp+tls:// with port 587, or smtp+ssl:// with port 465."
# The first class that an error is an instance of counts.
ADVICE: dict[type[Exception], str] = {
    SMTPAuthenticationError: "Check the user and the password in EMAIL_URL. Encode special characters (@ is %40).",
    SMTPSenderRefused: "The server does not accept the sender. Check DEFAULT_FROM_EMAIL.",
    SMTPRecipientsRefused: "The server does not deliver there. It may need a user and a password in EMAIL_URL.",
    SMTPNotSupportedError: f"The server does not offer what EMAIL_URL asks for. {SCHEMES}",
    SMTPServerDisconnected: f"The server closed the connection. {SCHEMES}",
    socket.gaierror: "The name of the host is unknown. Check EMAIL_URL.",
    ConnectionRefusedError: "No mail server listens there. Check the host and the port in EMAIL_URL.",
    TimeoutError: f"The server does not answer. Many networks block port 25. {SCHEMES}",
    ssl.SSLError: f"The connection cannot be encrypted. {SCHEMES}",
}


class Command(BaseCommand):
    help = "Send a test mail now, and print the answer of the mail server and what to do."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="address that gets the mail")

    def handle(self, *, address: str, **options: Any) -> None:
        if settings.MAIL_BACKEND != SMTP_BACKEND:
            raise CommandError(f"EMAIL_URL names no mail server ({settings.MAIL_BACKEND}), so nobody gets mail.")
        try:
            validate_email(address)
        except ValidationError as error:
            raise CommandError(f"{address} is not an address.") from error
        server, sender = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}", settings.DEFAULT_FROM_EMAIL
        try:
            reply = send_test_mail(address)
        except OSError as error:  # all errors of smtplib are OSErrors
            raise CommandError(f"{server}: {describe(error)}\n{advice_for(error)}") from error
        domain = parseaddr(sender)[1].rpartition("@")[2]
        self.stdout.write(f"{server} accepted the mail from {sender}: {reply}")
        if domain == "localhost":
            self.stdout.write("Set DEFAULT_FROM_EMAIL: servers reject mail from localhost, or take it for spam.")
        self.stdout.write(f"If it does not arrive, look for it in the spam, and check SPF and DKIM of {domain}.")


def send_test_mail(address: str) -> str:
    """Send a mail and return the answer of the server to its text. Raises OSError."""
    connection: Any = get_connection(SMTP_BACKEND)
    connection.open()
    replies = []
    send_text = connection.connection.data

    def send_and_keep_reply(text: Any) -> tuple[int, bytes]:
        code, reply = send_text(text)
        replies.append(f"{code} {reply.decode(errors='replace')}")
        return code, reply

    connection.connection.data = send_and_keep_reply
    try:
        message = EmailMessage("Test", f"{settings.SITE_URL} can send mail.", settings.DEFAULT_FROM_EMAIL, [address])
        connection.send_messages([message])
    finally:
        connection.close()
    return replies[0]


def describe(error: OSError) -> str:
    """Return the answer of the server, or the error of the system."""
    if isinstance(error, SMTPRecipientsRefused):
        return "; ".join(f"{code} {text.decode(errors='replace')}" for code, text in error.recipients.values())
    code, text = getattr(error, "smtp_code", ""), getattr(error, "smtp_error", None)
    if text is not None:
        return f"{code} {text.decode(errors='replace') if isinstance(text, bytes) else text}"
    return str(error) or type(error).__name__


def advice_for(error: OSError) -> str:
    return next((advice for kind, advice in ADVICE.items() if isinstance(error, kind)), "Check EMAIL_URL.")
