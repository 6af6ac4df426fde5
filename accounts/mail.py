"""Sends mail in a thread, so that a slow or broken mail server affects no page."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from email.utils import make_msgid
from smtplib import SMTPRecipientsRefused, SMTPResponseException

import structlog
from django.conf import settings
from django.core.mail import DNS_NAME, EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from prometheus_client import Counter, Gauge

log = structlog.get_logger()
RETRY_SECONDS = (10.0, 120.0)  # before the second and the third attempt
PERMANENT_ERRORS = range(500, 600)  # codes of SMTP after which another attempt is useless
MAILS = Counter("dominoes_mails_total", "Mails by outcome, and failed attempts that are repeated", ["outcome"])
SENT, RETRIED, FAILED = (MAILS.labels(outcome) for outcome in ("sent", "retried", "failed"))
WAITING_MAILS = Gauge("dominoes_mails_waiting", "Mails that wait for an attempt, the first or another")

_mail_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


class ThreadedBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            # The same for all attempts: a server that accepted a mail and then failed can drop the second copy.
            message.extra_headers.setdefault("Message-ID", make_msgid(domain=str(DNS_NAME)))
            WAITING_MAILS.inc()
            _mail_thread.submit(send_or_retry, message)
        return len(email_messages)


def send_or_retry(message: EmailMessage, attempt: int = 1) -> None:
    """Send through ``MAIL_BACKEND``. After a temporary error, try again later. Errors are logged without addresses."""
    WAITING_MAILS.dec()
    try:
        get_connection(settings.MAIL_BACKEND).send_messages([message])
    except Exception as error:
        code = smtp_code(error)
        is_last = attempt > len(RETRY_SECONDS) or code in PERMANENT_ERRORS
        write_line = log.error if is_last else log.warning
        write_line(
            "mail_failed" if is_last else "mail_delayed",
            error=type(error).__name__,
            code=code,
            host=settings.EMAIL_HOST,
            attempt=attempt,
        )
        (FAILED if is_last else RETRIED).inc()
        if not is_last:
            retry_later(message, attempt + 1)
    else:
        SENT.inc()


def retry_later(message: EmailMessage, attempt: int) -> None:
    """Send a message again after a while. Other messages do not wait for it, nor does a stopping process."""
    WAITING_MAILS.inc()
    timer = threading.Timer(RETRY_SECONDS[attempt - 2], _mail_thread.submit, (send_or_retry, message, attempt))
    timer.daemon = True
    timer.start()


def smtp_code(error: Exception) -> int | None:
    """Return the code with which the mail server refused, None if the error has another cause."""
    if isinstance(error, SMTPRecipientsRefused):
        return max((code for code, _text in error.recipients.values()), default=None)
    return error.smtp_code if isinstance(error, SMTPResponseException) else None
