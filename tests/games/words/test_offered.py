"""The site offers what it has words for; the engine may know more."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import pytest
from django.test import Client
from django.urls import reverse

from games import words
from games.engine.variants import registry
from games.engine.variants.kozel import RULES
from games.errors import Refused
from games.terms.terms import Terms
from games.words import offered, words_of


@pytest.fixture
def wordless(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the engine know one variant more; return its key."""
    monkeypatch.setattr(words, "registry", lambda: MappingProxyType({**registry(), "wordless": RULES}))
    offered.cache_clear()
    yield "wordless"
    offered.cache_clear()


def test_what_is_offered_has_words_for_its_name_its_rules_and_its_refusals() -> None:
    for key, rules in offered().items():
        assert rules is registry()[key]
        said = words_of(key)
        assert str(said.name)
        assert str(said.text)
        assert list(said.rules) == list(rules.rules_ids)
        assert set(said.refusals) == set(rules.refusals)


def test_what_has_no_words_is_not_offered(wordless: str) -> None:
    assert wordless not in offered()
    assert "kozel" in offered()


@pytest.mark.django_db
def test_no_page_leads_to_what_is_not_offered(wordless: str, client: Client) -> None:
    assert wordless not in client.get(reverse("lobby")).content.decode()
    assert wordless not in client.get(reverse("rules")).content.decode()
    assert client.get(reverse("how-to-play", args=[wordless])).status_code == 404


def test_no_table_is_laid_for_what_is_not_offered(wordless: str) -> None:
    with pytest.raises(Refused) as caught:
        Terms(wordless, 2).columns()
    assert caught.value.code == "bad_request"
