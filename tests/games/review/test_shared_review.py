"""Shared reviews: each process knows its own sockets and what the others published, and all show the same."""

from __future__ import annotations

import asyncio

import pytest

from games.broadcast import announcements
from games.errors import Refused
from games.presence.people import Attendee
from games.review import shared_review
from games.review.participants import Leader
from games.review.shared_review import SharedReview


def attendee(user_id: int | None, name: str) -> Attendee:
    return Attendee(user_id, name, guest=False, browser=("", ""))


@pytest.fixture
def processes() -> tuple[SharedReview, SharedReview]:
    """One review as two processes know it."""
    return SharedReview("slug", "one"), SharedReview("slug", "two")


def named(here: SharedReview) -> tuple[str, ...]:
    return tuple(name for _user_id, name, _guest in here.shown.people.named)


def exchange(*processes: SharedReview) -> None:
    """Let each tell the others, who answer, until nobody has more to say."""
    messages = [each.message() for each in processes]
    while messages:
        message = messages.pop(0)
        messages += [each.message() for each in processes if each.receive(message)]


def test_everybody_is_named_once_by_the_order_of_names(processes: tuple[SharedReview, SharedReview]) -> None:
    one, two = processes
    one.join("tab", attendee(1, "Bela"))
    one.join("another tab", attendee(1, "Bela"))
    two.join("telephone", attendee(1, "Bela"))
    two.join("a", attendee(2, "anna"))
    two.join("b", attendee(None, ""))
    exchange(one, two)
    for each in processes:
        assert (named(each), each.shown.people.others) == (("anna", "Bela"), 1)


def test_who_comes_later_learns_who_is_there_and_leads(processes: tuple[SharedReview, SharedReview]) -> None:
    one, two = processes
    one.join("a", attendee(1, "Anna"))
    one.lead("a", 34, "open")
    one.message()  # before the other process had a socket
    two.join("b", attendee(2, "Bela"))
    exchange(two, one)
    assert named(two) == ("Anna", "Bela")
    assert (two.shown.leader.name, two.shown.leader.at, two.shown.leader.perspective) == ("Anna", 34, "open")


def test_the_leader_goes_on_and_stays_the_same_leader(processes: tuple[SharedReview, SharedReview]) -> None:
    one, two = processes
    one.join("a", attendee(1, "Anna"))
    two.join("b", attendee(2, "Bela"))
    one.lead("a", 1, "open")
    exchange(one, two)
    key = two.shown.leader.key
    one.lead("a", 2, "0")
    exchange(one, two)
    assert two.shown.leader == Leader(key, 1, "Anna", 2, "0", "a")


def test_when_the_leader_stops_it_is_said(processes: tuple[SharedReview, SharedReview]) -> None:
    one, two = processes
    one.join("a", attendee(1, "Anna"))
    two.join("b", attendee(2, "Bela"))
    one.lead("a", 1, "open")
    exchange(one, two)
    one.stop("a")
    exchange(one, two)
    assert (two.shown.leader, two.shown.former) == (None, "Anna")
    two.lead("b", 3, "open")
    exchange(one, two)
    assert (one.shown.leader.name, one.shown.former) == ("Bela", "")


def both_at_review(processes: tuple[SharedReview, SharedReview]) -> None:
    """Anna leads in one process, Bela is in the other."""
    one, two = processes
    one.join("a", attendee(1, "Anna"))
    two.join("b", attendee(2, "Bela"))
    one.lead("a", 5, "open")
    exchange(one, two)


@pytest.mark.parametrize("place", [0, 1])
def test_the_lead_survives_a_reload_in_any_process(processes: tuple[SharedReview, SharedReview], place: int) -> None:
    async def reload() -> None:
        both_at_review(processes)
        key = processes[0].shown.leader.key
        processes[0].leave("a")
        exchange(*processes)
        assert [each.shown.leader.name for each in processes] == ["Anna", "Anna"]
        with pytest.raises(Refused, match="led"):
            processes[1].lead("b", 1, "open")
        processes[place].join("a again", attendee(1, "Anna"))
        exchange(*processes)
        assert [each.leads("a again") for each in processes] == [place == 0, place == 1]
        assert [each.shown.leader for each in processes] == [Leader(key, 1, "Anna", 5, "open", "a again")] * 2
        processes[place].stop("a again")
        exchange(*processes)
        assert [(each.shown.leader, each.shown.former) for each in processes] == [(None, "Anna")] * 2

    asyncio.run(reload())


