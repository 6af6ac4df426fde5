"""Score tables, and the sheet next to the table with one line for each round.

A cell of the score table has the form of the rulebooks: the score before on top, this round above the bar, the total
below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType

from games.engine.events import MatchEnded, Points, RoundEnded, Standing, Term
from games.engine.view import View
from games.html import EMPTY_HTML, Html, escape
from games.match.table import Table
from games.rendering.addresses import page_address
from games.rendering.moves import signed_points
from games.rendering.seats import name_of, sides_of
from games.rendering.sprites import symbol_icon
from games.rendering.standing import standing_score
from games.words.lookup import Words, number_text

PARTNER_SEPARATOR, PARTNER_LINE_BREAK = Html(" + "), Html(" +<br>")
MAX_HEAD_CHARACTERS = 36  # the longest word of the headings, times their number, that fits a narrow table


def newest_round(table: Table, view: View | None, words: Words) -> Html:
    """Return the line of the last finished round, for the page to append to its sheet (js/beside.js).

    Before that, return the head of the sheet, because the players may have changed since the page was loaded. At the
    end of a match of a series the head is returned, too: it counts the wins.
    """
    line = _round_line(view.rounds[-1], words) if view is not None and view.rounds else EMPTY_HTML
    has_more_wins = bool(table.wins) and view is not None and view.match_over is not None
    head = _sheet_head(table, view, words) if has_more_wins or not line else EMPTY_HTML
    return Html(f'<table id="scores" hidden>{head}<tbody>{line}</tbody></table>')


def score_sheet(table: Table, view: View | None, words: Words) -> Html:
    """Return a line for each finished round: the points of each side, and its score."""
    lines = Html("".join([_round_line(round_end, words) for round_end in (view.rounds if view is not None else ())]))
    return _score_table_html(_sheet_head(table, view, words), lines, words["score_table"], Html(' id="score-lines"'))


def _sheet_head(table: Table, view: View | None, words: Words) -> Html:
    """Return the names of the sides, in a series of rematches with the matches that they have won."""
    headings = side_headings(table, words)
    if not table.wins:
        return _head(headings, words)
    sides, match_end = sides_of(table, words), None if view is None else view.match_over
    first_seats = [sides.index(side) for side in range(len(headings))]
    return _head(headings, words, [words.count("wins", _wins(table, match_end, seat)) for seat in first_seats])


def _wins(table: Table, match_end: MatchEnded | None, seat: int) -> int:
    """Return the matches of the series that the player at a seat has won with this one."""
    if match_end is None or not match_end.places:
        return table.wins[seat]
    lost = seat in match_end.losers if match_end.losers else match_end.places[seat] > 1
    return table.wins[seat] + (not lost)


def score_table(
    table: Table, rounds: Iterable[RoundEnded], words: Words, links: Mapping[int, Html] = MappingProxyType({})
) -> Html:
    """Return the table of these rounds. The points open into their terms.

    ``links`` are addresses by the number of a round.
    """
    rows = [_round_row(round_end, words, links.get(round_end.round, EMPTY_HTML)) for round_end in rounds]
    return _score_table_html(_head(side_headings(table, words), words), Html("".join(rows)), words["score_table"])


def all_rounds_link(slug: str, words: Words) -> Html:
    """Return the link to the page of all rounds, "" for a table without an address."""
    return Html(f'<p><a href="{page_address("match-scores", slug)}">{words["all_rounds"]}</a></p>' if slug else "")


def side_name(table: Table, seats: Iterable[int]) -> Html:
    """Return the escaped names of the seats of one side."""
    return Html(PARTNER_SEPARATOR.join([name_of(table, seat) for seat in seats]))


def side_names(table: Table, words: Words) -> list[Html]:
    """Return the escaped names of the players of each side."""
    sides = sides_of(table, words)
    return [
        side_name(table, [seat for seat, side in enumerate(sides) if side == number])
        for number in range(max(sides) + 1)
    ]


def side_headings(table: Table, words: Words) -> tuple[Html, ...]:
    """Return the escaped names of each side, a line for each partner."""
    sides = sides_of(table, words)
    return tuple(
        Html(PARTNER_LINE_BREAK.join([name_of(table, seat) for seat, own in enumerate(sides) if own == side]))
        for side in range(max(sides) + 1)
    )


def expandable_points(number: Html, points: Points, words: Words, *, name: Html, title: Html, reset: str = "") -> Html:
    """Return a number that opens into its terms, one line for each rule, under a title.

    ``name`` is an id, ``reset`` the id of the rule that set the score to 0, or "".
    """
    terms = [
        Html(f"<span>{'<br>'.join(map(_term_text, terms))} {words.rule(rule)}</span>")
        for rule, terms in groupby(points.terms, key=attrgetter("rule"))
    ]
    if reset:
        terms.append(Html(f"<span>{words['set_to_zero']} {words.rule(reset)}</span>"))
    return Html(
        f'<button popovertarget="{name}">{number}</button>'
        f'<span id="{name}" popover><b>{title}: {number}</b>{"".join(terms)}</span>'
    )


def _score_table_html(head: Html, rows: Html, caption: Html, body_id: Html = EMPTY_HTML) -> Html:
    return Html(
        f'<div class="scroll-x"><table class="score-table"><caption>{caption}</caption>'
        f"{head}<tbody{body_id}>{rows}</tbody></table></div>"
    )


def _head(names: Sequence[Html], words: Words, notes: Sequence[Html] = ()) -> Html:
    """Return the head of a table with a column for each side, and below each name its note, if there are notes."""
    notes = [Html(f" <small>{note}</small>") for note in notes] or [EMPTY_HTML] * len(names)
    cells = [Html(f'<th scope="col">{name}{note}</th>') for name, note in zip(names, notes, strict=True)]
    heads = Html(f'<th scope="col">{words["round_heading"]}</th>{"".join(cells)}')
    longest = max((len(word) for name in names for word in name.split()), default=0)
    crowded = Html(' class="crowded"' if longest * len(names) > MAX_HEAD_CHARACTERS else "")
    return Html(f"<thead{crowded}><tr>{heads}</tr></thead>")


def _round_line(round_end: RoundEnded, words: Words) -> Html:
    """Return the line of a round. The cache key has only the visible numbers, since hashing all terms is slow."""
    gained = tuple([points.total for points in round_end.points])
    if round_end.made:
        gained = tuple([total + moves.total for total, moves in zip(gained, round_end.made, strict=True)])
    return _cached_round_line(round_end.round, round_end.reason, gained, round_end.standing, words)


@lru_cache(maxsize=2048)
def _cached_round_line(
    number: int, reason: str, gained: tuple[int, ...], standing: tuple[Standing, ...], words: Words
) -> Html:
    mark = _end_sign(reason, words)
    cells = [
        Html(f"<td><small>{signed_points(points)}</small> {standing_score(score, words)}</td>")
        for points, score in zip(gained, standing, strict=True)
    ]
    return Html(f'<tr data-number="{number}"><th scope="row">{number}{mark}</th>{"".join(cells)}</tr>')


def _end_sign(reason: str, words: Words) -> Html:
    """Return the sign of the reason that ended a round, "" for a reason without one."""
    sign = words.signs.get(reason)
    return EMPTY_HTML if sign is None else Html(f"{symbol_icon(sign)}<i> {sign.name}</i>")


def _round_row(round_end: RoundEnded, words: Words, link: Html) -> Html:
    """Return the row of a round. Its heading labels the three lines of each cell, and shows how the round ended."""
    mark = _end_sign(round_end.reason, words)
    before = Html(f"<p>{words['before']}</p>" if round_end.round > 1 else "")
    cells = [_side_cell(round_end, side, words) for side in range(len(round_end.standing))]
    number = Html(f'<a href="{link}">{round_end.round}</a>' if link else f"{round_end.round}")
    return Html(f'<tr><th scope="row">{before}<p>{number}{mark}</p><p>{words["total"]}</p></th>{"".join(cells)}</tr>')


def _side_cell(round_end: RoundEnded, side: int, words: Words) -> Html:
    before, gained, reset = round_totals(round_end, side)
    points = number_text(gained.total)
    if gained.terms or reset:
        name = Html(f"terms-{round_end.round}-{side}")
        points = expandable_points(points, gained, words, name=name, title=words["this_round"], reset=reset)
    old = Html(f"<p>{standing_score(before, words)}</p>" if round_end.round > 1 else "")
    return Html(
        f"<td>{old}<p><i>{words['this_round']} </i>{points}</p>"
        f"<p><i>{words['total']} </i>{standing_score(round_end.standing[side], words)}</p></td>"
    )


def round_totals(round_end: RoundEnded, side: int) -> tuple[Standing, Points, str]:
    """Return a side's score at the deal, all its points in the round, and the rule that set its score to 0, or ""."""
    before, points = round_end.before[side], round_end.points[side]
    moves = round_end.made[side] if round_end.made else Points(0)
    gained = Points(moves.total + points.total, moves.terms + points.terms)
    return replace(before, points=before.points - moves.total), gained, round_end.reset[side]


def _term_text(term: Term) -> Html:
    """Return ``6-3 + 0-0 = 9``, or ``(100 - 25) / 10 = 7.5 → 8`` if the text has its own sum."""
    value = number_text(term.value)
    if term.text in ("", value, f"+{value}"):
        return escape(term.text) or value
    sign = Html("→" if "=" in term.text or "≥" in term.text else "=")
    return Html(f"{escape(term.text)} {sign} {value}")
