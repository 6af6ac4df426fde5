"""Long work on stored rows, a batch in each transaction: nobody waits for a lock longer than one batch takes.

For migrations with ``atomic = False``: one that is broken off and begun again goes on with the rows that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet

SIZE = 500


def in_batches(rows: QuerySet[Any], work: Callable[[list[Any]], None], *, size: int = SIZE) -> None:
    """Do the work with all rows in the order of their keys, each batch locked, and committed before the next."""
    last: Model | None = None
    while True:
        with transaction.atomic(using=rows.db):
            left = rows if last is None else rows.filter(pk__gt=last.pk)
            batch = list(left.select_for_update(of=("self",)).order_by("pk")[:size])
            if not batch:
                return
            work(batch)
            last = batch[-1]
