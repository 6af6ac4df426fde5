"""The form that opens a table: what it asks, and what it makes of nonsense."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.forms import ChoiceField

from games.engine.options import LENGTH_OPTION, Option
from games.engine.rules import Rules
from games.errors import Refused
from games.lobby.forms import SeatForm, TableForm
from games.terms.presets import preset_with_key, presets_of
from games.terms.terms import Terms
from games.words import offered_variants

KOZEL = offered_variants()["kozel"]


def test_empty_form_uses_the_defaults() -> None:
    form = TableForm(KOZEL, {})
    assert form.is_valid()
    assert form.terms == Terms("kozel", 4, {"fish": "all", "length": "full"})


def test_every_field_reaches_the_table() -> None:
    answers = {
        "seats": "2",
        "option_fish": "one",
        "clock": "relaxed",
        "visibility": "link",
        "stakes": "rated",
        "delay": "round",
    }
    form = TableForm(KOZEL, answers)
    assert form.is_valid()
    options = {"fish": "one", "length": "full"}
    assert form.terms == Terms("kozel", 2, options, "relaxed", "link", rated=True, delay="round")


@pytest.mark.parametrize(
    "answer",
    [
        {"seats": "9"},
        {"seats": "four"},
        {"seats": "-1"},
        {"option_fish": "both"},
        {"clock": "blitz"},
        {"visibility": "secret"},
        {"delay": "5"},
        {"stakes": "1000 €"},
    ],
)
def test_invalid_value_has_an_error_at_its_field(answer: dict[str, str]) -> None:
    form = TableForm(KOZEL, answer)
    assert not form.is_valid()
    assert list(form.errors) == list(answer)


def test_a_rated_match_is_full_and_the_form_says_what_to_choose() -> None:
    text = "Rated matches are always full. Choose the full length, or a casual match."
    form = TableForm(KOZEL, {"stakes": "rated", "option_length": "quick"})
    assert form.errors == {"option_length": [text]}
    assert TableForm(KOZEL, {"stakes": "casual", "option_length": "quick"}).is_valid()
    assert TableForm(KOZEL, {"stakes": "rated", "option_length": "full"}).is_valid()
    with pytest.raises(Refused) as caught:
        Terms("kozel", 4, {"length": "quick"}, rated=True).columns()
    assert (caught.value.code, str(caught.value.text)) == ("rated_is_full", text)


def test_a_rated_match_has_a_clock_and_the_form_says_what_to_choose() -> None:
    text = "Rated matches need a clock. Choose a time limit, or a casual match."
    assert TableForm(KOZEL, {"stakes": "rated", "clock": "none"}).errors == {"clock": [text]}
    assert TableForm(KOZEL, {"stakes": "casual", "clock": "none"}).is_valid()
    with pytest.raises(Refused) as caught:
        Terms("kozel", 4, {}, clock="none", rated=True).columns()
    assert (caught.value.code, str(caught.value.text)) == ("rated_has_clock", text)


@pytest.mark.parametrize("rules", offered_variants().values(), ids=lambda rules: rules.key)
def test_ready_made_tables_say_how_long_a_match_or_a_move_is(rules: Rules) -> None:
    notes = {preset.key: preset.length_note for preset in presets_of(rules)}
    short = {"usual", "duel"}
    for key, note in notes.items():
        name = ("Quick, " if key in short else "Full, ") if LENGTH_OPTION in rules.options else ""
        assert re.fullmatch(rf"{name}1 day per move" if key == "daily" else rf"{name}~\d+ min", note)


LIMITED = [
    pytest.param(rules, option, id=f"{key}-{option.name}")
    for key, rules in offered_variants().items()
    for option in rules.options
    if option.seats
]


@pytest.mark.parametrize(("rules", "option"), LIMITED)
def test_choice_for_some_seat_counts_is_refused_for_others(rules: Rules, option: Option) -> None:
    name, unusual = f"option_{option.name}", next(choice for choice in option.choices if choice != option.default)
    assert "Only for" in TableForm(rules).fields[name].help_text
    for seats in rules.seat_counts:
        form = TableForm(rules, {"seats": str(seats), name: unusual})
        assert form.is_valid() == (seats in option.seats)
        assert list(form.errors) == ([] if form.is_valid() else [name])
        assert TableForm(rules, {"seats": str(seats), name: option.default}).is_valid()


def test_the_refusal_says_what_to_choose_instead() -> None:
    form = TableForm(offered_variants()["all_fives"], {"seats": "3", "option_partners": "yes"})
    assert form.errors["option_partners"] == [
        "Only for 4 players. Choose “Every player for themselves”, or another number of players."
    ]


def test_invalid_seat_count_is_reported_with_a_seat_dependent_choice() -> None:
    form = TableForm(offered_variants()["all_fives"], {"seats": "nine", "option_partners": "yes"})
    assert list(form.errors) == ["seats"]


@pytest.mark.parametrize("index", ["-1", "x", "1e3", "99999999999999999999"])
def test_a_seat_number_is_a_small_number(index: str) -> None:
    assert not SeatForm({"index": index}).is_valid()


def test_without_a_seat_number_any_seat_will_do() -> None:
    form = SeatForm({"index": ""})
    assert form.is_valid()
    assert form.cleaned_data["index"] is None


@pytest.mark.parametrize("key", offered_variants())
def test_every_choice_of_an_option_says_in_a_sentence_what_it_does(key: str) -> None:
    form = TableForm(offered_variants()[key])
    for name, field in form.fields.items():
        assert isinstance(field, ChoiceField)
        choices: Any = field.choices
        for _value, choice in choices:
            assert str(choice.name)
            assert name == "seats" or str(choice.text).endswith("."), name


@pytest.mark.parametrize("key", offered_variants())
def test_every_variant_has_ready_made_tables_that_its_rules_allow(key: str) -> None:
    rules = offered_variants()[key]
    presets = presets_of(rules)
    assert len({preset.key for preset in presets}) == len(presets) >= 3
    for preset in presets:
        assert preset.terms.columns()["variant"] == key
        assert preset_with_key(rules, preset.key) == preset
    assert preset_with_key(rules, "nonsense") is None


@pytest.mark.parametrize("rules", offered_variants().values(), ids=lambda rules: rules.key)
def test_every_game_can_be_rated(rules: Rules) -> None:
    assert "stakes" in TableForm(rules).fields
    assert any(preset.terms.rated for preset in presets_of(rules))
