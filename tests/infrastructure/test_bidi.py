"""Right-to-left names within sentences."""

from __future__ import annotations

import pytest

from infrastructure.bidi import isolate


@pytest.mark.parametrize("name", ["", "Ann", "Ян 25", "タロウ", "25:10"])
def test_other_names_stay_as_they_are(name: str) -> None:
    assert isolate(name) == name


@pytest.mark.parametrize("name", ["חהדג", "علي", "Ann חה"])
def test_right_to_left_names_are_enclosed_in_marks(name: str) -> None:
    assert isolate(name) == f"\u2068{name}\u2069"
