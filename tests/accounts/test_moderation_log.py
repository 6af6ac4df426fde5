"""The database refuses to change or delete rows of the log of moderation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.models import ModerationAct, User

pytestmark = pytest.mark.stack
TABLE = ModerationAct._meta.db_table


@pytest.fixture
def act() -> ModerationAct:
    mo, eve = (User.objects.create(username=name, name=name.title()) for name in ("mo", "eve"))
    return ModerationAct.objects.create(moderator=mo, user=eve, act="mute", target=f"user:{eve.pk}", reason="spam")


def rows() -> list[Any]:
    return list(ModerationAct.objects.order_by("pk").values())


def run(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


REFUSED: dict[str, Callable[[], object]] = {
    "another reason": lambda: ModerationAct.objects.update(reason="nothing at all"),
    "another person": lambda: ModerationAct.objects.update(user=User.objects.get(username="mo")),
    "one of several": lambda: ModerationAct.objects.update(user=None, reason="nothing at all"),
    "a deleted row": lambda: ModerationAct.objects.all().delete(),
    "the database's own shell": lambda: run(f"DELETE FROM {TABLE}"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_database_refuses_to_change_or_delete_an_act(act: ModerationAct, name: str) -> None:
    before = rows()
    with pytest.raises(DatabaseError, match="moderation acts are kept"), transaction.atomic():
        REFUSED[name]()
    assert rows() == before


def test_no_column_of_an_act_can_be_changed(act: ModerationAct) -> None:
    """A new column needs new triggers (``accounts.sanctions.append_only``)."""
    values = {"id": act.pk + 1, "moderator": act.user_id, "user": act.moderator_id, "at": timezone.now()}
    for field in ModerationAct._meta.fields:
        with pytest.raises(DatabaseError, match="moderation acts are kept"), transaction.atomic():
            ModerationAct.objects.update(**{field.name: values.get(field.name, "else")})


def test_act_stays_when_its_people_are_deleted(act: ModerationAct) -> None:
    columns = {key: value for key, value in rows()[0].items() if key not in {"user_id", "moderator_id"}}
    User.objects.get(username="eve").delete()
    User.objects.get(username="mo").delete()
    assert rows() == [columns | {"user_id": None, "moderator_id": None}]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite has REPLACE")
def test_no_row_can_be_replaced(act: ModerationAct) -> None:
    columns = ", ".join(f'"{field.column}"' for field in ModerationAct._meta.fields if field.column != "act")
    with pytest.raises(DatabaseError, match="moderation acts are kept"), transaction.atomic():
        run(f"REPLACE INTO {TABLE} (act, {columns}) SELECT 'lift', {columns} FROM {TABLE}")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no TRUNCATE")
def test_a_log_cannot_be_truncated(act: ModerationAct) -> None:
    connection.check_constraints()
    with pytest.raises(DatabaseError, match="moderation acts are kept"), transaction.atomic():
        run(f"TRUNCATE {TABLE}")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_time", [1, 2])
def test_next_test_has_an_empty_protected_log(act: ModerationAct, _time: int) -> None:
    assert ModerationAct.objects.count() == 1
    with pytest.raises(DatabaseError, match="moderation acts are kept"):
        ModerationAct.objects.all().delete()
