"""The names of the groups in the channel layer."""

from __future__ import annotations

from infrastructure.runtime import Runtime

MATCH_PREFIX = "match."
REVIEW_PREFIX = "review."


def match_group(slug: str) -> str:
    return MATCH_PREFIX + slug


def delayed_group(slug: str) -> str:
    """Return the group of the sockets in this process at a match with a delay."""
    return f"delayed.{slug}.{Runtime.current.process_name}"


def review_group(slug: str) -> str:
    """Return the group of everybody in the shared review of a match."""
    return REVIEW_PREFIX + slug


def spectator_chat_group(slug: str) -> str:
    """Return the group of those who read the spectator chat: nobody who still plays this match."""
    return f"spectator_chat.{slug}"


def tournament_group(slug: str) -> str:
    return f"tournament.{slug}"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"
