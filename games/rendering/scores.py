"""Scores in the rulebook's form: before on top, this round above the bar, the total below it; beside the table, a line
a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType

from games.engine.events import Points, RoundEnded, Standing, Term
from games.engine.view import View
from games.html import Html, escape
from games.match.table import Table
from games.rendering.addresses import address
from games.rendering.moves import signed
from games.rendering.seats import name_of, sides_of
from games.rendering.sprites import sign_mark
from games.rendering.standing import standing_mark
from games.words.lookup import Words, number_text
from infrastructure.bidi import isolate

AND, PARTNER = Html(" + "), Html(" +<br>")
NO_NAME = NOWHERE = Html("")
CHARACTERS = 36
"""As many, in one word a column, stand side by side in a narrow table."""


def newest_round(table: Table, view: View | None, words: Words) -> Html:
    """Return the line of the last finished round, for the page to append to its sheet (js/beside.js).

    Until one is finished, return the head of the sheet: a page may be older than who sits at the table.
    """
    if view is not None and view.rounds:
        line = _line_of(view.rounds[-1], words)
        return Html(f'<table id="scores" hidden><tbody>{line}</tbody></table>')
    head = _head(headings(table, words), words)
    return Html(f'<table id="scores" hidden>{head}<tbody></tbody></table>')


def score_sheet(table: Table, view: View | None, words: Words) -> Html:
    """Return the finished rounds, a line each: what each side got, and its score from then on."""
    lines = Html("".join([_line_of(ended, words) for ended in (view.rounds if view is not None else ())]))
    return _table(headings(table, words), lines, words["score_table"], words, Html(' id="score-lines"'))


def score_table(
    table: Table, rounds: Iterable[RoundEnded], words: Words, begun: Mapping[int, Html] = MappingProxyType({})
) -> Html:
    """Return the table of these rounds, newest first. Each number opens into its terms.

    ``begun`` are the addresses to which the numbers of rounds lead.
    """
    rows = [_row(ended, words, begun.get(ended.round, NOWHERE)) for ended in reversed(tuple(rounds))]
    return _table(headings(table, words), Html("".join(rows)), words["score_table"], words)


def all_rounds(slug: str, words: Words) -> Html:
    """Return the link to the page of all rounds, "" for a table without an address."""
    return Html(f'<p><a href="{address("match-scores", slug)}">{words["all_rounds"]}</a></p>' if slug else "")


def names_of(table: Table, seats: Iterable[int]) -> Html:
    """Return the escaped names of the seats of one side."""
    return Html(AND.join([name_of(table, seat) for seat in seats]))


def headings(table: Table, words: Words) -> tuple[Html, ...]:
    """Return the escaped names of each side, a line for each partner."""
    return _headings(tuple([person.name for person in table.people]), sides_of(table, words))


@lru_cache(maxsize=1024)
def _headings(names: tuple[str, ...], sides: tuple[int, ...]) -> tuple[Html, ...]:
    named = [escape(isolate(name)) for name in names]
    return tuple(
        Html(PARTNER.join([name for name, its in zip(named, sides, strict=True) if its == side]))
        for side in range(max(sides) + 1)
    )


def explained(number: Html, points: Points, words: Words, *, name: Html, title: Html, reset: str = "") -> Html:
    """Return a number of a table that opens into its terms, each with its rule, under a title.

    ``name`` is an id, ``reset`` a rule id or "".
    """
    terms = [_terms(rule, tuple(terms), words) for rule, terms in groupby(points.terms, key=attrgetter("rule"))]
    if reset:
        terms.append(Html(f"<span>{words['set_to_zero']} {words.rule(reset)}</span>"))
    return Html(
        f'<button popovertarget="{name}">{number}</button>'
        f'<span id="{name}" popover><b>{title}: {number}</b>{"".join(terms)}</span>'
    )


def _terms(rule: str, terms: tuple[Term, ...], words: Words) -> Html:
    """Return the terms that follow from one rule, a line each, and that rule."""
    return Html(f"<span>{'<br>'.join(map(_sum, terms))} {words.rule(rule)}</span>")


def _table(names: tuple[Html, ...], rows: Html, caption: Html, words: Words, named: Html = NO_NAME) -> Html:
    return Html(
        f'<div class="scroll-x"><table class="score-table"><caption>{caption}</caption>'
        f"{_head(names, words)}<tbody{named}>{rows}</tbody></table></div>"
    )


@lru_cache(maxsize=1024)
def _head(names: tuple[Html, ...], words: Words) -> Html:
    heads = Html("".join([f'<th scope="col">{name}</th>' for name in (words["round_heading"], *names)]))
    longest = max((len(word) for name in names for word in name.split()), default=0)
    crowded = Html(' class="crowded"' if longest * len(names) > CHARACTERS else "")
    return Html(f"<thead{crowded}><tr>{heads}</tr></thead>")


def _line_of(ended: RoundEnded, words: Words) -> Html:
    """Return the line of a round; it is looked up by what it shows, for the terms of the points are long."""
    gained = tuple([points.total for points in ended.points])
    if ended.made:
        gained = tuple([total + made.total for total, made in zip(gained, ended.made, strict=True)])
    return _line(ended.round, ended.reason, gained, ended.standing, words)


@lru_cache(maxsize=2048)
def _line(number: int, reason: str, gained: tuple[int, ...], standing: tuple[Standing, ...], words: Words) -> Html:
    sign = words.signs.get(reason)
    mark = Html("") if sign is None else Html(f"{sign_mark(sign)}<i> {sign.name}</i>")
    cells = [
        Html(f"<td><small>{signed(points)}</small> {standing_mark(score, words)}</td>")
        for points, score in zip(gained, standing, strict=True)
    ]
    return Html(f'<tr data-number="{number}"><th scope="row">{number}{mark}</th>{"".join(cells)}</tr>')


@lru_cache(maxsize=512)
def _row(ended: RoundEnded, words: Words, begun: Html) -> Html:
    """Return one round. Its heading names the levels of a cell, with the sign of its end in the middle."""
    sign = words.signs.get(ended.reason)
    mark = Html("") if sign is None else Html(f"{sign_mark(sign)}<i> {sign.name}</i>")
    before = Html(f"<p>{words['before']}</p>" if ended.round > 1 else "")
    cells = [_cell(ended, side, words) for side in range(len(ended.standing))]
    number = Html(f'<a href="{begun}">{ended.round}</a>' if begun else f"{ended.round}")
    return Html(f'<tr><th scope="row">{before}<p>{number}{mark}</p><p>{words["total"]}</p></th>{"".join(cells)}</tr>')


def _cell(ended: RoundEnded, side: int, words: Words) -> Html:
    before, gained, reset = whole(ended, side)
    got = number_text(gained.total)
    if gained.terms or reset:
        name = Html(f"terms-{ended.round}-{side}")
        got = explained(got, gained, words, name=name, title=words["this_round"], reset=reset)
    was = Html(f"<p>{standing_mark(before, words)}</p>" if ended.round > 1 else "")
    return Html(
        f"<td>{was}<p><i>{words['this_round']} </i>{got}</p>"
        f"<p><i>{words['total']} </i>{standing_mark(ended.standing[side], words)}</p></td>"
    )


def whole(ended: RoundEnded, side: int) -> tuple[Standing, Points, str]:
    """Return a side's score at the deal, its points in the round by moves and at the end, and what reset its score."""
    before, points = ended.before[side], ended.points[side]
    made = ended.made[side] if ended.made else Points(0)
    gained = Points(made.total + points.total, made.terms + points.terms)
    return replace(before, points=before.points - made.total), gained, ended.reset[side]


def _sum(term: Term) -> Html:
    """Return ``6-3 + 0-0 = 9``, or ``(100 - 25) / 10 = 7.5 → 8`` where the text has its own sum."""
    value = number_text(term.value)
    if term.text in ("", value, f"+{value}"):
        return escape(term.text) or value
    sign = Html("→" if "=" in term.text or "≥" in term.text else "=")
    return Html(f"{escape(term.text)} {sign} {value}")
