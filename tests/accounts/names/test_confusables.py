"""Names that look alike, and those that only a machine would take for it."""

from __future__ import annotations

from accounts.names.confusables import has_one_script, look_alike


def test_similar_names_look_alike() -> None:
    for one, other in [
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
    ]:
        assert look_alike(one, other)
        assert look_alike(other, one)


def test_different_names_do_not_look_alike() -> None:
    for one, other in [
        ("Anna", "Hanna"),
        ("Eva", "Éva"),
        ("Novak", "Novák"),
        ("Goat 64", "Goat 65"),
        ("李小龍", "李龍"),
        ("Мария", "Марина"),
        ("Νίκος", "Νίκη"),
        ("🐐 Koza", "🐐 Kozel"),
        ("!!", "??"),
    ]:
        assert not look_alike(one, other)


def test_one_script_and_compatible_scripts_are_allowed() -> None:
    for name in ["Yuki 雪", "山田タロウ", "서울 Kim", "Anna-Maria", "O’Neill", "🐐 Koza", "محمد 5", "ひろ子 Ono"]:
        assert has_one_script(name)


def test_mixed_scripts_are_detected() -> None:
    for name in ["Аnna", "Annа", "Alloτ", "ꓮdmin", "Ꭺnna", "Иgor", "김タロ"]:
        assert not has_one_script(name)
