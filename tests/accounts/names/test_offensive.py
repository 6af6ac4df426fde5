"""Offensive names are refused, ordinary names that contain parts of them are not."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from accounts.models import Sanction, User
from accounts.names.offensive import is_offensive
from accounts.names.reserved import BOT_NAMES
from accounts.names.rules import ANIMALS, clean_name, refuse_taken_name
from tests.games.tables import person

OFFENSIVE = (
    *(
        "Kill all jews",
        "N1gger",
        "Hitler",
        "Fuck you all",
        "FuckYou",
        "f u c k",
        "f.u.c.k",
        "Fuuuuck",
        "fUcKeR",
        "5h1t",
    ),
    *("Hitler88", "nazi 88", "Sieg Heil", "white power", "Death to all", "b!tch", "$lut", "Ⓕuck", "niggggger"),
    *("Kurva anyád", "Kurwa", "Bazmeg", "Köcsög", "Kocsog", "Faszfej", "Píča", "Čurák", "Curak", "Zmrd", "Kokot"),
    *("Jebat", "Vaffanculo", "Stronzo", "C4zzo", "Puttana", "Chuj", "Pierdolę", "Skurwysyn", "Pedał"),
)
ORDINARY = (
    *("Scunthorpe", "Niger", "Nigeria", "Nigel", "Therapist", "Wankel", "Matsushita", "Nazira", "Cazzola", "Picasso"),
    *(
        "Pica",
        "Pina",
        "Buzi",
        "Pedal",
        "Gecse",
        "Kurz",
        "Kurvinen 7",
        "Fuchs",
        "Dickens",
        "Cockburn",
        "Essex",
        "Assad",
    ),
    *("Hancock", "Troia", "Shitake", "Mercedes", "Merdad", "Cipriani", "Principale", "Chujka", "Sluter", "Killian"),
    *("Kill the goat", "Heilbronn", "Allgas", "Gina 88", "O'Neill", "Hi! Anna!", "A B C", "Jebel", "Koktebel"),
    *("Čurda", "Stronzoni", "Retardo", "Spiderman", "Kikeriki", "Whorely", "Bitcher", "Szabó Éva", "Mrkva"),
)


def test_offensive_names_are_refused_at_entry() -> None:
    assert [name for name in OFFENSIVE if not is_offensive(name)] == []
    with pytest.raises(ValidationError, match="can offend others"):
        clean_name("Kill all jews")


def test_ordinary_names_are_accepted() -> None:
    assert [name for name in (*ORDINARY, *BOT_NAMES, *map(str, ANIMALS)) if is_offensive(name)] == []


@pytest.mark.django_db
class TestSuggestions:
    def suggestion(self, name: str, *, by: int | None = None) -> str:
        with pytest.raises(ValidationError, match="for example") as refusal:
            refuse_taken_name(name, by=by)
        return refusal.value.messages[0]

    def test_suggestion_never_contains_a_suspended_name(self) -> None:
        for is_guest in (True, False):
            nasty = person(f"Nasty{is_guest}", is_guest=is_guest)
            Sanction.objects.create(user=nasty, kind="suspend", reason="insults")
            text = self.suggestion(f"Nasty{is_guest}")
            assert "Nasty" not in text
            assert any(str(animal) in text for animal in ANIMALS)

    def test_suggestion_never_contains_a_removed_name(self) -> None:
        user = person("Badger 11")
        Sanction.objects.create(
            user=user, kind="rename", reason="rude", facts={"former": "Nasty", "given": "Badger 11"}
        )
        assert "Nasty" not in self.suggestion("Nasty", by=user.pk)

    def test_other_taken_names_get_a_number(self) -> None:
        person("Dora")
        assert "for example Dora " in self.suggestion("Dora")
        assert User.objects.count() == 1
