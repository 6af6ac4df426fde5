"""What moderators see of the games, and what they can do about it."""

from __future__ import annotations

from games.moderation.admin import cases, matches, people, private  # noqa: F401  (they register themselves)
