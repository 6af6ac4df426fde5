"""The number and names of the spectators."""

from __future__ import annotations

import pytest

from games.presence.people import NOBODY, People, make_people
from games.rendering.spectators import spectators_zones

ANNA, BELA = (1, "Anna", False), (2, "Bela", False)


def zone_texts(people: People, *, named: bool = True) -> list[str]:
    """Return the texts of the number and of the names."""
    zones = spectators_zones(people, "en", shows_names=named).markup.values()
    return ["".join(part.partition(">")[2] for part in zone.split("<")[1:]) for zone in zones]


@pytest.mark.parametrize(
    ("people", "number", "names"),
    [
        (NOBODY, "", ""),
        (People((), 1), "1 watching", "1 visitor"),
        (People((ANNA,), 0), "1 watching", "Anna"),
        (People((ANNA, BELA), 0), "2 watching", "Anna and Bela"),
        (People((ANNA, BELA), 1), "3 watching", "Anna, Bela and 1 visitor"),
        (People((ANNA,), 1000), "1001 watching", "Anna and 1000 visitors"),
    ],
)
def test_number_and_names_are_shown(people: People, number: str, names: str) -> None:
    assert zone_texts(people) == [number, names]


def test_long_list_is_truncated() -> None:
    many = make_people([(number, f"P{number:02}", False) for number in range(40)], 9)
    listed = ", ".join(f"P{number:02}" for number in range(12))
    assert zone_texts(many) == ["49 watching", f"{listed} and 37 more"]


def test_names_cannot_break_the_page() -> None:
    bob = make_people([(1, "<b>Bob</b> %(last)s", False)], 1)
    assert "<b>Bob" not in spectators_zones(bob, "en", shows_names=True).full_update


def test_viewer_who_hides_the_list_gets_only_the_number() -> None:
    assert zone_texts(People((ANNA,), 0), named=False) == ["1 watching", "Your settings hide their names."]
