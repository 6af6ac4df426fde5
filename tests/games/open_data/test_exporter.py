"""The clock makes the files of a month once, whatever the number of clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest
import time_machine
from django.test import override_settings
from django.utils import timezone

from games.broadcast.database_threads import in_database
from games.models import OpenDataMonth
from games.open_data import export, months
from games.open_data.checks import folder_faults
from games.open_data.exporter import OpenDataExporter
from games.open_data.files import folder_of_month
from tests.games.open_data.month import EXPORTED_AT, lines_of, planted_person, play_match

OCTOBER = date(2026, 10, 1)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with override_settings(OPEN_DATA_DIR=tmp_path):
        yield tmp_path


def play_in(month: date) -> None:
    with time_machine.travel(datetime.combine(month + timedelta(days=14), time(), UTC), tick=False):
        play_match([planted_person("Ann"), planted_person("Ben")])


@pytest.mark.django_db(transaction=True)
async def test_two_clocks_make_a_month_once() -> None:
    month = months.month_due(timezone.now())
    await in_database(play_in, month)
    exporters = [OpenDataExporter(), OpenDataExporter()]
    assert sorted(await asyncio.gather(*(exporter.make_due_month() for exporter in exporters))) == [False, True]
    assert not await exporters[0].make_due_month()
    assert list(folder_faults(folder_of_month(month))) == []
    assert len(lines_of(folder_of_month(month))) == 1
    row = await in_database(OpenDataMonth.objects.get)
    assert (row.month, len(row.files), row.leased_until) == (month, 4, None)


@pytest.mark.django_db
def test_dead_process_loses_its_lease_and_its_files(folder: Path) -> None:
    play_in(OCTOBER)
    leased_until = months.lease_month(OCTOBER, EXPORTED_AT)
    assert leased_until is not None
    assert months.lease_month(OCTOBER, EXPORTED_AT + timedelta(minutes=9)) is None
    assert months.lease_month(OCTOBER, EXPORTED_AT + timedelta(minutes=10)) is not None
    with pytest.raises(months.LeaseLost):
        export.export_month(OCTOBER, leased_until)
    assert list(folder.iterdir()) == []
    assert months.listed_months() == []


def test_month_is_due_a_day_after_its_end() -> None:
    moments = [
        datetime(2026, 11, 1, 23, tzinfo=UTC),
        datetime(2026, 11, 2, tzinfo=UTC),
        datetime(2027, 1, 2, tzinfo=UTC),
    ]
    assert [str(months.month_due(now)) for now in moments] == ["2026-09-01", "2026-10-01", "2026-12-01"]
