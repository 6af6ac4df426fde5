"""The words of the table: complete for every offered variant, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games import words
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.variants import registry
from games.engine.variants.kozel import RULES
from games.errors import Refused
from games.terms.terms import Terms
from games.words import offered_variants, words_of
from games.words.lookup import refusal_text, rule_link, words_for
from games.words.phrases import TABLE_PHRASES

variants = pytest.mark.parametrize("rules", registry().values(), ids=registry())


@variants
def test_a_variant_has_a_name_a_sentence_titles_of_rules_and_refusals(rules: Rules) -> None:
    own = words_of(rules.key)
    assert str(own.name)
    assert str(own.text)
    assert list(own.rules) == list(rules.rules_ids)
    assert set(own.refusals) == set(rules.refusals)


@variants
def test_option_choices_have_words_without_tile_names(rules: Rules) -> None:
    own = words_of(rules.key)
    assert set(own.options) == {option.name for option in rules.options}
    for option in rules.options:
        for name in option.choices:
            choice = own.choice(option.name, name)
            assert str(choice.text)
            assert bool(str(choice.note)) == (name != option.default)
            assert not re.search(r"\d-\d", f"{choice.name} {choice.text} {choice.note}")


@variants
def test_a_variant_changes_known_phrases_only(rules: Rules) -> None:
    own = set(words_of(rules.key).phrases) - set(TABLE_PHRASES)
    assert all(key.removeprefix("own_").startswith("over_") for key in own)


@variants
def test_sentences_about_a_seat_have_a_form_for_its_player(rules: Rules) -> None:
    chosen = words_for(rules.key, "en").texts
    about_seats = {key for key in chosen if f"own_{key}" in chosen}
    assert {key for key in chosen if key.startswith("over_") and "%(name)s" in chosen[key]} <= about_seats
    assert {"led", "played", "drew", "passed", "dealt"} <= about_seats
    assert not [key for key in about_seats if "%(name)s" in chosen[f"own_{key}"]]
    replaced = words_of(rules.key).phrases
    assert {f"own_{key}" for key in about_seats & set(replaced)} <= set(replaced)


@variants
def test_a_phrase_keeps_its_places_in_every_variant(rules: Rules) -> None:
    filled = dict.fromkeys(re.findall(r"%\((\w+)\)s", " ".join(map(str, TABLE_PHRASES.values()))), "X")
    own = words_for(rules.key, "en")
    assert all("%(" not in own[key] % filled for key in TABLE_PHRASES)


def test_a_refusal_by_a_rule_is_said_in_the_words_of_that_rule() -> None:
    refusal = Refusal("illegal_move", "engine's English", "kozel.must_play")
    assert refusal_text(refusal, "kozel") == "You hold a tile that fits, so you must play it."


def test_a_refusal_without_a_rule_is_said_by_its_code() -> None:
    assert refusal_text(Refusal("not_your_turn"), "kozel") == "It is not your turn."


def test_site_refusal_has_its_own_text() -> None:
    assert refusal_text(Refused("table_full"), "kozel") == "Every seat at this table is taken."


def test_a_rule_is_linked_to_its_place_on_the_page_of_the_game() -> None:
    assert rule_link("kozel", "kozel.fish", "en") == "/rules/kozel/#kozel.fish"
    assert rule_link("kozel", "kozel.fish", "hu") == "/hu/rules/kozel/#kozel.fish"
    assert words_for("kozel", "en").rule("kozel.fish") == (
        '<a href="/rules/kozel/#kozel.fish" target="_blank">Fish</a>'
    )


def test_phrases_are_html_once_and_kept_by_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TABLE_PHRASES, "bot", "<b> & co")
    words_for.cache_clear()
    assert words_for("kozel", "en")["bot"] == "&lt;b&gt; &amp; co"
    assert words_for("kozel", "en") is words_for("kozel", "en")
    assert words_for("kozel", "en") is not words_for("kozel", "hu")
    words_for.cache_clear()


def test_counts_of_tiles_follow_the_grammar() -> None:
    kozel = words_for("kozel", "en")
    assert [kozel.count("tiles", number) for number in (0, 1, 7)] == ["0 tiles", "1 tile", "7 tiles"]


def test_words_do_not_depend_on_the_current_language() -> None:
    with translation.override("hu"):
        assert words_for("kozel", "en")["draw"] == "Draw a tile"


@pytest.fixture
def wordless(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Add a variant to the engine that has no words, and return its key."""
    monkeypatch.setattr(words, "registry", lambda: MappingProxyType({**registry(), "wordless": RULES}))
    offered_variants.cache_clear()
    yield "wordless"
    offered_variants.cache_clear()


def test_variant_without_words_is_not_offered(wordless: str) -> None:
    assert wordless not in offered_variants()
    assert offered_variants()["kozel"] is RULES


@pytest.mark.django_db
def test_no_page_links_to_an_unoffered_variant(wordless: str, client: Client) -> None:
    assert wordless not in client.get(reverse("lobby")).content.decode()
    assert wordless not in client.get(reverse("rules")).content.decode()
    assert client.get(reverse("how-to-play", args=[wordless])).status_code == 404


def test_no_table_opens_for_an_unoffered_variant(wordless: str) -> None:
    with pytest.raises(Refused) as caught:
        Terms(wordless, 2).columns()
    assert caught.value.code == "bad_request"
