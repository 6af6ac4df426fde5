"""The names of the groups to which the channel layer tells what changed."""

from __future__ import annotations

from infrastructure.runtime import Runtime


def match_group(slug: str) -> str:
    return f"match.{slug}"


def seats_group(slug: str) -> str:
    """Return the group of those who play, and hear of everything before those who watch."""
    return f"seats.{slug}"


def delayed_group(slug: str) -> str:
    """Return the group of this process's sockets of a match that spectators are shown with a delay."""
    return f"delayed.{slug}.{Runtime.current.process}"


def review_group(slug: str) -> str:
    """Return the group of all who look at the review of a match."""
    return f"review.{slug}"


def spectator_chat_group(slug: str) -> str:
    """Return the group of those who read what spectators say: nobody who still plays this match."""
    return f"spectator_chat.{slug}"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"
