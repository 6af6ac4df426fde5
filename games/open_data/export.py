"""The export of a month, batch by batch, so that a month of any size needs little memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime

import structlog
from django.utils import timezone

from games.open_data import months, selection
from games.open_data.codes import MonthCodes
from games.open_data.content import MatchContent, write_matches
from games.open_data.files import FileInfo, MonthFiles
from games.open_data.source import SourceMatch

log = structlog.get_logger()


class MonthReader:
    """Reads the matches of a month under a lease. Its codes are gone once it is."""

    def __init__(self, month: date, leased_until: datetime) -> None:
        self.month, self.leased_until = month, leased_until
        self.codes = MonthCodes()
        self.batches = selection.batches_of_month(month, self.codes)

    def read_batch(self) -> list[SourceMatch] | None:
        """Return the next matches, None after the last. Raises LeaseLost."""
        self.leased_until = months.renew_lease(self.month, self.leased_until, timezone.now())
        batch = next(self.batches, None)
        return None if batch is None else selection.load_matches(batch, self.codes)


def add_matches(files: MonthFiles, matches: Iterable[MatchContent]) -> None:
    """Append matches to the files. One that today's rules do not reproduce is only logged."""
    for match in matches:
        if match.fault:
            log.error("open_data_match_failed", match=match.match_id, fault=match.fault)
        else:
            files.add(match)


def export_month(month: date, leased_until: datetime) -> list[FileInfo]:
    """Make the files of a month in this process, and list them. Raises LeaseLost or OSError."""
    reader = MonthReader(month, leased_until)
    with MonthFiles(month) as files:
        for batch in _batches(reader):
            add_matches(files, write_matches(batch))
        infos = files.finish()
        months.list_files(month, infos, timezone.now())
        return infos


def _batches(reader: MonthReader) -> Iterator[list[SourceMatch]]:
    while (batch := reader.read_batch()) is not None:
        yield batch
