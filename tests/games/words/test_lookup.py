"""Numbers in texts follow the reader's language."""

from __future__ import annotations

from django.utils import translation

from games.words.lookup import number_text


def test_numbers_have_the_decimal_mark_of_the_language_and_a_real_minus_sign() -> None:
    texts = {}
    for language in ("en", "cs"):
        with translation.override(language):
            texts[language] = [number_text(number) for number in (-1234, 0, 4.25, -0.5, 7.0)]
    assert texts == {"en": ["−1234", "0", "4.25", "−0.5", "7.0"], "cs": ["−1234", "0", "4,25", "−0,5", "7,0"]}
