"""How the database reads the lists. SQLite plans without looking at the data, so no rows are needed to tell."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from accounts.models import User
from games.history import queries
from games.history.queries import Cursor, Question
from tests.games.finished import FIRST

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()
INDEXES = {
    "match_finished": {},
    "match_variant": {"variant": "kozel"},
    "seat_name": {"name": "Ann"},
    "seat_user": {"person_id": 1},
    "seat_outcome": {"outcome": "left"},
}


@pytest.mark.parametrize("viewer", [NOBODY, User(pk=1)], ids=["visitor", "person"])
@pytest.mark.parametrize("after", [None, Cursor(FIRST, 1)], ids=["first", "later"])
@pytest.mark.parametrize(("index", "asked"), INDEXES.items())
def test_every_list_walks_an_index_in_its_order(index: str, asked: Any, after: Cursor | None, viewer: Any) -> None:
    plan = plan_of(lambda: queries.page(Question(**asked), viewer, after))
    assert f"USING INDEX {index}" in plan or f"USING COVERING INDEX {index}" in plan, plan
    assert "USE TEMP B-TREE FOR ORDER BY" not in plan


def plan_of(read: Any) -> str:
    """Return how SQLite answers the query that ``read`` makes."""
    asked = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        read()
    *_names, (sql, params) = asked
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        return "\n".join(row[-1] for row in cursor.fetchall())
