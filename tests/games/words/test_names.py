"""Deleted accounts have one stored name, which readers see in their own language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import trans_real

from games.chat.rendering import chat_line_html
from games.match.table import ChatLine
from games.rendering.frame import shared_zones
from games.words import names
from games.words.names import DELETED_NAME, table_with_translated_names, translated_name
from tests.games.rendering.positions import table_of

CZECH = "Smazaný účet"


@pytest.fixture(autouse=True)
def _translated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    czech: Any = trans_real.translation("cs")
    monkeypatch.setitem(czech._catalog._catalogs[0], DELETED_NAME, CZECH)
    names._translated_deleted_name.cache_clear()
    yield
    names._translated_deleted_name.cache_clear()


def test_only_the_name_of_deleted_accounts_is_translated() -> None:
    assert [
        translated_name("cs", DELETED_NAME),
        translated_name("en", DELETED_NAME),
        translated_name("cs", "Ann"),
    ] == [CZECH, DELETED_NAME, "Ann"]


def test_a_table_shows_deleted_players_in_the_language_of_its_readers() -> None:
    table = table_of()
    assert table_with_translated_names("cs", table) is table
    deleted = replace(table, people=(replace(table.people[0], name=DELETED_NAME, user_id=None), *table.people[1:]))
    seats = {language: shared_zones(deleted, None, language).markup["seats"] for language in ("en", "cs")}
    assert [CZECH in seats["cs"], DELETED_NAME in seats["cs"], DELETED_NAME in seats["en"]] == [True, False, True]


def test_a_chat_shows_deleted_players_in_the_language_of_its_reader() -> None:
    line = ChatLine(1, DELETED_NAME, "")
    assert [CZECH in chat_line_html(line, "cs"), DELETED_NAME in chat_line_html(line, "en")] == [True, True]
