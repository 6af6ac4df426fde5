"""The filters of a list of matches."""

from __future__ import annotations

import unicodedata

from games.history.filters import HistoryForm


def test_a_name_of_twenty_letters_is_found_however_its_accents_are_written() -> None:
    form = HistoryForm({"player": unicodedata.normalize("NFD", "é" * 20)})
    assert form.is_valid()


def test_a_name_longer_than_any_player_has_is_refused() -> None:
    assert not HistoryForm({"player": "x" * 61}).is_valid()
