"""Deleted accounts have one stored name, which readers see in their own language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import trans_real

from games.chat.rendering import chat_line
from games.match.table import ChatLine
from games.rendering.frame import shared_zones
from games.words import names
from games.words.names import DELETED, name_in, table_in
from tests.games.rendering.positions import table_of

CZECH = "Smazaný účet"


@pytest.fixture(autouse=True)
def _translated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    czech: Any = trans_real.translation("cs")
    monkeypatch.setitem(czech._catalog._catalogs[0], DELETED, CZECH)
    names._deleted.cache_clear()
    yield
    names._deleted.cache_clear()


def test_only_the_name_of_deleted_accounts_is_translated() -> None:
    assert [name_in("cs", DELETED), name_in("en", DELETED), name_in("cs", "Ann")] == [CZECH, DELETED, "Ann"]


def test_a_table_shows_deleted_players_in_the_language_of_its_readers() -> None:
    table = table_of()
    assert table_in("cs", table) is table
    deleted = replace(table, people=(replace(table.people[0], name=DELETED, user_id=None), *table.people[1:]))
    seats = {language: shared_zones(deleted, None, language).markup["seats"] for language in ("en", "cs")}
    assert [CZECH in seats["cs"], DELETED in seats["cs"], DELETED in seats["en"]] == [True, False, True]


def test_a_chat_shows_deleted_players_in_the_language_of_its_reader() -> None:
    line = ChatLine(1, DELETED, "")
    assert [CZECH in chat_line(line, "cs"), DELETED in chat_line(line, "en")] == [True, True]
