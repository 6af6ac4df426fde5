"""Renders the report of a match as text, tables and a graph, for viewers who may know how it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.engine.events import Played
from games.explanations.rendering import explanation
from games.html import Html, escape, mark_trusted
from games.match.table import Table
from games.match_reports.plot import PlotMark, report_plot
from games.match_reports.report import Choice, Report, RoundReport
from games.rendering.chances import chance_label
from games.rendering.moves import move_name
from games.rendering.page import as_safe_string
from games.rendering.scores import side_names
from games.rendering.seats import name_of, sides_of
from games.review.match_steps import MatchSteps, Step
from games.words import page_labels
from games.words.lookup import Words, number_text, words_for
from games.words.names import table_with_translated_names

# The winning chances of each side in percent, after the event with this number.
SideChances = Sequence[tuple[int, tuple[int, ...]]]

MARGIN_IN_STANDARD_ERRORS = 1.96  # for the ± figures of luck
MAX_MOMENTS_ON_CARD = 3  # key moments on the card of the result


class KeyMoment(NamedTuple):
    """A costly choice, with the move and the best one as text.

    ``number`` is the step before the move, where the bot can be asked; ``move_step`` is the step of the move. The
    chances are whole percentages; ``points`` is what the best move would have gained more, with its sign. ``reasons``
    are sentences that say why the best move is better.
    """

    number: int
    move_step: int
    seat: int
    name: SafeString
    move: SafeString
    best: SafeString
    is_same_tile: bool
    is_about_goat: bool
    loss: int
    chance: int
    best_chance: int
    points: str
    reasons: tuple[str, ...]


class PlayerLine(NamedTuple):
    """The choices of a seat in total: whole percentages of the chance to win, and points as text."""

    name: SafeString
    chance_lost: int
    lost: int
    choices: int
    best_share: int


class LuckLine(NamedTuple):
    """A seat's result in a round or the match, and its parts in whole points, which add up to it.

    ``luck_sign`` is 1 for good luck, -1 for bad luck, and 0 if the luck is small or within its error.
    """

    name: SafeString
    luck: str
    luck_size: int
    error: int
    choices: str
    rest: str
    result: str
    luck_sign: int


class RoundLines(NamedTuple):
    """A round with its first step, the score and the chance of each side after it, and each seat's luck and play."""

    number: int
    first: int
    scores: tuple[int, ...]
    chances: tuple[SafeString, ...]
    lines: tuple[LuckLine, ...]


def key_moments(
    table: Table, report: Report, match_steps: MatchSteps, language: str, *, reader: int | None
) -> list[KeyMoment]:
    """Return the key moments of a match, the costliest first. The reader sits at the seat ``reader``."""
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    return [_key_moment(table, choice, match_steps, words, reader) for choice in report.key_moments]


def loss_by_step(report: Report | None, match_steps: MatchSteps) -> dict[int, str]:
    """Return the percentages of the chance to win lost in the key moments, by the steps of their moves."""
    if report is None:
        return {}
    moments = report.key_moments
    return {step_of_event(match_steps, choice.seq).number: str(chance_percents(choice)[2]) for choice in moments}


def report_context(
    table: Table,
    report: Report,
    match_steps: MatchSteps,
    *,
    current_step: int,
    seat: int | None,
    reader: int | None,
    query_suffix: str,
    language: str,
) -> dict[str, Any]:
    """Return the context of ``review/match_report.html``. The reader sits at the seat ``reader``, if at any.

    A sentence states the luck of ``seat``, or else of the seat with the greatest luck. ``query_suffix`` follows the
    number in the addresses of steps.
    """
    words = words_for(table.variant, language)
    moments = key_moments(table, report, match_steps, language, reader=reader)
    match_total = report.match_total
    luck = _luck_lines(table, match_total) if match_total else []
    stated_seat = _seat_with_most_luck(match_total) if seat is None and match_total else seat or 0
    draw = partial(_plot, table, match_steps, current_step=current_step, query_suffix=query_suffix, words=words)
    chances = _chances_by_side(table, report, words)
    return _plots(report, chances, draw, moments, words) | {
        "moments": moments,
        "players": [_player_line(table, report, index) for index in range(table.seat_count)],
        "disagreement": _points_and_chance_losers(table, report),
        "is_about_goat": words.rules.are_points_bad,
        "luck": luck,
        "luck_summary": luck[stated_seat] if luck else None,
        "rounds": [_round_lines(table, report, row, match_steps, words, chances=chances) for row in report.rounds],
        "sides": [as_safe_string(names) for names in side_names(table, words)],
    }


def _plots(
    report: Report, chances: SideChances, draw: Callable[..., Html], moments: Sequence[KeyMoment], words: Words
) -> dict[str, SafeString]:
    """Return the graphs of the score and of the chances, and the label of the chances."""
    label = chance_label(words)
    return {
        "score_plot": as_safe_string(draw(report.curve, moments=moments, label=escape(page_labels.SCORE_PLOT))),
        "chance_plot": as_safe_string(draw(chances, label=label, top=100)),
        "chance_label": as_safe_string(label),
    }


def step_of_event(match_steps: MatchSteps, seq: int) -> Step:
    """Return the step to which an event of the record belongs."""
    return next(step for step in match_steps.steps if step.version >= seq)


def chance_percents(choice: Choice) -> tuple[int, int, int]:
    """Return the chance after a move, that after the best one, and their difference, as whole percentages.

    >>> chance_percents(Choice(9, 0, 3.0, "4-3 left", "3-1 left", chance_loss=0.338, chance=0.259))
    (26, 60, 34)
    """
    chance, best_chance = round(100 * choice.chance), round(100 * choice.best_chance)
    return chance, best_chance, best_chance - chance


