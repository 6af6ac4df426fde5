"""The events of a tournament in the database: they come back as they were, and two writers cannot both append."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from games.match.moments import milliseconds, moment_of
from games.models import Tournament
from games.tournaments import record
from games.tournaments.core import commands
from games.tournaments.core.decide import decide, new_tournament
from games.tournaments.core.evolve import fold
from games.tournaments.core.terms import Terms

STARTS_AT = datetime(2026, 3, 14, 18, 0, 0, 123_000, tzinfo=UTC)


@pytest.fixture
def tournament() -> Tournament:
    row = Tournament.objects.create(format="swiss", variant="kozel", seat_count=2, starts_at=STARTS_AT)
    terms = Terms("swiss", sides=2, starts_at=milliseconds(STARTS_AT), usual_minutes=5)
    row.version = record.append(row.pk, 0, [new_tournament(terms, 1_000)])
    row.save()
    return row


def test_events_come_back_as_they_were(tournament: Tournament) -> None:
    state = record.state_of(tournament.pk, 1)
    events = decide(state, commands.Enter("1", ("1",)), milliseconds(STARTS_AT))
    assert record.append(tournament.pk, 1, events) == 2
    assert record.events(tournament.pk)[1:] == list(events)
    assert record.state_of(tournament.pk, 2) == fold(record.events(tournament.pk))
    assert tournament.events.get(seq=2).at == STARTS_AT


def test_a_number_is_written_once(tournament: Tournament) -> None:
    event = record.events(tournament.pk)[0]
    record.append(tournament.pk, 1, [event])
    with pytest.raises(IntegrityError), transaction.atomic():
        record.append(tournament.pk, 1, [event])


def test_an_older_version_is_folded_again(tournament: Tournament) -> None:
    state = record.state_of(tournament.pk, 1)
    record.append(tournament.pk, 1, decide(state, commands.Cancel("few", ""), 2_000))
    assert record.state_of(tournament.pk, 2).stage == "cancelled"
    assert record.state_of(tournament.pk, 1).stage == "announced"


def test_times_are_whole_milliseconds() -> None:
    assert milliseconds(STARTS_AT + timedelta(microseconds=999)) == milliseconds(STARTS_AT)
    assert moment_of(milliseconds(STARTS_AT)) == STARTS_AT
