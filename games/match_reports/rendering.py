"""Renders the report of a match as text, tables and a graph, for viewers who may know how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.engine.events import Played
from games.html import Html, escape, trusted
from games.match.table import Table
from games.match_reports.plot import Mark, report_plot
from games.match_reports.report import Choice, Report, RoundReport
from games.rendering.moves import move_name
from games.rendering.page import safe
from games.rendering.scores import side_names
from games.rendering.seats import name_of, sides_of
from games.review.past import Past, Step
from games.words import pages
from games.words.lookup import Words, number_text, words_for
from games.words.names import table_in

CERTAIN = 1.96  # standard errors of luck to each side, shown as "give or take"
AT_THE_TABLE = 3  # key moments on the card of the result


class KeyMoment(NamedTuple):
    """A costly choice, with the move and the best one as text.

    ``number`` is the step before the move, where the bot can be asked; ``made_at`` is the step of the move.
    """

    number: int
    made_at: int
    seat: int
    name: SafeString
    move: SafeString
    best: SafeString
    is_same_tile: bool
    loss: str


class PlayerLine(NamedTuple):
    """The choices of a seat in total, with numbers as text."""

    name: SafeString
    lost: str
    choices: int
    average: str
    share: int


class LuckLine(NamedTuple):
    """A seat's result as luck and play, in a round or the match.

    ``clear`` is 1 for good luck, -1 for bad luck, and 0 if the luck is small or within its error.
    """

    name: SafeString
    luck: str
    size: str
    error: str
    play: str
    result: str
    clear: int


class RoundLines(NamedTuple):
    """A round with its first step, the score of each side after it, and each seat's luck and play."""

    number: int
    first: int
    scores: tuple[int, ...]
    lines: tuple[LuckLine, ...]


def key_moments(table: Table, report: Report, past: Past, language: str) -> list[KeyMoment]:
    """Return the key moments of a match, the costliest first."""
    table, words = table_in(language, table), words_for(table.variant, language)
    return [_moment(table, choice, past, words) for choice in report.key_moments]


def losses(report: Report | None, past: Past) -> dict[int, str]:
    """Return the points lost in the key moments, by the steps of their moves."""
    if report is None:
        return {}
    return {step_of(past, choice.seq).number: amount(choice.loss) for choice in report.key_moments}


def report_context(
    table: Table, report: Report, past: Past, *, at: int, seat: int | None, query: str, language: str
) -> dict[str, Any]:
    """Return the context of ``review/report.html``.

    A sentence states the luck of ``seat``, or else of the seat with the greatest luck. ``at`` is the current step;
    ``query`` follows the number in the addresses of steps.
    """
    words = words_for(table.variant, language)
    moments = key_moments(table, report, past, language)
    whole = report.match
    luck = _luck_lines(table, whole) if whole else []
    if seat is None and whole:
        seat = whole.luck.index(max(whole.luck, key=abs))
    return {
        "moments": moments,
        "players": [_player(table, report, index) for index in range(table.seat_count)],
        "luck": luck,
        "luck_summary": luck[seat or 0] if luck else None,
        "rounds": [_round(table, report, row, past) for row in report.rounds],
        "sides": [safe(names) for names in side_names(table, words)],
        "plot": safe(_plot(table, report, past, moments, at=at, query=query, words=words)),
    }


def step_of(past: Past, seq: int) -> Step:
    """Return the step to which an event of the record belongs."""
    return next(step for step in past.steps if step.version >= seq)


def amount(points: float) -> str:
    """Return points with one decimal: ``31.2``."""
    return number_text(abs(round(points, 1)))


def signed(points: float) -> str:
    """Return points with one decimal and their sign: ``+31.2``."""
    value = round(points, 1)
    return f"{'+' if value > 0 else ''}{number_text(value or 0.0)}"


def _moment(table: Table, choice: Choice, past: Past, words: Words) -> KeyMoment:
    step = step_of(past, choice.seq)
    move, best = move_text(choice.made, words), move_text(choice.best, words)
    return KeyMoment(
        step.number - 1,
        step.number,
        choice.seat,
        safe(name_of(table, choice.seat)),
        safe(move),
        safe(best),
        move == best,
        amount(choice.loss),
    )


def move_text(move: str, words: Words) -> Html:
    """Return a move, given in notation, in a few words."""
    parsed = words.rules.layout.read(move)
    if parsed is None:
        return move_name(move, None, words)
    return move_name("play", Played(0, *parsed, None), words)


def _player(table: Table, report: Report, seat: int) -> PlayerLine:
    player = report.player(seat)
    return PlayerLine(
        safe(name_of(table, seat)),
        amount(player.lost),
        player.choices,
        number_text(round(player.average, 2)),
        round(100 * player.share),
    )


def _luck_lines(table: Table, row: RoundReport) -> list[LuckLine]:
    lines = []
    for seat, (luck, error) in enumerate(zip(row.luck, row.error, strict=True)):
        margin = CERTAIN * error
        clear = (luck > margin) - (luck < -margin) if abs(luck) >= 0.5 else 0
        name, play, result = safe(name_of(table, seat)), signed(row.play[seat]), signed(row.result[seat])
        lines.append(LuckLine(name, signed(luck), amount(luck), amount(margin), play, result, clear))
    return lines


def _round(table: Table, report: Report, row: RoundReport, past: Past) -> RoundLines:
    within = [step for step in past.steps if step.round == row.number]
    scores = [points for seq, points in report.curve if seq <= within[-1].version]
    return RoundLines(row.number, within[0].number, scores[-1], tuple(_luck_lines(table, row)))


def _plot(
    table: Table, report: Report, past: Past, moments: Sequence[KeyMoment], *, at: int, query: str, words: Words
) -> Html:
    if not report.curve:
        return Html("")
    curve = [(step_of(past, min(seq, past.steps[-1].version)).number, points) for seq, points in report.curve]
    lines = [[(number, points[side]) for number, points in curve] for side in range(len(curve[0][1]))]
    sides = sides_of(table, words)
    marks = [Mark(sides[moment.seat], moment.made_at, moment.number, _mark_text(moment)) for moment in moments]
    rounds = sorted(past.rounds().values())
    label = escape(pages.SCORE_PLOT)
    return report_plot(lines, rounds, marks, last=past.last, at=at, query=escape(query), label=label)


def _mark_text(moment: KeyMoment) -> Html:
    """Return the label of a mark. The name is already escaped."""
    return trusted(escape(pages.KEY_MOMENT) % {"step": moment.number, "name": moment.name, "loss": moment.loss})