def signed_points(points: float) -> str:
    """Return whole points with their sign: ``+31``."""
    value = round(points)
    return f"{'+' if value > 0 else ''}{number_text(value)}"


def _key_moment(table: Table, choice: Choice, match_steps: MatchSteps, words: Words, reader: int | None) -> KeyMoment:
    step = step_of_event(match_steps, choice.seq)
    move_text, best_text = describe_notation(choice.made, words), describe_notation(choice.best, words)
    chance, best_chance, loss = chance_percents(choice)
    return KeyMoment(
        step.number - 1,
        step.number,
        choice.seat,
        as_safe_string(name_of(table, choice.seat)),
        as_safe_string(move_text),
        as_safe_string(best_text),
        is_same_tile=move_text == best_text,
        is_about_goat=words.rules.are_points_bad,
        loss=loss,
        chance=chance,
        best_chance=best_chance,
        points=signed_points(choice.loss),
        reasons=tuple(explanation(choice.facts, table, words, better=choice.best, worse=choice.made, reader=reader)),
    )


def describe_notation(move: str, words: Words) -> Html:
    """Return a move in words, given its notation."""
    parsed = words.rules.layout.read(move)
    if parsed is None:
        return move_name(move, None, words)
    return move_name("play", Played(0, *parsed, None), words)


def _player_line(table: Table, report: Report, seat: int) -> PlayerLine:
    player = report.player_report(seat)
    return PlayerLine(
        as_safe_string(name_of(table, seat)),
        player.percent_lost,
        round(player.lost),
        player.choices,
        round(100 * player.best_share),
    )


def _points_and_chance_losers(table: Table, report: Report) -> tuple[SafeString, SafeString] | None:
    """Return two players: the first lost more points by choices, and the second more of the chance."""
    seats = report.seats_with_opposite_losses(table.seat_count)
    if seats is None:
        return None
    points_loser, chance_loser = seats
    return as_safe_string(name_of(table, points_loser)), as_safe_string(name_of(table, chance_loser))


def _seat_with_most_luck(match_total: RoundReport) -> int:
    """Return the seat with the most luck, good or bad."""
    return match_total.luck.index(max(match_total.luck, key=abs))


def _luck_lines(table: Table, row: RoundReport) -> list[LuckLine]:
    return [_luck_line(table, row, seat) for seat in range(table.seat_count)]


def _luck_line(table: Table, row: RoundReport, seat: int) -> LuckLine:
    """Round the parts so that they add up to the result."""
    luck, choices, result = round(row.luck[seat]), round(row.choices[seat]), round(row.result[seat])
    error_margin = ceil(MARGIN_IN_STANDARD_ERRORS * row.error[seat])
    return LuckLine(
        as_safe_string(name_of(table, seat)),
        luck=signed_points(luck),
        luck_size=abs(luck),
        error=error_margin,
        choices=signed_points(choices),
        rest=signed_points(result - luck - choices),
        result=signed_points(result),
        luck_sign=(luck > error_margin) - (luck < -error_margin),
    )


def _round_lines(
    table: Table, report: Report, row: RoundReport, match_steps: MatchSteps, words: Words, *, chances: SideChances
) -> RoundLines:
    steps = [step for step in match_steps.steps if step.round == row.number]
    scores = [points for seq, points in report.curve if seq <= steps[-1].version]
    until_end = [by_side for seq, by_side in chances if seq <= steps[-1].version]
    percentages = [words.fill("percentage", number=chance) for chance in until_end[-1]] if until_end else []
    return RoundLines(
        row.number,
        steps[0].number,
        scores[-1],
        tuple(map(as_safe_string, percentages)),
        tuple(_luck_lines(table, row)),
    )


def _chances_by_side(table: Table, report: Report, words: Words) -> SideChances:
    """Return the chances of a report by side instead of by seat. Partners share theirs."""
    seats = {side: seat for seat, side in enumerate(sides_of(table, words))}
    return [(seq, tuple(chances[seats[side]] for side in sorted(seats))) for seq, chances in report.chances]


def _plot(
    table: Table,
    match_steps: MatchSteps,
    values: Sequence[tuple[int, tuple[int, ...]]],
    *,
    moments: Sequence[KeyMoment] = (),
    current_step: int,
    query_suffix: str,
    words: Words,
    label: Html,
    top: int = 1,
) -> Html:
    """Return the graph of values of the sides, which changed with the events of these numbers."""
    if not values:
        return Html("")
    last_version = match_steps.steps[-1].version
    curve = [(step_of_event(match_steps, min(seq, last_version)).number, row) for seq, row in values]
    lines = [[(number, row[side]) for number, row in curve] for side in range(len(curve[0][1]))]
    sides = sides_of(table, words)
    marks = [PlotMark(sides[moment.seat], moment.move_step, moment.number, _mark_text(moment)) for moment in moments]
    rounds = sorted(match_steps.round_starts().values())
    return report_plot(
        lines,
        rounds,
        marks,
        last_step=match_steps.last_number,
        current_step=current_step,
        query_suffix=escape(query_suffix),
        label=label,
        top=top,
    )


def _mark_text(moment: KeyMoment) -> Html:
    """Return the label of a mark. The name is already escaped."""
    return mark_trusted(
        escape(page_labels.KEY_MOMENT) % {"step": moment.number, "name": moment.name, "loss": moment.loss}
    )