def test_a_leader_who_does_not_come_back_leads_no_longer(
    processes: tuple[SharedReview, SharedReview], monkeypatch: pytest.MonkeyPatch
) -> None:
    published = []
    monkeypatch.setattr(shared_review, "AWAITED_SECONDS", 0.01)
    monkeypatch.setattr(announcements, "publish_review", lambda _slug, message: published.append(message))

    async def go() -> None:
        both_at_review(processes)
        processes[0].leave("a")
        exchange(*processes)
        while not published:
            await asyncio.sleep(0.01)
        processes[1].receive(published[-1])

    asyncio.run(go())
    assert [(each.shown.leader, each.shown.former) for each in processes] == [(None, "Anna")] * 2


def test_the_lead_is_handed_over_to_somebody_who_is_there(processes: tuple[SharedReview, SharedReview]) -> None:
    async def hand_over() -> None:
        one, two = processes
        both_at_review(processes)
        key = two.shown.leader.key
        for user_id in (1, 3):
            with pytest.raises(Refused, match="bad_request"):
                one.hand_over("a", user_id)
        with pytest.raises(Refused, match="bad_request"):
            two.hand_over("b", 1)
        one.hand_over("a", 2)
        exchange(one, two)
        assert (one.leads("a"), two.leads("b")) == (False, True)
        assert [each.shown.leader for each in processes] == [Leader(key, 2, "Bela", 5, "open", "b")] * 2
        two.lead("b", 6, "open")
        two.hand_over("b", 1)
        exchange(two, one)
        assert [each.shown.leader for each in processes] == [Leader(key, 1, "Anna", 6, "open", "a")] * 2

    asyncio.run(hand_over())


def test_there_is_one_leader_and_a_visitor_is_none(processes: tuple[SharedReview, SharedReview]) -> None:
    one, two = processes
    one.join("a", attendee(1, "Anna"))
    two.join("b", attendee(2, "Bela"))
    two.join("c", attendee(None, ""))
    with pytest.raises(Refused, match="nameless"):
        two.lead("c", 1, "open")
    one.lead("a", 1, "open")
    exchange(one, two)
    with pytest.raises(Refused, match="led"):
        two.lead("b", 1, "open")


def test_of_two_who_begin_at_once_one_leads_everywhere(processes: tuple[SharedReview, SharedReview]) -> None:
    one, two = processes
    one.join("a", attendee(1, "Anna"))
    two.join("b", attendee(2, "Bela"))
    two.lead("b", 7, "open")
    one.lead("a", 1, "open")
    exchange(one, two)
    assert [each.shown.leader.name for each in processes] == ["Bela", "Bela"]
    assert (one.leads("a"), two.leads("b")) == (False, True)
    two.stop("b")
    exchange(one, two)
    assert [each.shown.leader for each in processes] == [None, None]


def test_an_older_message_that_comes_later_changes_nothing(processes: tuple[SharedReview, SharedReview]) -> None:
    one, two = processes
    one.join("a", attendee(1, "Anna"))
    old = one.message()
    one.lead("a", 5, "open")
    two.receive(one.message())
    two.receive(old)
    assert two.shown.leader.at == 5


def test_a_process_that_fell_silent_is_forgotten_with_its_leader(
    processes: tuple[SharedReview, SharedReview], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = processes
    monkeypatch.setattr(shared_review, "LEASE_SECONDS", 0)
    one.join("a", attendee(1, "Anna"))
    one.lead("a", 5, "open")
    two.join("b", attendee(2, "Bela"))
    two.receive(one.message())
    assert named(two) == ("Anna", "Bela")
    two.forget_silent()
    assert (named(two), two.shown.leader, two.shown.former) == (("Bela",), None, "Anna")


def test_many_are_counted_and_not_all_named(processes: tuple[SharedReview, SharedReview]) -> None:
    one, two = processes
    for number in range(100):
        one.join(str(number), attendee(number, f"Person {number:02}"))
    message = one.message()
    assert (len(message["names"]), message["people"]) == (shared_review.PUBLISHED, 100)
    two.receive(message)
    assert len(two.shown.people.named) == shared_review.NAMED
    assert two.shown.people.number == 100
