"""Each person counts once, and visitors count by browser."""

from __future__ import annotations

from accounts.models import User
from games.presence.people import (
    MAX_VISITORS_PER_ADDRESS,
    NOBODY,
    People,
    count_visitors,
    make_people,
    merge_people,
    people_of_attendees,
)
from tests.games.presence.windows import Window, person

ANNA, BELA = (1, "Anna", False), (2, "Bela", False)


def attending(*windows: Window) -> People:
    return people_of_attendees([window.attendee for window in windows])


def test_a_person_with_several_windows_is_one_and_visitors_are_counted_by_browser() -> None:
    anna, bela = person(1, "Anna"), person(2, "bela")
    windows = [Window(user=bela), Window(user=anna), Window(user=anna), Window(), Window()]
    assert attending(*windows) == People(((1, "Anna", False), (2, "bela", False)), 2)
    assert attending(*windows).number == 4


def test_visitor_with_many_windows_counts_once() -> None:
    tabs = [Window(browser=("192.0.2.1", "cookie")) for _ in range(1000)]
    assert attending(*tabs, Window(browser=("192.0.2.2", "cookie"))).number == 2


def test_visitors_of_one_address_are_limited() -> None:
    assert count_visitors([("192.0.2.1", str(number)) for number in range(1000)] * 2) == MAX_VISITORS_PER_ADDRESS
    assert count_visitors([("192.0.2.1", "a"), ("192.0.2.1", "b"), ("192.0.2.2", "a")]) == 3


def test_an_account_without_a_name_at_tables_is_called_by_its_user_name() -> None:
    assert attending(Window(user=User(pk=1, username="root"))) == People(((1, "root", False),), 0)


def test_people_of_two_processes_are_counted_once() -> None:
    both = merge_people([make_people([BELA, ANNA], 1), NOBODY, make_people([BELA], 2)])
    assert both == People((ANNA, BELA), 3)
    assert both.number == 5


def test_single_process_reuses_its_people() -> None:
    alone = make_people([ANNA], 1)
    assert merge_people([alone, NOBODY]) is alone
