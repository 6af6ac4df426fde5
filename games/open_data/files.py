"""The files of a month: they are written into a folder next to the final one, which appears once it is complete."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import tempfile
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import BinaryIO, NamedTuple

from django.conf import settings

from games.open_data.content import MatchContent, choice_table_head

SUMS = "SHA256SUMS"
COMPRESSION_LEVEL = 6
CHUNK_BYTES = 65_536
# The ends of the names of a game's files.
RECORDS, TRANSCRIPTS, CHOICES = "jsonl.gz", "txt.gz", "choices.csv.gz"


class FileInfo(NamedTuple):
    """A file as the site lists it. ``kind`` is ``records``, ``transcripts``, ``choices`` or ``sums``.

    ``lines`` counts the matches, or the choices.
    """

    name: str
    variant: str
    kind: str
    lines: int
    size: int
    sha256: str


def month_name(month: date) -> str:
    """Return the name of a month in addresses and files.

    >>> month_name(date(2026, 10, 1))
    '2026-10'
    """
    return f"{month:%Y-%m}"


def folder_of_month(month: date) -> Path:
    return Path(settings.OPEN_DATA_DIR) / month_name(month)


class CompressedFile:
    """A gzip file without a name and time in its head. ``lines`` are counted."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines = path, 0
        self.raw: BinaryIO = path.open("wb")
        self.file = gzip.GzipFile("", "wb", COMPRESSION_LEVEL, self.raw, mtime=0)

    def write(self, text: str, lines: int) -> None:
        self.file.write(text.encode())
        self.lines += lines

    def close(self) -> None:
        self.file.close()
        self.raw.close()


class MonthFiles:
    """The files of a month while they are written. It is a context manager: after an error they are deleted."""

    def __init__(self, month: date) -> None:
        self.target = folder_of_month(month)
        self.target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix=f".{self.target.name}-", dir=self.target.parent))
        self.files: dict[tuple[str, str], CompressedFile] = {}

    def __enter__(self) -> MonthFiles:
        return self

    def __exit__(self, *_error: object) -> None:
        for file in self.files.values():
            with suppress(OSError):  # on a full disk
                file.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, match: MatchContent) -> None:
        """Append a match to the three files of its game."""
        self._file(match.variant, RECORDS).write(match.line, 1)
        self._file(match.variant, TRANSCRIPTS).write(match.transcript, 1)
        choices = self._file(match.variant, CHOICES)
        if choices.file.tell() == 0:
            choices.write(choice_table_head(), 0)
        choices.write(match.choices, match.choices.count("\n"))

    def _file(self, variant: str, ending: str) -> CompressedFile:
        key = (variant, ending)
        if key not in self.files:
            separator = "-" if ending == CHOICES else "."
            self.files[key] = CompressedFile(self.folder / f"{variant}-{self.target.name}{separator}{ending}")
        return self.files[key]

    def finish(self) -> list[FileInfo]:
        """Close the files, write their sums, and put all of them in the place of the month's older ones."""
        rows = [self._finish_file(*key, file) for key, file in sorted(self.files.items())]
        if rows:
            rows.append(self._write_sums(rows))
        shutil.rmtree(self.target, ignore_errors=True)
        if rows:
            self.folder.rename(self.target)
        return rows

    def _finish_file(self, variant: str, ending: str, file: CompressedFile) -> FileInfo:
        file.close()
        kind = {RECORDS: "records", TRANSCRIPTS: "transcripts", CHOICES: "choices"}[ending]
        return FileInfo(file.path.name, variant, kind, file.lines, file.path.stat().st_size, sha256_of(file.path))

    def _write_sums(self, rows: list[FileInfo]) -> FileInfo:
        path = self.folder / SUMS
        path.write_text("".join(f"{row.sha256}  {row.name}\n" for row in rows))
        return FileInfo(SUMS, "", "sums", len(rows), path.stat().st_size, sha256_of(path))


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
