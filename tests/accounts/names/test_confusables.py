"""Names that look alike, and those that only a machine would take for it."""

from __future__ import annotations

import pytest

from accounts.names.confusables import is_of_one_script, look_alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Farmer", "farmer"),
        ("Farmer", "FARMER"),
        ("Farmer", "Farrner"),  # r and n
        ("Farmer", "Fаrmer"),  # a Cyrillic a
        ("Farmer", "ꜰᴀʀᴍᴇʀ"),
        ("Farmer", "Ⓕⓐⓡⓜⓔⓡ"),
        ("Farmer", "🅵🅰🆁🅼🅴🆁"),
        ("Farmer", "🇫🇦🇷🇲🇪🇷"),
        ("Farmer", "𝓕𝓪𝓻𝓶𝓮𝓻"),
        ("Farmer", "Ｆａｒｍｅｒ"),
        ("Farmer", "F a r m e r"),
        ("Farmer", "Farmer."),
        ("Farmer", "Farmer ✔"),
        ("Farmer", "Farmer\ufe0f"),
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("Ian", "|an"),
        ("Owl 10", "OwI lO"),
        ("Wanda", "VVanda"),
        ("Anna", "ΑΝΝΑ"),  # Greek capitals
        ("Вова", "Boba"),
        ("Галина", "ГАЛИНА"),
        ("Νίκος", "νίκος"),
        ("Νίκος", "ΝΊΚΟΣ"),
        ("Žofie", "Z\u030cofie"),
    ],
)
def test_these_look_alike(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Hanna"),
        ("Eva", "Éva"),
        ("Novak", "Novák"),
        ("Goat 64", "Goat 65"),
        ("李小龍", "李龍"),
        ("Мария", "Марина"),
        ("Νίκος", "Νίκη"),
        ("🐐 Koza", "🐐 Kozel"),
        ("!!", "??"),
    ],
)
def test_these_do_not(one: str, other: str) -> None:
    assert not look_alike(one, other)


@pytest.mark.parametrize(
    "name", ["Yuki 雪", "山田タロウ", "서울 Kim", "Anna-Maria", "O’Neill", "🐐 Koza", "محمد 5", "ひろ子 Ono"]
)
def test_of_one_script_or_of_scripts_that_are_written_together(name: str) -> None:
    assert is_of_one_script(name)


@pytest.mark.parametrize("name", ["Аnna", "Annа", "Alloτ", "ꓮdmin", "Ꭺnna", "Иgor", "김タロ"])
def test_of_several_scripts(name: str) -> None:
    assert not is_of_one_script(name)
