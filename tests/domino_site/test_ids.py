"""No page gives two elements the same id: a style or a script of one would change the other."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client

from accounts.models import User
from tests.language_pages import PUBLIC_PAGES

ID = re.compile(r'\sid="([^"]+)"')


@pytest.mark.parametrize("path", PUBLIC_PAGES)
def test_ids_are_unique(client: Client, admin_user: User, path: str) -> None:
    client.force_login(admin_user)
    ids = Counter(ID.findall(client.get(path, follow=True).content.decode()))
    assert ids
    assert [name for name, count in ids.items() if count > 1] == []
