"""What the site noted of a person's absence: told in order, to that person alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from django.test import Client

from games.models import Absence
from tests.games import tables

BEGAN = datetime(2026, 3, 12, 14, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_absence_page_lists_its_causes_in_order() -> None:
    ann = tables.person("Ann")
    match = tables.running_table([ann], bots=1)
    Absence.objects.create(
        match=match,
        user=ann,
        at=BEGAN + 32 * SECOND,
        reason="gone",
        led_to="held",
        turn_started_at=BEGAN,
        deadline=BEGAN + 45 * SECOND,
        last_seen=BEGAN - 4 * SECOND,
        left_at=BEGAN + 2 * SECOND,
    )
    client = tables.browser_of(ann)
    html = client.get(f"/match/{match.slug}/absences/").content.decode()
    assert re.findall(r">(14:00:\d\d|13:59:\d\d) UTC</time>\s*<span>(.*?)</span>", html) == [
        ("13:59:56", "Last contact with your page"),
        ("14:00:00", "Your turn began"),
        ("14:00:02", "Your last connection was closed"),
        ("14:00:32", "A bot took over"),
        ("14:00:45", "Your time would have been up"),
    ]
    assert "no page of yours was connected" in html
    assert "No absences in this match" in Client().get(f"/match/{match.slug}/absences/").content.decode()
    assert re.findall(r'<li class="led-to">\s*<time[^>]*>([\d:]+)', html) == ["14:00:32"]
