"""People with rights."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group

from accounts.models import User


@pytest.fixture
def moderator() -> User:
    user = User.objects.create(username="mo", name="Mo", is_staff=True)
    user.groups.add(Group.objects.get(name="Match moderators"))
    return user
