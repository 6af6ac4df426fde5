"""People who lose access are logged out at once, on pages and sockets, however the account was changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match
from tests.accounts.conftest import who
from tests.accounts.test_admin import change, staff
from tests.games.socket_browser import Browser, in_thread, watch
from tests.games.tables import person, running_table

NEW = "eight-legged-goats"


def deactivated_in_the_admin(user: User) -> None:
    change(user)


def new_password_in_the_admin(user: User) -> None:
    address = reverse("admin:auth_user_password_change", args=[user.pk])
    fields = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    assert staff("boss").post(address, fields).status_code == 302


def deactivated_in_a_shell(user: User) -> None:
    user.is_active = False
    user.save()


def new_password_in_a_shell(user: User) -> None:
    user.set_password(NEW)
    user.save(update_fields=["password"])


@pytest.mark.parametrize(
    ("way", "code"),
    [
        (deactivated_in_the_admin, "inactive"),
        (new_password_in_the_admin, "password"),
        (deactivated_in_a_shell, "inactive"),
        (new_password_in_a_shell, "password"),
    ],
)
def test_sessions_are_void_and_sockets_close(
    as_masha: Client, masha: User, ended: list[dict[str, Any]], way: Callable[[User], None], code: str
) -> None:
    assert as_masha.get("/accounts/settings/").status_code == 200
    way(masha)
    assert ended == [{"user_id": masha.pk, "code": code, "session": ""}]
    assert as_masha.get("/accounts/settings/").status_code == 302


def test_other_changes_of_the_row_end_nothing(as_masha: Client, masha: User, ended: list[dict[str, Any]]) -> None:
    as_masha.post(
        "/accounts/settings/",
        {"name": "Mary", "colour": "red", "theme": "dark", "felt": "green", "tiles": "bone", "may_invite": "all"},
    )
    masha.refresh_from_db()
    assert masha.name == "Mary"
    change(masha, is_active="on", language="")
    assert ended == []
    assert who(as_masha) == masha


@in_thread
def update(**columns: Any) -> None:
    """Change all people without a signal, as a statement in the database does."""
    User.objects.update(**columns)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("columns", [{"is_active": False}, {"password": "another"}, {"session_epoch": 1}])
async def test_the_heartbeat_finds_what_no_signal_told(columns: dict[str, Any]) -> None:
    ann = await in_thread(person)("Ann")
    match: Match = await in_thread(running_table)([ann], bots=1)
    pages = [await watch(match, ann), Browser("/ws/lobby/", ann)]
    await pages[1].connect(timeout=5)
    await pages[1].frame()
    await update(**columns)
    for page in pages:
        await page.say(type="seen")
        while "logged out" not in await page.frame():
            pass
        assert await page.closing_code() == 4401
