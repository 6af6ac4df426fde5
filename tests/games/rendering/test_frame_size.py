"""No frame is large: neither the whole table, which a browser gets that comes, nor the places of a chosen tile."""

from __future__ import annotations

from random import Random

import pytest
from django.utils import translation

from benchmarks.render import measure, rare_sizes
from games.engine.rules import Rules
from games.words import offered

LARGEST = 8000
ROUNDS = 16


@pytest.mark.parametrize("rules", [pytest.param(rules, id=key) for key, rules in offered().items()])
def test_no_frame_has_more_than_8_kb(rules: Rules) -> None:
    with translation.override("en"):
        playing = [size for cost in measure(rules, Random(1), ROUNDS) for size in cost.frames]
        sizes = {"playing": playing, **rare_sizes(rules, Random(1), ROUNDS)}
    assert all(sizes.values())
    assert {state: max(found) for state, found in sizes.items() if max(found) > LARGEST} == {}
