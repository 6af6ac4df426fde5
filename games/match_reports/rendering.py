"""The report of a match in words, tables and a graph: for those who may know how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.engine.events import Played
from games.html import Html, escape, trusted
from games.match.table import Table
from games.match_reports.plot import Mark, report_plot
from games.match_reports.report import Choice, Report, RoundReport
from games.rendering.moves import move_name
from games.rendering.page import safe
from games.rendering.scores import names_of
from games.rendering.seats import name_of, sides_of
from games.review.past import Past, Step
from games.words import pages
from games.words.lookup import Words, number_text, words_for

CERTAIN = 1.96
"""Standard errors to each side of what is told as ``give or take``."""
AT_THE_TABLE = 3
"""Key moments on the card of the result."""


class KeyMoment(NamedTuple):
    """A choice that cost much: the step before it, where one can ask the bot, that of the move, and both in words."""

    number: int
    made_at: int
    seat: int
    name: SafeString
    made: SafeString
    best: SafeString
    is_same_tile: bool
    loss: str


class PlayerLine(NamedTuple):
    """What the choices of a seat come to; numbers as text."""

    name: SafeString
    lost: str
    choices: int
    average: str
    share: int


class LuckLine(NamedTuple):
    """A seat's result as luck and play, over a round or the match. ``clear``: luck is more than its error."""

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
    """Return the dearest choices of a match, the dearest first."""
    words = words_for(table.variant, language)
    return [_moment(table, choice, past, words) for choice in report.key_moments]


def losses(report: Report | None, past: Past) -> dict[int, str]:
    """Return what the key moments cost, by the steps of their moves."""
    if report is None:
        return {}
    return {step_of(past, choice.seq).number: amount(choice.loss) for choice in report.key_moments}


def report_context(
    table: Table, report: Report, past: Past, *, at: int, seat: int | None, query: str, language: str
) -> dict[str, Any]:
    """Return what ``review/report.html`` shows. ``seat`` is whose luck is told in a sentence, if it is anybody's.

    ``at`` is the step that is shown, ``query`` what the addresses of steps have after their number.
    """
    words = words_for(table.variant, language)
    moments = [_moment(table, choice, past, words) for choice in report.key_moments]
    whole = _luck_lines(table, report.match) if report.match else []
    return {
        "moments": moments,
        "players": [_player(table, report, each) for each in range(table.seat_count)],
        "luck": whole,
        "told": whole[_told_of(report.match, seat)] if report.match else None,
        "rounds": [_round(table, report, each, past) for each in report.rounds],
        "sides": [safe(names) for names in _sides(table, words)],
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
    made, best = said_move(choice.made, words), said_move(choice.best, words)
    return KeyMoment(
        step.number - 1,
        step.number,
        choice.seat,
        safe(name_of(table, choice.seat)),
        safe(made),
        safe(best),
        made == best,
        amount(choice.loss),
    )


def said_move(move: str, words: Words) -> Html:
    """Return a move from its notation in a few words."""
    found = words.rules.layout.read(move)
    if found is None:
        return move_name(move, None, words)
    return move_name("play", Played(0, found[0], found[1], None), words)


def _player(table: Table, report: Report, seat: int) -> PlayerLine:
    found = report.player(seat)
    return PlayerLine(
        safe(name_of(table, seat)),
        amount(found.lost),
        found.choices,
        number_text(round(found.average, 2)),
        round(100 * found.share),
    )


def _luck_lines(table: Table, found: RoundReport) -> list[LuckLine]:
    return [
        LuckLine(
            safe(name_of(table, seat)),
            signed(found.luck[seat]),
            amount(found.luck[seat]),
            amount(CERTAIN * found.error[seat]),
            signed(found.play[seat]),
            signed(found.result[seat]),
            _clearly(found.luck[seat], CERTAIN * found.error[seat]),
        )
        for seat in range(table.seat_count)
    ]


def _clearly(luck: float, error: float) -> int:
    """Return 1 for good luck, -1 for bad luck, 0 for what may be neither."""
    return (luck > error) - (luck < -error) if abs(luck) >= 0.5 else 0


def _told_of(found: RoundReport | None, seat: int | None) -> int:
    """Return the seat whose luck is told: the one that was asked for, or else the one with the greatest luck."""
    if seat is not None or found is None:
        return seat or 0
    return max(range(len(found.luck)), key=lambda each: abs(found.luck[each]))


def _round(table: Table, report: Report, found: RoundReport, past: Past) -> RoundLines:
    within = [step for step in past.steps if step.round == found.number]
    scores = [points for seq, points in report.curve if seq <= within[-1].version]
    return RoundLines(found.number, within[0].number, scores[-1], tuple(_luck_lines(table, found)))


def _sides(table: Table, words: Words) -> Iterable[Html]:
    sides = sides_of(table, words)
    for side in range(max(sides) + 1):
        yield names_of(table, [seat for seat, its in enumerate(sides) if its == side])


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
    """Return what a mark says; the name is escaped already."""
    words = escape(pages.KEY_MOMENT)
    return trusted(words % {"step": moment.number, "name": moment.name, "loss": moment.loss})
