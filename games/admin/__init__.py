"""Registers the moderation pages in the admin."""

from __future__ import annotations

from games.moderation.admin import appeals, cases, matches, people, private  # noqa: F401  (they register themselves)
