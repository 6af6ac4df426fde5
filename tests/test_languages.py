"""No page in another language shows an English sentence."""

from __future__ import annotations

import html
from itertools import cycle

import pytest
from django.conf import settings
from django.test import Client

from scripts.check_translations import PLACEHOLDER, forms_of, read_catalogue
from tests.language_pages import prepare_sample

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
MIN_WORDS = 3  # of a sentence; shorter texts can be the same in two languages


def english_sentences(language: str) -> list[str]:
    """Return the longest part of each English text that has several words and another form in the language."""
    messages = [message for message in read_catalogue(language) if message.id]
    texts = [(forms_of(message.id), forms_of(message.string)) for message in messages]
    parts = [max(PLACEHOLDER.split(english[0]), key=len).strip() for english, forms in texts if english != forms]
    return [part for part in parts if len(part.split()) >= MIN_WORDS]


@pytest.mark.django_db
def test_pages_contain_no_english_sentence() -> None:
    sample = prepare_sample()
    player = Client()
    player.force_login(sample.player)
    visits = [(Client(), page) for page in sample.public_pages] + [(player, page) for page in sample.own_pages]
    sentences = {language: english_sentences(language) for language in LANGUAGES}
    leaks = {}
    # Each page in one language: a text that is never translated is English in all of them.
    for (client, page), language in zip(visits, cycle(LANGUAGES), strict=False):
        answer = client.get(page, headers={"accept-language": language}, follow=True)
        content = html.unescape(answer.content.decode())
        assert (answer.status_code, f'<html lang="{language}"' in content) == (200, True), page
        leaks[language, page] = [sentence for sentence in sentences[language] if sentence in content]
    assert {place: texts for place, texts in leaks.items() if texts} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_english_sentences_are_found(language: str) -> None:
    assert "Find the one clearly best move." in " ".join(english_sentences(language))


@pytest.mark.django_db
def test_calculations_have_the_decimal_mark_of_the_language(client: Client) -> None:
    texts = {page: client.get(page).content.decode() for page in ("/rules/kozel/", "/cs/rules/kozel/")}
    assert "0.2 &lt; 1" in texts["/rules/kozel/"]
    assert "0,2 &lt; 1" in texts["/cs/rules/kozel/"]
