"""Names: visible, bounded, and nobody else's office."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from accounts.names import NOUNS, clean_name, refuse_odd_signs, refuse_reserved, suggested_name


@pytest.mark.parametrize(
    "name",
    [
        "Al",
        "Žofie",
        "Анна",
        "李小龍",
        "Goat 64",
        "x" * 20,
        "Abbot",
        "Robot",
        "Badminton",
        "O'Neill",
        "श्री",
        "Modesta",
        "🐐 Koza",
    ],
)
def test_a_name_may_be(name):
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("A", "length"),
        ("", "length"),
        ("x" * 21, "length"),
        ("   B   ", "length"),
        ("Ma\u0000sha", "invisible"),
        ("Ma\u202esha", "invisible"),  # right-to-left override
        ("Ma\u2066sha", "invisible"),  # left-to-right isolate
        ("Ma\u200bsha", "invisible"),  # zero width space
        ("Ma\u00adsha", "invisible"),  # soft hyphen
        ("\u3164\u3164\u3164", "invisible"),  # Hangul filler
        ("\ue000\ue001", "invisible"),  # private use
        ("🐐🐐", "letters"),
        ("...", "letters"),
        ("Za" + "\u0335\u0336\u0337\u0338" * 4, "marks"),
        ("Zalgo" + "\u0310\u0311\u0312", "marks"),
    ],
)
def test_a_name_may_not_be(name, code):
    with pytest.raises(ValidationError) as refusal:
        clean_name(name)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "ADMIN",
        "Admin 7",
        "admin7",
        "Ádmin",
        "4dm1n",
        "аdmin",  # its first letter is Cyrillic
        "ａｄｍｉｎ",  # full width
        "a d m i n",
        "The Moderator",
        "moderátor",
        "Bot Ada",
        "BotAda",
        "Ada (bot)",
        "b0t",
        "Deleted player",
        "site_staff",
    ],
)
def test_a_name_cannot_be_taken_for_the_sites_own(name):
    with pytest.raises(ValidationError) as refusal:
        clean_name(name)
    assert refusal.value.code == "reserved"


def test_a_name_is_stored_in_one_normal_form():
    assert clean_name("Zofie\u0301") == "Zofi\u00e9"
    assert clean_name("  Baba \t Yaga ") == "Baba Yaga"


def test_every_suggested_name_is_allowed():
    for noun in NOUNS:
        assert clean_name(f"{noun} 99") == f"{noun} 99"
    assert clean_name(suggested_name())


@pytest.mark.parametrize("username", ["guest-2345", "Guest-me", "admin", "moderator1"])
def test_a_user_name_cannot_look_like_a_guests_or_the_sites(username):
    with pytest.raises(ValidationError):
        refuse_reserved(username)


@pytest.mark.parametrize("username", ["masha@example.org", "ma sha", "masha/1", "<b>"])
def test_a_user_name_has_no_odd_signs_so_it_is_never_an_address(username):
    with pytest.raises(ValidationError):
        refuse_odd_signs(username)
