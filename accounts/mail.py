"""Mail leaves in its own thread: neither a slow nor a broken mail server holds up or fails a page."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

log = structlog.get_logger()
_postman = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


class ThreadedBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        _postman.submit(deliver, list(email_messages))
        return len(email_messages)


def deliver(messages: Sequence[EmailMessage]) -> None:
    """Send through ``MAIL_BACKEND``. What fails is logged without an address."""
    try:
        get_connection(settings.MAIL_BACKEND).send_messages(messages)
    except Exception as error:
        log.error("mail_failed", messages=len(messages), error=type(error).__name__)
