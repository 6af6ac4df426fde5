"""Nobody pushes the tables of others out of the lobby by opening many."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from accounts.models import Trace, User
from games.lobby import open_tables
from games.lobby.fair_shares import Candidate, choose_tables
from games.models import Match, Seat
from tests.games import tables
from tests.games.lobby.test_tables import refused, table


def candidate(
    match_id: int, host: int, address: str | None, *, is_guest: bool = False, there: bool = True
) -> Candidate:
    return Candidate(match_id, host, is_guest, address, is_followed=False, host_is_present=there)


def host_at(address: str, name: str = "Guest", *, is_guest: bool = True) -> User:
    user = tables.person(name, is_guest=is_guest)
    Trace.objects.create(user=user, kind="address", mark=address, seen_at=datetime(2026, 1, 1, tzinfo=UTC))
    return user


def listed_slugs() -> list[str]:
    return [line.slug for line in open_tables.load_lists().open]


def test_a_table_opened_before_fifty_of_five_guests_is_listed() -> None:
    honest = table(host_at("home", "Ann"), visibility="public")
    guests = [host_at("flood", f"Guest {number}") for number in range(5)]
    tables_of_guests = [Match(host=guests[number % 5], variant="kozel") for number in range(50)]
    Match.objects.bulk_create(tables_of_guests)
    Seat.objects.bulk_create(Seat(match=match, index=0, user=match.host) for match in tables_of_guests)
    assert honest.slug in listed_slugs()
    assert len(listed_slugs()) == 11  # two of each guest


@pytest.mark.stack
def test_one_address_cannot_push_out_another_with_however_many_hosts() -> None:
    flood = [candidate(number, number, "flood") for number in range(100, 200)]
    honest = [candidate(number, number, f"home {number}") for number in range(1, 20)]
    chosen = choose_tables([*flood, *honest], 40)
    assert {table.match_id for table in honest} <= set(chosen)
    assert len(chosen) == 40


def test_a_school_behind_one_address_is_listed_whole_while_there_is_room() -> None:
    school = [candidate(number, number, "school") for number in range(1, 31)]
    elsewhere = [candidate(number, number, f"home {number}") for number in range(31, 41)]
    assert len(choose_tables([*school, *elsewhere], 40)) == 40


@pytest.mark.stack
def test_within_an_address_accounts_come_first_then_hosts_who_are_there_then_new_tables() -> None:
    crowd = [
        candidate(1, 1, "school"),
        candidate(2, 2, "school", there=False),
        candidate(3, 3, "school", is_guest=True),
        candidate(4, 4, "school"),
    ]
    assert choose_tables(crowd, 4) == [4, 1, 2, 3]


def test_hosts_without_a_known_address_count_by_themselves() -> None:
    unknown = [candidate(1, 1, None), candidate(2, 2, None)]
    assert choose_tables([*unknown, candidate(3, 3, "flood"), candidate(4, 4, "flood")], 3) == [4, 2, 1]


def test_guests_open_no_tables_by_the_day_and_accounts_three(ann: User) -> None:
    refused("days_need_account", table, host=tables.person("Guest", is_guest=True), clock="1-day")
    for _number in range(3):
        table(ann, clock="1-day")
    refused("too_many_open", table, host=ann, clock="2-days")
    Match.objects.filter(host=ann).update(status="running")
    table(ann, clock="1-day")
