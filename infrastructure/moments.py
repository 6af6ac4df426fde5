"""Moments in words, always with their time zone. Within ``<time>`` js/local_times.js writes them in the reader's."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString


def moment_text(moment: datetime) -> str:
    """Write date, time and time zone."""
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'DATETIME_FORMAT')} {local.tzname()}"


def time_text(moment: datetime) -> str:
    """Write the time to the second, and its time zone."""
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'H:i:s')} {local.tzname()}"


def moment_element(moment: datetime) -> SafeString:
    """Return a moment as an element."""
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), moment_text(moment))


def time_element(moment: datetime) -> SafeString:
    """Return the time of a moment, to the second, as an element; the day is said elsewhere."""
    return format_html(
        '<time class="numeric" data-seconds datetime="{}">{}</time>', moment.isoformat(), time_text(moment)
    )
