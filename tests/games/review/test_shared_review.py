"""The lead of a shared review: one page has it, and it expires unless that page renews it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine

from games.broadcast.groups import review_group
from games.errors import Refused
from games.presence.pages import pages
from games.review import shared_review
from games.review.participants import Leader
from tests.games.presence.windows import Window, person

SLUG = "slug"
PEOPLE = {1: "Anna", 2: "Bela"}


@pytest.fixture(autouse=True)
def both_here() -> None:
    for user_id, name in PEOPLE.items():
        pages().join(review_group(SLUG), Window(user=person(user_id, name)))


def lead(user_id: int, channel: str, at: int = 5) -> None:
    shared_review.take_lead(SLUG, Leader("", user_id, PEOPLE[user_id], at, "open", channel))


def shown_to(user_id: int, channel: str) -> tuple[str, int, str] | None:
    """Return who leads at which step through which page, as this page shows it."""
    leader = shared_review.state_for_page(SLUG, user_id, channel).leader
    return None if leader is None else (leader.name, leader.step_number, leader.channel)


def seconds_later(seconds: float) -> time_machine.travel:
    return time_machine.travel(datetime.now() + timedelta(seconds=seconds))


@pytest.mark.stack
def test_leader_stays_leader_while_stepping() -> None:
    lead(1, "a")
    leader = shared_review.shared_review_state(SLUG).leader
    assert leader is not None
    lead(1, "a", at=6)
    after = shared_review.shared_review_state(SLUG).leader
    assert after is not None
    assert (after.step_number, after.key) == (6, leader.key)


@pytest.mark.stack
def test_only_one_person_can_lead() -> None:
    lead(1, "a")
    with pytest.raises(Refused, match="led"):
        lead(2, "b")
    shared_review.release_lead(SLUG, "b")
    assert shown_to(2, "b") == ("Anna", 5, "a")
    shared_review.release_lead(SLUG, "a")
    lead(2, "b")
    assert shown_to(1, "a") == ("Bela", 5, "b")


def test_the_lead_is_kept_for_ten_seconds_for_a_page_that_is_reloaded() -> None:
    lead(1, "a")
    assert shared_review.reserve_lead(SLUG, "a")
    with pytest.raises(Refused, match="led"):
        lead(2, "b")
    assert shown_to(1, "a again") == ("Anna", 5, "a again")
    assert shown_to(1, "another tab") == ("Anna", 5, "a again")
    assert shared_review.reserve_lead(SLUG, "a again")
    with seconds_later(11):
        assert shown_to(1, "too late") is None
        lead(2, "b")


def test_closing_another_page_keeps_the_lead() -> None:
    lead(1, "a")
    assert not shared_review.reserve_lead(SLUG, "b")
    assert shown_to(2, "b") == ("Anna", 5, "a")


@pytest.mark.stack
def test_the_lead_is_handed_over_to_somebody_who_is_there() -> None:
    lead(1, "a")
    for channel, user_id in (("a", 1), ("a", 3), ("b", 1)):
        with pytest.raises(Refused, match="bad_request"):
            shared_review.hand_over_lead(SLUG, channel, user_id)
    shared_review.hand_over_lead(SLUG, "a", 2)
    assert shown_to(1, "a") == ("Bela", 5, "")
    assert shown_to(2, "b") == ("Bela", 5, "b")


def test_the_lead_of_a_process_that_was_killed_expires() -> None:
    lead(1, "a")
    with seconds_later(40):
        shared_review.renew_lead(SLUG, "a")
        shared_review.renew_lead(SLUG, "b")
    with seconds_later(80):
        assert shown_to(2, "b") == ("Anna", 5, "a")
    with seconds_later(90):
        assert shown_to(2, "b") is None


def test_many_readers_are_counted_and_some_named() -> None:
    for number in range(3, 101):
        pages().join(review_group(SLUG), Window(user=person(number, f"Person {number:02}")))
    people = shared_review.shared_review_state(SLUG).people
    assert (len(people.named), people.number) == (shared_review.MAX_LISTED_NAMES, 100)
