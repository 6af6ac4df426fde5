"""A moderator, and what is announced."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group

from accounts.models import User
from games.broadcast import announcements

Announced = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def moderator() -> User:
    user = User.objects.create(username="mo", name="Mo", is_staff=True)
    user.groups.add(Group.objects.get(name="Moderators"))
    return user


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Announced:
    sent: Announced = []
    monkeypatch.setattr(announcements, "announce", sent.extend)
    return sent
