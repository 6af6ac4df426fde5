"""Registers the pages of moderation and operation in the admin."""

from __future__ import annotations

from games.admin import operation  # noqa: F401  (it registers itself)
from games.moderation.admin import (  # noqa: F401  (they register themselves)
    appeals,
    cases,
    clubs,
    matches,
    people,
    private,
    tournaments,
)
