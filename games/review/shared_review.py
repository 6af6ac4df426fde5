"""Shared reviews: the people on the review page of a match, and the leader whom the others can follow.

Presence comes from ``games.presence.online``. The lead is an entry in the cache that all processes share, and a lease
that the leader's page renews. Every change is announced to the group of the review.
"""

from __future__ import annotations

import secrets
from dataclasses import replace

from django.core.cache import cache
from django.utils import timezone

from games.broadcast import announcements
from games.broadcast.groups import review_group
from games.errors import Refused
from games.presence import online
from games.review.participants import Leader, SharedReview

MAX_NAMES = 4
LEASE_SECONDS = 45  # the lead expires after this time without a heartbeat of the leader's page
RESERVED_SECONDS = 10  # for a leader whose page has closed, or a new leader


def current_state(slug: str) -> SharedReview:
    """Return the state that everybody on the page sees."""
    people = online.people_at(review_group(slug), timezone.now()).limit_names(MAX_NAMES)
    return SharedReview(people, cache.get(_key(slug)))


def state_for(slug: str, user_id: int | None, channel: str) -> SharedReview:
    """Return the state for a page, which takes over the lead if it is reserved for its user."""
    state = current_state(slug)
    leader = state.leader
    if leader is None or leader.channel or leader.user_id != user_id:
        return state
    leader = replace(leader, channel=channel)
    _store(slug, leader)
    return replace(state, leader=leader)


def lead(slug: str, leader: Leader) -> None:
    """Start leading, or go to another step. Raises Refused ``led`` if somebody else leads."""
    before = led_by(slug, leader.channel)
    if before is not None:
        _store(slug, replace(leader, key=before.key))
        return
    if not cache.add(_key(slug), replace(leader, key=secrets.token_hex(8)), LEASE_SECONDS):
        raise Refused("led")
    announcements.touch_reviews([review_group(slug)])


def hand_over(slug: str, channel: str, user_id: int) -> None:
    """Hand the lead over to another person on the page. Raises Refused ``bad_request``."""
    leader, people = led_by(slug, channel), current_state(slug).people
    name = next((name for named_id, name, _guest in people.named if named_id == user_id), None)
    if leader is None or name is None or user_id == leader.user_id:
        raise Refused("bad_request")
    _store(slug, replace(leader, user_id=user_id, name=name, channel=""), RESERVED_SECONDS)


def leave(slug: str, channel: str) -> bool:
    """Reserve the lead for a moment after the leader's page closed: it may reload. Return whether the page led."""
    leader = led_by(slug, channel)
    if leader is not None:
        _store(slug, replace(leader, channel=""), RESERVED_SECONDS)
    return leader is not None


def stop(slug: str, channel: str) -> None:
    if led_by(slug, channel):
        cache.delete(_key(slug))
        announcements.touch_reviews([review_group(slug)])


def renew(slug: str, channel: str) -> None:
    """Renew the lead if this page has it."""
    if led_by(slug, channel):
        cache.touch(_key(slug), LEASE_SECONDS)


def led_by(slug: str, channel: str) -> Leader | None:
    """Return the leader if their page has this channel."""
    leader: Leader | None = cache.get(_key(slug))
    return leader if leader and leader.channel == channel else None


def _store(slug: str, leader: Leader, seconds: int = LEASE_SECONDS) -> None:
    cache.set(_key(slug), leader, seconds)
    announcements.touch_reviews([review_group(slug)])


def _key(slug: str) -> str:
    return f"review-leader:{slug}"
