"""Past times in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games.rendering.moments import ago_element, ago_text

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "text"),
    [
        (timedelta(), "now"),
        (timedelta(minutes=1), "a minute ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=1, hours=5), "1 day ago"),
        (timedelta(days=10), "1 week ago"),
        (timedelta(days=400), "1 year ago"),
    ],
)
def test_moment_has_one_unit(passed: timedelta, text: str) -> None:
    with time_machine.travel(NOW, tick=False):
        assert ago_text(NOW - passed).replace("\N{NO-BREAK SPACE}", " ") == text


def test_the_date_is_in_the_markup_and_can_be_read_by_programs() -> None:
    with time_machine.travel(NOW, tick=False):
        text = ago_element(datetime(2026, 11, 22, 11, 43, tzinfo=UTC))
    assert text.startswith(
        '<time class="ago" datetime="2026-11-22T11:43:00+00:00" title="22 November 2026, 11:43 UTC">'
    )
    assert '<span class="ago-date">22 November 2026, 11:43 UTC</span>' in text
