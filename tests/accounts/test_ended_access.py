"""People who lose access are logged out at once, on pages and sockets, however the account was changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match
from tests.accounts.conftest import logged_in_user
from tests.accounts.test_admin import change, staff
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread
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
def test_lost_access_ends_sessions_and_sockets(
    as_masha: Client, masha: User, access_endings: list[dict[str, Any]], way: Callable[[User], None], code: str
) -> None:
    assert as_masha.get("/accounts/settings/").status_code == 200
    way(masha)
    assert access_endings == [{"user_id": masha.pk, "code": code, "session": ""}]
    assert as_masha.get("/accounts/settings/").status_code == 302


def test_other_changes_of_the_account_end_no_session(
    as_masha: Client, masha: User, access_endings: list[dict[str, Any]]
) -> None:
    as_masha.post(
        "/accounts/settings/",
        {"name": "Mary", "colour": "red", "theme": "dark", "felt": "green", "tiles": "bone", "may_invite": "all"},
    )
    masha.refresh_from_db()
    assert masha.name == "Mary"
    change(masha, is_active="on", language="")
    assert access_endings == []
    assert logged_in_user(as_masha) == masha


@in_thread
def update(**columns: Any) -> None:
    """Change all people without a signal, as a statement in the database does."""
    User.objects.update(**columns)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("columns", [{"is_active": False}, {"password": "another"}, {"session_epoch": 1}])
async def test_heartbeat_finds_lost_access_without_a_signal(columns: dict[str, Any]) -> None:
    ann = await in_thread(person)("Ann")
    match: Match = await in_thread(running_table)([ann], bots=1)
    pages = [await connect_and_read_frame(match, ann), Browser("/ws/lobby/", ann)]
    await pages[1].connect()
    await pages[1].next_frame()
    await update(**columns)
    for page in pages:
        await page.send_message(type="seen")
        while "logged out" not in await page.next_frame():
            pass
        assert await page.close_code() == 4401
