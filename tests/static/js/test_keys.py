"""Keyboard layouts: what a browser reports for a press, and which keys of the site it means."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.verifiers import NODE

SCRIPT = Path(__file__).with_name("keys.mjs")
DIGITS = "1234567890"
# What the digit row writes without Shift.
DIGIT_ROWS = {
    "English": "1234567890",
    "Hungarian": "123456789ö",
    "Polish": "1234567890",
    "Czech": "+ěščřžýáíé",
    "Slovak": "+ľščťžýáíé",
    "French": "&é\"'(-è_çà",
    "Russian": "1234567890",
    "Arabic": "١٢٣٤٥٦٧٨٩٠",
}
# What the key right of S writes.
D_KEYS = {
    "English": "d",
    "capitals": "D",
    "Czech": "d",
    "Russian": "в",
    "Ukrainian": "в",
    "Serbian": "д",
    "Greek": "δ",
    "Hebrew": "ג",
    "Arabic": "ي",
}
WINDOWS_ALTGR = {"ctrlKey": True, "altKey": True, "altGraph": True}
LINUX_ALTGR = {"altGraph": True}
MAC_OPTION = {"altKey": True}
CLOSING_BRACKETS: dict[str, dict[str, Any]] = {
    "English": {"key": "]", "code": "BracketRight"},
    "German, Windows": {"key": "]", "code": "Digit9", **WINDOWS_ALTGR},
    "German, Linux": {"key": "]", "code": "Digit9", **LINUX_ALTGR},
    "German, Mac": {"key": "]", "code": "Digit6", **MAC_OPTION},
    "Hungarian": {"key": "]", "code": "KeyG", **WINDOWS_ALTGR},
    "Czech": {"key": "]", "code": "KeyG", **WINDOWS_ALTGR},
    "Slovak": {"key": "]", "code": "KeyG", **WINDOWS_ALTGR},
    "Polish": {"key": "]", "code": "BracketRight"},
    "French": {"key": "]", "code": "Minus", **WINDOWS_ALTGR},
    "Hungarian, by place": {"key": "ú", "code": "BracketRight"},
    "Czech, by place": {"key": ")", "code": "BracketRight"},
    "Slovak, by place": {"key": "ä", "code": "BracketRight"},
    "French, by place": {"key": "$", "code": "BracketRight"},
    "Russian, by place": {"key": "ъ", "code": "BracketRight"},
    "dead key, by place": {"key": "Dead", "code": "BracketRight"},
}


Meaning = Callable[[dict[str, Any]], list[str] | None]


@pytest.fixture(scope="module")
def meaning() -> Iterator[Meaning]:
    """Return what asks the browser's code, in one process of node, which keys a press may mean; None for a command."""
    with subprocess.Popen([NODE, SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin
        assert node.stdout
        questions, answers = node.stdin, node.stdout

        def ask(press: dict[str, Any]) -> list[str] | None:
            print(json.dumps(press), file=questions, flush=True)
            keys: list[str] | None = json.loads(answers.readline())
            return keys

        yield ask
        questions.close()


def test_digit_row_means_digits_without_shift(meaning: Meaning) -> None:
    for layout, row in DIGIT_ROWS.items():
        for key, digit in zip(row, DIGITS, strict=True):
            keys = meaning({"key": key, "code": f"Digit{digit}"})
            assert keys, layout
            assert keys[0] == digit, layout


def test_shifted_digit_row_means_what_it_writes(meaning: Meaning) -> None:
    for digit in DIGITS:
        assert meaning({"key": digit, "code": f"Digit{digit}", "shiftKey": True}) == [digit]


def test_sign_on_the_digit_row_still_means_itself_where_no_digit_is_wanted(meaning: Meaning) -> None:
    assert meaning({"key": "+", "code": "Digit1"}) == ["1", "+"]  # Czech
    assert meaning({"key": "-", "code": "Digit6"}) == ["6", "-"]  # French


def test_sign_written_with_shift_is_no_digit(meaning: Meaning) -> None:
    assert meaning({"key": "+", "code": "Digit3", "shiftKey": True}) == ["+"]  # Hungarian


def test_key_of_d_draws(meaning: Meaning) -> None:
    for layout, key in D_KEYS.items():
        keys = meaning({"key": key, "code": "KeyD"})
        assert keys, layout
        assert {"d", "D"} & {*keys}, layout


@pytest.mark.parametrize(("key", "code"), [("e", "KeyD"), ("s", "KeyD"), ("h", "KeyD")])
def test_other_latin_letter_on_the_place_of_d_does_not_draw(meaning: Meaning, key: str, code: str) -> None:
    assert meaning({"key": key, "code": code}) == [key]  # Dvorak, Colemak


def test_bracket_is_found_by_what_is_written_or_by_its_place(meaning: Meaning) -> None:
    for layout, press in CLOSING_BRACKETS.items():
        keys = meaning(press)
        assert keys, layout
        assert "]" in keys, layout


@pytest.mark.parametrize(
    "press",
    [
        {"key": "d", "code": "KeyD", "altKey": True},
        {"key": "d", "code": "KeyD", "ctrlKey": True},
        {"key": "1", "code": "Digit1", "altKey": True},
        {"key": "1", "code": "Digit1", "metaKey": True},
        {"key": "]", "code": "BracketRight", "metaKey": True},
        {"key": "]", "code": "BracketRight", "ctrlKey": True},
        {"key": "d", "code": "KeyD", "ctrlKey": True, "altKey": True},
    ],
)
def test_press_with_a_modifier_is_left_to_the_browser(meaning: Meaning, press: dict[str, Any]) -> None:
    assert meaning(press) is None


@pytest.mark.parametrize(("key", "code"), [("ArrowLeft", "ArrowLeft"), ("Enter", "Enter"), ("4", "Numpad4")])
def test_key_that_every_keyboard_has_means_itself(meaning: Meaning, key: str, code: str) -> None:
    assert meaning({"key": key, "code": code}) == [key]


def test_press_that_an_autofill_reports_without_a_key_means_nothing(meaning: Meaning) -> None:
    assert meaning({}) == [""]
