"""What all pages go through."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.test import AsyncClient


@pytest.mark.django_db(transaction=True)
async def test_a_page_changes_threads_six_times_at_most(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For Django's signals, all middleware, two that look at the view, the view, and the end."""
    changes = Counter[str]()
    change = SyncToAsync.__call__

    async def counted(self: SyncToAsync[Any, Any], *arguments: Any, **options: Any) -> Any:
        changes[str(getattr(self.func, "__qualname__", self.func))] += 1
        return await change(self, *arguments, **options)

    monkeypatch.setattr(SyncToAsync, "__call__", counted)
    assert (await async_client.get("/rules/")).status_code == 200
    assert changes.total() <= 6, changes
