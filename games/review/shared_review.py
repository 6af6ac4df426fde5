"""Shared reviews: the people who review a match together, and the one who leads the others.

The people are those whose pages are open (``games.presence.here``). The lead is an entry in the cache, which all
processes share; it expires unless the leader's page renews it. Every change is announced to the group of the review.
"""

from __future__ import annotations

import secrets
from dataclasses import replace

from django.core.cache import cache
from django.utils import timezone

from games.broadcast import announcements
from games.broadcast.groups import review_group
from games.errors import Refused
from games.presence import here
from games.review.participants import Leader, Shown

# Names shown at most.
NAMED = 4
# The lead expires after this time without a heartbeat of the leader's page.
LEASE_SECONDS = 45
# The lead is kept this long for somebody whose page has closed, or to whom it was handed over.
AWAITED_SECONDS = 10


def shown_in(slug: str) -> Shown:
    """Return what everybody in a review sees."""
    people = here.people_at(review_group(slug), timezone.now()).shortened(NAMED)
    return Shown(people, cache.get(_key(slug)))


def shown_to(slug: str, user_id: int | None, channel: str) -> Shown:
    """Return what a page shows, which takes the lead if that waits for its person."""
    shown = shown_in(slug)
    leader = shown.leader
    if leader is None or leader.channel or leader.user_id != user_id:
        return shown
    leader = replace(leader, channel=channel)
    _store(slug, leader)
    return replace(shown, leader=leader)


def lead(slug: str, leader: Leader) -> None:
    """Start leading, or go on to another step. Raises Refused ``led`` if somebody else leads."""
    before = led_by(slug, leader.channel)
    if before is not None:
        _store(slug, replace(leader, key=before.key))
        return
    if not cache.add(_key(slug), replace(leader, key=secrets.token_hex(8)), LEASE_SECONDS):
        raise Refused("led")
    announcements.touch_reviews([review_group(slug)])


def hand_over(slug: str, channel: str, user_id: int) -> None:
    """Hand the lead over to somebody else who is named here. Raises Refused ``bad_request``."""
    leader, people = led_by(slug, channel), shown_in(slug).people
    name = next((name for named_id, name, _guest in people.named if named_id == user_id), None)
    if leader is None or name is None or user_id == leader.user_id:
        raise Refused("bad_request")
    _store(slug, replace(leader, user_id=user_id, name=name, channel=""), AWAITED_SECONDS)


def leave(slug: str, channel: str) -> bool:
    """Keep the lead for a while after its page was closed: it may be reloaded. Return whether the page led."""
    leader = led_by(slug, channel)
    if leader is not None:
        _store(slug, replace(leader, channel=""), AWAITED_SECONDS)
    return leader is not None


def stop(slug: str, channel: str) -> None:
    """Stop leading."""
    if led_by(slug, channel):
        cache.delete(_key(slug))
        announcements.touch_reviews([review_group(slug)])


def renew(slug: str, channel: str) -> None:
    """Renew the lead if this page has it."""
    if led_by(slug, channel):
        cache.touch(_key(slug), LEASE_SECONDS)


def led_by(slug: str, channel: str) -> Leader | None:
    """Return the leader if it is the person with this page."""
    leader: Leader | None = cache.get(_key(slug))
    return leader if leader and leader.channel == channel else None


def _store(slug: str, leader: Leader, seconds: int = LEASE_SECONDS) -> None:
    cache.set(_key(slug), leader, seconds)
    announcements.touch_reviews([review_group(slug)])


def _key(slug: str) -> str:
    return f"review-leader:{slug}"
