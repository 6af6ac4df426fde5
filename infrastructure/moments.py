"""Dates and times as text, always with a time zone.

js/local_times.js converts those in ``<time>`` to the reader's time zone.
"""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString


def moment_text(moment: datetime) -> str:
    """Return the date, the time and the time zone."""
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'DATETIME_FORMAT')} {local.tzname()}"


def time_text(moment: datetime) -> str:
    """Return the time to the second, and the time zone."""
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'H:i:s')} {local.tzname()}"


def moment_element(moment: datetime) -> SafeString:
    """Return a ``<time>`` element with date and time."""
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), moment_text(moment))


def time_element(moment: datetime) -> SafeString:
    """Return a ``<time>`` element with the time to the second, for places where the page shows the day elsewhere."""
    return format_html(
        '<time class="numeric" data-seconds datetime="{}">{}</time>', moment.isoformat(), time_text(moment)
    )
