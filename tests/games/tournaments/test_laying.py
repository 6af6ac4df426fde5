"""The tables of a round are laid without waiting for each other."""

from __future__ import annotations

import pytest

from accounts import selectors
from tests.games.tournaments.site import START, announced, begin_round, entrants


def test_the_people_of_a_table_are_locked_in_one_order(monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[int] = []
    monkeypatch.setattr(selectors, "lock_person", lambda user_id: bool(locked.append(user_id)) or True)
    tournament = announced()
    people = entrants(tournament, *"ABCDEFGH")
    locked.clear()
    begin_round(START, people)
    first_locks = list(dict.fromkeys(locked))
    pairs = [first_locks[index : index + 2] for index in range(0, 8, 2)]
    assert pairs == [sorted(pair) for pair in pairs]
    assert sorted(first_locks) == sorted(user.pk for user in people)
