"""Past times in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.humanize.templatetags.humanize import NaturalTimeFormatter, naturaltime
from django.utils import timezone
from django.utils.timesince import timesince

from games.html import Html, escape
from infrastructure.moments import moment_text

DAY = timedelta(days=1)


def ago_element(moment: datetime) -> Html:
    """Return how long ago a moment was in the current language, with its date.

    The date shows on hover, to screen readers, and to people who ticked ``history/exact_dates_switch.html``.
    """
    date = escape(moment_text(moment))
    return Html(
        f'<time class="ago" datetime="{escape(moment.isoformat())}" title="{date}">'
        f'<span class="ago-words">{escape(ago_text(moment))}</span> <span class="ago-date">{date}</span></time>'
    )


def ago_text(moment: datetime) -> str:
    """Return how long ago a moment was, after a day in one unit: days, weeks, months or years."""
    now = timezone.now()
    if now - moment < DAY:
        return str(naturaltime(moment))
    units = NaturalTimeFormatter.past_substrings
    return str(NaturalTimeFormatter.time_strings["past-day"] % {"delta": timesince(moment, now, False, units, 1)})
