"""The faces beside names."""

from __future__ import annotations

from pathlib import Path

import pytest

from accounts.faces import FACES, face_of
from accounts.names.reserved import BOT_NAMES
from accounts.names.rules import ANIMALS

STATIC = Path(__file__).parents[2] / "static"


def test_a_suggested_name_has_the_face_of_its_animal() -> None:
    for animal in ANIMALS:
        assert face_of(f"{animal} 12") == str(animal).casefold()
    assert face_of("hedgehog 7") == "hedgehog"


@pytest.mark.parametrize("name", ["Anna", "Ákos Nagy", "Žofia", "x2"])
def test_a_name_keeps_its_face(name: str) -> None:
    assert face_of(name) in FACES
    assert face_of(name) == face_of(name.upper())


def test_all_faces_are_used() -> None:
    assert {face_of(f"Person {number}") for number in range(200)} == set(FACES)


def test_every_face_is_drawn_and_has_its_rule() -> None:
    rules = " ".join((STATIC / "css/faces.css").read_text().split())
    drawn = {path.stem for path in (STATIC / "img/faces").glob("*.svg")}
    assert drawn == set(FACES)
    assert all(f'.face-{face} {{ background-image: url("../img/faces/{face}.svg")' in rules for face in FACES)


def test_bots_have_different_faces() -> None:
    assert len({face_of(name) for name in BOT_NAMES}) == len(BOT_NAMES)
