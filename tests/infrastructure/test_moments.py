"""Moments are written with their time zone."""

from __future__ import annotations

from datetime import UTC, datetime

from infrastructure.moments import moment_element, moment_text, time_element

MOMENT = datetime(2026, 11, 26, 17, 46, 3, tzinfo=UTC)


def test_a_moment_names_its_time_zone() -> None:
    assert moment_text(MOMENT) == "26 November 2026, 17:46 UTC"


def test_elements_hold_the_moment_for_scripts() -> None:
    html = '<time datetime="2026-11-26T17:46:03+00:00">26 November 2026, 17:46 UTC</time>'
    assert moment_element(MOMENT) == html
    assert time_element(MOMENT).endswith("17:46:03 UTC</time>")
