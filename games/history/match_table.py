"""The table of a person's matches for spreadsheets: CSV with one line per match (docs/records.md)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from datetime import UTC, timedelta
from functools import partial
from typing import NamedTuple

from django.urls import reverse
from django.utils import translation

from games.engine.options import LENGTH_OPTION
from games.engine.variants import rules_for
from games.enums import Status
from games.history.match_figures import Evaluation, MatchFigures, match_figures
from games.match import disclosure, record
from games.match.listed import FinishedMatch, FinishedPlayer
from games.models import RatingChange
from games.ratings import disclosed_ratings
from games.ratings.skill import Skill
from games.records.exports import stream_in_turns
from games.words import words_of
from games.words.length import LENGTH_NAMES, length_of
from games.words.names import translated_name
from games.words.table import seats_choice, unusual_terms

MATCHES_PER_READ = 5  # holds the shared database thread for some 20 ms
BYTE_ORDER_MARK = "\ufeff"  # without it Excel reads UTF-8 as another encoding
SHARE_DECIMALS = 3
COLUMNS = (
    *("finished_at", "game", "table", "opponents", "partners", "result", "place", "ahead_of"),
    *("own_points", "other_points", "choices", "chance_lost", "points_lost", "luck", "play", "seconds_used"),
    *("rating_before", "rating_after", "link"),
)
# Spreadsheets take a cell that begins like this for a formula, also after a mark at which some of them split cells.
FORMULA_START = re.compile(r"(^|[,;|\t\r\n])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")

Cell = str | int | float | None


class TableRow(NamedTuple):
    """A match of a person with the time used for moves, and the change of the rating, if there is one."""

    figures: MatchFigures
    time_used: timedelta | None
    change: RatingChange | None


async def stream_table(match_ids: Sequence[int], person_id: int, *, origin: str, language: str) -> AsyncIterator[str]:
    """Yield the table of these matches in parts, for a reader of this language. ``origin`` begins the links."""
    yield BYTE_ORDER_MARK + csv_text([COLUMNS])
    parts = (match_ids[start : start + MATCHES_PER_READ] for start in range(0, len(match_ids), MATCHES_PER_READ))
    read_part, write_part = partial(read_rows, person_id), partial(write_rows, origin=origin, language=language)
    async for text in stream_in_turns(parts, read_part, write_part):
        yield text


def read_rows(person_id: int, match_ids: Sequence[int]) -> list[TableRow]:
    """Read matches of a person."""
    times = record.time_used(match_ids)
    changes = disclosure.disclosed_rating_changes().filter(user=person_id, match__in=match_ids)
    change_by_match = {change.match_id: change for change in changes}
    rows = []
    for figures in match_figures(match_ids, person_id):
        match_id = figures.match.match_id
        rows.append(TableRow(figures, times[match_id].get(figures.own.seat), change_by_match.get(match_id)))
    return rows


def write_rows(rows: Iterable[TableRow], *, origin: str, language: str) -> str:
    """Return the lines of these matches."""
    with translation.override(language):
        return csv_text([_cells(row, origin, language) for row in rows])


def csv_text(rows: Iterable[Iterable[Cell]]) -> str:
    """Return rows as CSV. Texts never begin like a formula.

    >>> csv_text([["=1+1, Ann", -5, None]])
    '"\\'=1+1, Ann",-5,\\r\\n'
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerows([harmless_text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return buffer.getvalue()


def harmless_text(text: str) -> str:
    """Return a text with an apostrophe where a spreadsheet could take a part of it for a formula.

    >>> harmless_text("Ann;=1+1"), harmless_text("Jean-Luc")
    ("Ann;'=1+1", 'Jean-Luc')
    """
    return FORMULA_START.sub(r"\1\2'", text)


def _cells(row: TableRow, origin: str, language: str) -> Iterator[Cell]:
    """Yield the cells in the order of ``COLUMNS``."""
    figures, match = row.figures, row.figures.match
    beaten_opponents_share, evaluation = figures.beaten_opponents_share, figures.evaluation
    yield match.finished_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield str(words_of(match.variant).name)
    yield _table_text(match)
    yield _names((player for side in figures.opponents for player in side.players), language)
    yield _names(figures.partners, language)
    yield figures.own.outcome or Status.VOID.value
    yield figures.place
    yield None if beaten_opponents_share is None else round(beaten_opponents_share, SHARE_DECIMALS)
    yield figures.own_side.standing.points if figures.own_side.standing else None
    yield _other_points(figures)
    yield from evaluation or [None] * len(Evaluation._fields)
    yield round(row.time_used.total_seconds()) if row.time_used is not None else None
    yield from _ratings(row.change)
    yield f"{origin}{reverse('match-review', args=[match.slug])}"


def _table_text(match: FinishedMatch) -> str:
    """Return the number of players, the length, and what is unusual at the table."""
    seats = sum(len(side.players) for side in match.sides)
    has_lengths = LENGTH_OPTION in rules_for(match.variant).options
    lengths = [LENGTH_NAMES[length_of(dict(match.agreed.options))]] if has_lengths else []
    return ", ".join(str(part) for part in (seats_choice(seats), *lengths, *unusual_terms(match.agreed)))


def _names(players: Iterable[FinishedPlayer], language: str) -> str:
    return ", ".join(translated_name(language, player.name) for player in players)


def _other_points(figures: MatchFigures) -> Cell:
    """Return the points of the other sides: a number, or several with spaces between them."""
    points = {side.number: side.standing.points for side in figures.opponents if side.standing}
    return next(iter(points.values())) if len(points) == 1 else " ".join(map(str, points.values()))


def _ratings(change: RatingChange | None) -> tuple[Cell, Cell]:
    if change is None:
        return None, None
    return Skill(change.mu_before, change.sigma_before).rating, disclosed_ratings.skill_after(change).rating
