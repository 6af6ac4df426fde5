"""Entrants shuffle the boards of a duplicate tournament."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from django.db import transaction
from pytest_django import Settings

from accounts.models import User
from games.engine.deal import nonce_commitment
from games.engine.notation import import_match
from games.engine.proof import verify
from games.errors import Refused
from games.match import record as match_record
from games.models import Entry, Match, Tournament
from games.records import exports
from games.tournaments import commits, entering, opening
from games.tournaments.core import commands
from games.tournaments.core.duplicate import entropy
from tests.engine.verifiers import verdicts
from tests.games.tables import person
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    begin_round,
    run_clock,
    running_matches,
)
from tests.games.tournaments.test_duplicate import NAMES, cup, play_boards, refreshed, state_of

pytestmark = [pytest.mark.stack, pytest.mark.django_db, pytest.mark.seed(1)]


def enter_with_nonces(tournament: Tournament, names: Sequence[str] = NAMES) -> list[User]:
    """Enter people whose pages have committed to a nonce, except Fanni's."""
    people = [person(name) for name in names]
    for user in people:
        nonce = (nonce_commitment(f"nonce of {user}"), "") if str(user) != "Fanni" else ("", "")
        entering.enter(tournament=tournament, user=user, now=START - MINUTE, nonce=nonce)
    return people


def open_nonce(tournament: Tournament, user: User, nonce: str = "") -> None:
    opening.open_nonce(tournament_id=tournament.pk, user_id=user.pk, nonce=nonce or f"nonce of {user}")


class TestNonces:
    def test_opened_nonces_in_order_of_entry_make_the_deals(self, settings: Settings) -> None:
        settings.NONCE_SECONDS = 5
        tournament = cup()
        people = enter_with_nonces(tournament)
        run_clock(START, people)
        assert refreshed(tournament).stage == "announced"
        for user in (people[2], people[0], people[1], people[4]):
            open_nonce(tournament, user)
        run_clock(START + 4 * SECOND, people)
        assert refreshed(tournament).stage == "announced"
        begin_round(START + 6 * SECOND, people)
        nonces = ["nonce of Anna", "nonce of Bela", "nonce of Cyril", "", "nonce of Emil", ""]
        start = match_record.start_event(running_matches()[0].pk)
        assert start.entropy == state_of(tournament).entropy == entropy(nonces)
        assert start.nonces == ()

    def test_tables_begin_at_once_when_all_nonces_are_open(self, settings: Settings) -> None:
        settings.NONCE_SECONDS = 5
        tournament = cup()
        people = enter_with_nonces(tournament)
        run_clock(START, people)
        for user in people[:5]:
            open_nonce(tournament, user)
        begin_round(START + 2 * SECOND, people)
        assert len(running_matches()) == 3

    def test_deals_that_somebody_chose_after_the_entry_are_refused(self, settings: Settings) -> None:
        settings.NONCE_SECONDS = 5
        tournament = cup()
        people = enter_with_nonces(tournament)
        with pytest.raises(Refused, match="starting"):
            open_nonce(tournament, people[0])  # not before entries are closed
        run_clock(START, people)
        for user, nonce in ((people[0], "another"), (people[5], "never committed"), (person("Nobody"), "none")):
            with pytest.raises(Refused, match="starting"):
                open_nonce(tournament, user, nonce)
        with pytest.raises(Refused, match="starting"):
            entering.enter(tournament=tournament, user=person("Late"), now=START + SECOND)
        Entry.objects.filter(user=people[0]).update(nonce="forged in the database")
        run_clock(START + 6 * SECOND, people)
        assert refreshed(tournament).stage == "announced"
        with transaction.atomic():
            locked = commits.lock(tournament.pk)
            start = commands.Start(frozenset("12345"), opening.nonces_of(locked))
            with pytest.raises(Refused, match="bad_request"):
                locked.carry_out(start, START + 6 * SECOND)

    def test_records_with_nonces_are_fair_and_forged_entropy_is_not(self) -> None:
        tournament = cup()
        people = enter_with_nonces(tournament)
        for entry in tournament.entries.exclude(nonce_commitment=""):
            tournament.entries.filter(pk=entry.pk).update(nonce=f"nonce of {entry.name}")
        begin_round(START, people)
        play_boards(tournament, people)
        run_clock(START + 10 * MINUTE)
        match = Match.objects.filter(source="tournament-cup").first()
        assert match is not None
        data = json.loads(json.dumps(exports.to_json_data(exports.read_record(match.pk))))
        forged = json.loads(json.dumps(data))
        forged["events"][0]["entropy"] = entropy(["another"])
        assert verify(import_match(data)) == []
        assert verify(import_match(forged)) != []
        assert verdicts([data, forged]) == ["fair", "unfair"]
