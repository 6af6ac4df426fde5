"""The points of people who came late, left, were not there, had a bye, or deleted their accounts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from accounts.models import User
from accounts.services import delete_person
from games.errors import Refused
from games.models import Tournament
from games.tournaments import clock, entering, selectors
from tests.games.tables import person
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    announced,
    begin_round,
    end_matches,
    entrants,
    run_clock,
    tables_of,
)

NAMES = ("Anna", "Bela", "Cyril", "Dora")


def play_round(number: int, people: list[User]) -> None:
    """Pair, play and count a round. The person who entered first wins each table."""
    now = START + number * 2 * MINUTE
    begin_round(now, people)
    end_matches()
    run_clock(now + MINUTE, people)


def points_by_name(tournament: Tournament) -> dict[str, Fraction]:
    rows = selectors.standing_rows(Tournament.objects.get(pk=tournament.pk))
    return {row.people[0].name: row.line.points for row in rows}


def test_a_bye_is_worth_a_table() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES, "Emil")
    begin_round(START, people)
    seated = {party for table in tables_of(tournament) for party in table.parties}
    free = tournament.entries.exclude(party__in=seated).get()
    assert points_by_name(tournament) == dict.fromkeys((*NAMES, "Emil"), 0) | {free.name: 12}


def test_a_pause_is_worth_half_a_table_once_and_nothing_in_the_last_round() -> None:
    tournament = announced(rounds=3)
    people = entrants(tournament, *NAMES, "Emil", "Fanni")
    gained = []
    for number in range(3):
        before = points_by_name(tournament)["Fanni"]
        entering.sit_out(tournament=tournament, user=people[5], now=START + number * 2 * MINUTE - SECOND)
        play_round(number, people)
        gained.append(points_by_name(tournament)["Fanni"] - before)
    assert gained == [6, 0, 0]


def test_a_pause_only_in_the_last_round_is_worth_nothing() -> None:
    tournament = announced(rounds=2)
    people = entrants(tournament, *NAMES, "Emil", "Fanni")
    play_round(0, people)
    before = points_by_name(tournament)["Fanni"]
    entering.sit_out(tournament=tournament, user=people[5], now=START + MINUTE)
    play_round(1, people)
    assert points_by_name(tournament)["Fanni"] == before


@pytest.mark.parametrize(("missed", "points"), [(1, 6), (2, 6)])
def test_a_late_entrant_has_half_a_table_for_the_first_missed_round_only(missed: int, points: int) -> None:
    tournament = announced(rounds=5)
    people = entrants(tournament, *NAMES)
    for number in range(missed):
        play_round(number, people)
    entering.enter(tournament=tournament, user=person("Emil"), now=START + missed * 2 * MINUTE - SECOND)
    assert points_by_name(tournament)["Emil"] == points


def test_nobody_enters_once_half_of_the_rounds_are_paired() -> None:
    tournament = announced()  # four rounds
    people = entrants(tournament, *NAMES)
    for number in range(2):
        play_round(number, people)
    with pytest.raises(Refused, match="too_late"):
        entering.enter(tournament=tournament, user=person("Emil"), now=START + 4 * MINUTE)


def test_who_is_not_seen_at_the_pairing_has_nothing_for_the_round() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES, "Emil", "Fanni")
    play_round(0, people)
    before = points_by_name(tournament)["Anna"]
    assert before == 12
    tournament.entries.filter(user=people[0]).update(seen_at=START)
    play_round(1, people[1:])
    assert points_by_name(tournament)["Anna"] == before


@pytest.mark.parametrize("leave", ["withdraw", "delete"])
def test_who_leaves_stays_with_what_was_played(leave: str) -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES, "Emil", "Fanni")
    play_round(0, people)
    before = points_by_name(tournament)
    if leave == "withdraw":
        entering.withdraw(tournament=tournament, user=people[0], now=START + MINUTE)
    else:
        delete_person(user=people[0])
        clock.settle_marks(now=START + MINUTE)
    name = "Anna" if leave == "withdraw" else "Deleted player"
    del people[0]
    assert points_by_name(tournament) == {name: 12} | {key: before[key] for key in before if key != "Anna"}
    play_round(1, people)
    assert points_by_name(tournament)[name] == 12
    assert not [table for table in tables_of(tournament) if table.round == 2 and "1" in table.parties]


def test_who_leaves_without_having_played_is_not_in_the_standing() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES, "Emil")
    begin_round(START, people)
    late = person("Fanni")
    entering.enter(tournament=tournament, user=late, now=START + SECOND)
    assert "Fanni" in points_by_name(tournament)
    entering.withdraw(tournament=tournament, user=late, now=START + 2 * SECOND)
    assert "Fanni" not in points_by_name(tournament)
