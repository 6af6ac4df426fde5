"""The record: what was written is what is read, and a state is the same however it is folded."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from games.engine.events import Event, Passed
from games.engine.evolve import fold
from games.match import record
from games.models import Match
from games.services import play
from infrastructure.runtime import Runtime
from tests.games import tables

pytestmark = pytest.mark.stack
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def match(db: None) -> Match:
    """A match in its third round."""
    match = tables.running_table([tables.person(), tables.person()])
    for _ in range(2):
        tables.play_round(match)
        play.start_next_round(tables.locked_row(match), NOW)
    tables.make_first_move(match)
    return match


def events_of(match: Match) -> list[Event]:
    return [event for _seq, event, _at in record.read_events(match.pk)]


def test_events_are_numbered_from_one_without_a_gap(match: Match) -> None:
    numbers = [seq for seq, _event, _at in record.read_events(match.pk)]
    assert numbers == list(range(1, tables.locked_row(match).version + 1))


def test_incremental_state_equals_the_folded_record(match: Match) -> None:
    events = events_of(match)
    for version in range(1, len(events) + 1):
        assert record.load_state(match.pk, version) == fold(events[:version])


def test_cached_state_is_updated_by_events_of_other_processes(match: Match) -> None:
    row = tables.locked_row(match)
    Runtime.current = Runtime()
    old = record.state_of(match.pk, row.version)
    tables.make_first_move(match)
    newer = tables.locked_row(match)
    assert newer.version > row.version
    assert record.state_of(match.pk, newer.version) == fold(events_of(match))
    assert old == fold(events_of(match)[: row.version])


def test_sequence_numbers_are_unique(match: Match) -> None:
    row = tables.locked_row(match)
    with pytest.raises(IntegrityError), transaction.atomic():
        record.append(match.pk, row.version - 1, [Passed(0, 1)], NOW)
    assert record.append(match.pk, row.version, [Passed(0, 1)], NOW) == row.version + 1


def test_a_record_without_a_start_is_an_error() -> None:
    with pytest.raises(record.RecordTooShort):
        record.load_state(10**6)
    with pytest.raises(record.RecordTooShort):
        record.start_event(10**6)
