"""Scores in the rulebook's form: before on top, this round above the bar, the total below it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from html import escape

from games.engine.events import Points, RoundEnded, Standing, Term
from games.engine.view import View
from games.links import path_to
from games.match.table import Table
from games.rendering.seats import name_of, sides_of, standing_mark
from games.words.lookup import Words, number_text

SIGNS = {"fish": "fish", "fish_drawn": "fish"}
"""The sign that the row of a round carries, by the reason of its end."""


def last_round(table: Table, view: View | None, words: Words) -> str:
    """Return the compact table of the last finished round while the next one is played."""
    playing = view is not None and view.round.over is None and view.match_over is None
    ended = view.rounds[-1] if view is not None and view.rounds and playing else None
    return _last_round(ended, headings(table, words), table.slug, words)


def score_table(table: Table, rounds: Iterable[RoundEnded], words: Words) -> str:
    """Return the table of these rounds, newest first; every number opens into its terms."""
    rows = [_row(ended, words, terms=True) for ended in reversed(tuple(rounds))]
    return _table(headings(table, words), "".join(rows), words["score_table"], words)


def all_rounds(slug: str, words: Words) -> str:
    """Return the link to the page of all rounds; a table without an address has none."""
    return slug and f'<p><a href="{path_to("match-scores", slug)}">{words["all_rounds"]}</a></p>'


def names_of(table: Table, seats: Iterable[int], joint: str = " + ") -> str:
    """Return the escaped names of the seats of one side."""
    return joint.join([name_of(table, seat) for seat in seats])


def headings(table: Table, words: Words) -> tuple[str, ...]:
    """Return the escaped names of each side, a line for each partner."""
    sides = sides_of(table, words)
    return tuple(
        names_of(table, [seat for seat, its in enumerate(sides) if its == side], " +<br>")
        for side in range(max(sides) + 1)
    )


def explained(number: str, points: Points, words: Words, *, name: str, reset: str = "") -> str:
    """Return a number that opens into its terms, each with its rule. ``name`` is an id, ``reset`` a rule id or ""."""
    terms = [f"<span>{_sum(term)} {words.rule(term.rule)}</span>" for term in points.terms]
    if reset:
        terms.append(f"<span>{words['set_to_zero']} {words.rule(reset)}</span>")
    return (
        f'<button type="button" class="number-button" popovertarget="{name}">{number}</button>'
        f'<span id="{name}" class="terms" popover>{"".join(terms)}</span>'
    )


@lru_cache(maxsize=2048)
def _last_round(ended: RoundEnded | None, names: tuple[str, ...], slug: str, words: Words) -> str:
    if ended is None:
        return '<section id="scores" class="scores" hidden></section>'
    table = _table(names, _row(ended, words, terms=False), words["last_round"], words)
    return f'<section id="scores" class="scores">{table}{all_rounds(slug, words)}</section>'


def _table(names: tuple[str, ...], rows: str, caption: str, words: Words) -> str:
    heads = "".join([f'<th scope="col">{name}</th>' for name in (words["round_heading"], *names)])
    return (
        f'<div class="scroll-x"><table class="score-table"><caption>{caption}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(ended: RoundEnded, words: Words, *, terms: bool) -> str:
    """Return one round. Its heading names the three levels of a cell and carries the sign of a fish in the middle."""
    sign = SIGNS.get(ended.reason, "")
    mark = f'<svg class="sign" aria-hidden="true"><use href="#{sign}"/></svg><i> {words[sign]}</i>' if sign else ""
    cells = [_cell(ended, side, words, terms=terms) for side in range(len(ended.standing))]
    return (
        f'<tr><th scope="row"><p>{words["before"]}</p><p>{ended.round}{mark}</p>'
        f"<p>{words['total']}</p></th>{''.join(cells)}</tr>"
    )


def _cell(ended: RoundEnded, side: int, words: Words, *, terms: bool) -> str:
    before, gained, reset = whole(ended, side)
    got = number_text(gained.total)
    if terms and (gained.terms or reset):
        got = explained(got, gained, words, name=f"terms-{ended.round}-{side}", reset=reset)
    return (
        f"<td><p>{standing_mark(before, words)}</p><p><i>{words['this_round']} </i>{got}</p>"
        f"<p><i>{words['total']} </i>{standing_mark(ended.standing[side], words)}</p></td>"
    )


def whole(ended: RoundEnded, side: int) -> tuple[Standing, Points, str]:
    """Return a side's score at the deal, all it got in the round by moves and at the end, and what reset its score."""
    before, points = ended.before[side], ended.points[side]
    made = ended.made[side] if ended.made else Points(0)
    gained = Points(made.total + points.total, made.terms + points.terms)
    return replace(before, points=before.points - made.total), gained, ended.reset[side]


def _sum(term: Term) -> str:
    """Return ``6-3 + 0-0 = 9``, or ``(100 - 25) / 10 = 7.5 → 8`` where the text reckons itself."""
    value = number_text(term.value)
    if term.text in ("", value, f"+{value}"):
        return term.text or value
    sign = "→" if "=" in term.text or "≥" in term.text else "="
    return f"{escape(term.text)} {sign} {value}"
