"""Updates of the page: who hears of a swap."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

from tests.engine.verifiers import NODE

SCRIPT = Path(__file__).with_name("updates.mjs")


@cache
def swaps() -> dict[str, list[str]]:
    """Return what subscribers hear of each swap."""
    done = subprocess.run([NODE, SCRIPT], check=True, capture_output=True, text=True)
    calls: dict[str, list[str]] = json.loads(done.stdout)
    return calls


def test_a_zone_is_updated_by_itself_by_a_part_of_it_and_with_what_contains_it() -> None:
    assert swaps()["zone"] == ["hand", "update "]
    assert swaps()["within"] == ["seats or board", "update "]
    assert swaps()["around"] == ["hand", "seats or board", "update "]


def test_other_updates_reach_only_those_who_want_all() -> None:
    assert swaps()["other"] == ["update 1700000000000"]


def test_an_update_of_two_zones_calls_their_subscriber_once() -> None:
    assert swaps()["twice"] == ["seats or board", "update "]


def test_a_refused_update_is_not_swapped_in() -> None:
    assert swaps()["refused"] == ["not swapped"]


def test_an_error_page_is_a_failure_and_not_swapped_in() -> None:
    assert swaps()["failed"] == ["failure", "not swapped"]
