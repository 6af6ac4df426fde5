"""Results of daily boards for templates: numbers with the sign, the minus and the decimal mark of the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from games.daily_boards.content import BoardComparison, BoardResult, DayResults, MonthResults, StandingLine
from games.daily_boards.texts import decimal_text, level_results, percent_text, points_text

if TYPE_CHECKING:
    from games.words import Text


class StandingRow(NamedTuple):
    """A line of a standing, with its numbers as text."""

    line: StandingLine
    percent: str
    loss: str
    error: str


class ResultText(NamedTuple):
    """The result of a person on a board: points, and how much of the field it beat."""

    result: BoardResult
    points: str
    percent: str


class ComparisonText(NamedTuple):
    """A board as its page and its review show it."""

    number: int
    mean: str
    levels: Sequence[tuple[Text, str]]
    own: ResultText | None
    best: ResultText | None


def results_context(results: DayResults) -> dict[str, Any]:
    """Return the context of ``daily_boards/results.html``."""
    return {
        "results": results,
        "rows": [standing_row(line) for line in results.lines],
        "own_row": standing_row(results.own_line) if results.own_line else None,
        "is_own_listed": results.own_line in results.lines,
        "own_percent": percent_text(results.own_share) if results.own_share is not None else "",
        "comparisons": [comparison_text(board) for board in results.boards],
    }


def month_context(month: MonthResults | None) -> dict[str, Any]:
    """Return the context of ``daily_boards/month.html``."""
    if month is None:
        return {}
    extra = [month.own_line] if month.own_line and month.own_line not in month.lines else []
    return {"month": month, "month_rows": [standing_row(line) for line in (*month.lines, *extra)]}


def standing_row(line: StandingLine) -> StandingRow:
    loss = line.loss
    return StandingRow(
        line,
        percent_text(line.result),
        decimal_text(loss.mean) if loss else "",
        decimal_text(loss.error) if loss else "",
    )


def comparison_text(board: BoardComparison) -> ComparisonText:
    return ComparisonText(
        board.number,
        points_text(board.mean),
        level_results(board.levels),
        _result_text(board.own),
        _result_text(board.best),
    )


def _result_text(result: BoardResult | None) -> ResultText | None:
    return None if result is None else ResultText(result, points_text(result.points), percent_text(result.share))
