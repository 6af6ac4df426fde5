"""Sends mail in a thread, so that a slow or broken mail server affects no page."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

log = structlog.get_logger()
_mail_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


class ThreadedBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        _mail_thread.submit(send_through_mail_server, list(email_messages))
        return len(email_messages)


def send_through_mail_server(messages: Sequence[EmailMessage]) -> None:
    """Send through ``MAIL_BACKEND``. Errors are logged without addresses."""
    try:
        get_connection(settings.MAIL_BACKEND).send_messages(messages)
    except Exception as error:
        log.error("mail_failed", messages=len(messages), error=type(error).__name__)
