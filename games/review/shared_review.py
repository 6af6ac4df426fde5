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

MAX_LISTED_NAMES = 4
LEAD_LEASE_SECONDS = 45  # the lead expires after this time without a heartbeat of the leader's page
LEAD_RESERVATION_SECONDS = 10  # for a leader whose page has closed, or a new leader


def shared_review_state(slug: str) -> SharedReview:
    """Return the state that everybody on the page sees."""
    people = online.people_at(review_group(slug), timezone.now()).limit_names(MAX_LISTED_NAMES)
    return SharedReview(people, cache.get(_cache_key(slug)))


def state_for_page(slug: str, user_id: int | None, channel: str) -> SharedReview:
    """Return the state for a page, which takes over the lead if it is reserved for its user."""
    state = shared_review_state(slug)
    leader = state.leader
    if leader is None or leader.channel or leader.user_id != user_id:
        return state
    leader = replace(leader, channel=channel)
    _store_leader(slug, leader)
    return replace(state, leader=leader)


def take_lead(slug: str, leader: Leader) -> None:
    """Start leading, or go to another step. Raises Refused ``led`` if somebody else leads."""
    before = leader_with_channel(slug, leader.channel)
    if before is not None:
        _store_leader(slug, replace(leader, key=before.key))
        return
    if not cache.add(_cache_key(slug), replace(leader, key=secrets.token_hex(8)), LEAD_LEASE_SECONDS):
        raise Refused("led")
    announcements.touch_reviews([review_group(slug)])


def hand_over_lead(slug: str, channel: str, user_id: int) -> None:
    """Hand the lead over to another person on the page. Raises Refused ``bad_request``."""
    leader, people = leader_with_channel(slug, channel), shared_review_state(slug).people
    name = next((name for named_id, name, _guest in people.named if named_id == user_id), None)
    if leader is None or name is None or user_id == leader.user_id:
        raise Refused("bad_request")
    _store_leader(slug, replace(leader, user_id=user_id, name=name, channel=""), LEAD_RESERVATION_SECONDS)


def reserve_lead(slug: str, channel: str) -> bool:
    """Reserve the lead for a moment after the leader's page closed: it may reload. Return whether the page led."""
    leader = leader_with_channel(slug, channel)
    if leader is not None:
        _store_leader(slug, replace(leader, channel=""), LEAD_RESERVATION_SECONDS)
    return leader is not None


def release_lead(slug: str, channel: str) -> None:
    if leader_with_channel(slug, channel):
        cache.delete(_cache_key(slug))
        announcements.touch_reviews([review_group(slug)])


def renew_lead(slug: str, channel: str) -> None:
    """Renew the lead if this page has it."""
    if leader_with_channel(slug, channel):
        cache.touch(_cache_key(slug), LEAD_LEASE_SECONDS)


def leader_with_channel(slug: str, channel: str) -> Leader | None:
    """Return the leader if their page has this channel."""
    leader: Leader | None = cache.get(_cache_key(slug))
    return leader if leader and leader.channel == channel else None


def _store_leader(slug: str, leader: Leader, lease_seconds: int = LEAD_LEASE_SECONDS) -> None:
    cache.set(_cache_key(slug), leader, lease_seconds)
    announcements.touch_reviews([review_group(slug)])


def _cache_key(slug: str) -> str:
    return f"review-leader:{slug}"
