"""Scores in the rulebook's form: before on top, this round above the bar, the total below it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape

from django.urls import reverse

from games.engine.events import Points, RoundEnded, Term
from games.engine.variants import rules_for
from games.engine.view import View
from games.rendering.seats import name_of, score_mark
from games.table import Table
from games.wording import Words

SIGNS = {"fish": "fish", "fish_drawn": "fish"}
"""The sign that the row of a round carries, by the reason of its end."""


def last_round(table: Table, view: View | None, words: Words) -> str:
    """Return the compact table of the last finished round. It does not grow with the match."""
    ended = view.rounds[-1] if view is not None and view.rounds else None
    return _last_round(ended, headings(table), table.slug, words)


def score_table(table: Table, rounds: Iterable[RoundEnded], words: Words, *, unfold: int) -> str:
    """Return the whole table, newest round first; the newest ``unfold`` rounds open into their terms."""
    newest_first = reversed(tuple(rounds))
    rows = [_row(ended, words, terms=place < unfold) for place, ended in enumerate(newest_first)]
    return _table(headings(table), "".join(rows), words["score_table"])


def headings(table: Table) -> tuple[str, ...]:
    """Return the escaped names of each side."""
    sides = rules_for(table.variant).sides(table.seat_count, dict(table.options))
    return tuple(
        " + ".join(name_of(table, seat) for seat, its in enumerate(sides) if its == side)
        for side in range(max(sides) + 1)
    )


def terms_list(points: Points, words: Words) -> str:
    """Return how a number came about, each summand with its rule."""
    return f'<ul class="terms">{"".join([_term(term, words) for term in points.terms])}</ul>'


@lru_cache(maxsize=2048)
def _last_round(ended: RoundEnded | None, names: tuple[str, ...], slug: str, words: Words) -> str:
    if ended is None:
        return '<section id="scores" class="scores" hidden></section>'
    table = _table(names, _row(ended, words, terms=False), words["last_round"])
    link = f'<a href="{reverse("match-scores", args=[slug])}">{words["all_rounds"]}</a>'
    return f'<section id="scores" class="scores">{table}<p>{link}</p></section>'


def _table(names: tuple[str, ...], rows: str, caption: str) -> str:
    heads = "".join([f'<th scope="col">{name}</th>' for name in names])
    return (
        f'<div class="scroll-x"><table class="score-table"><caption>{caption}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(ended: RoundEnded, words: Words, *, terms: bool) -> str:
    """Return one round. Its heading names the three levels of a cell and carries the sign of a fish in the middle."""
    sign = SIGNS.get(ended.reason, "")
    mark = f'<svg class="sign" aria-hidden="true"><use href="#{sign}"/></svg><i> {words[sign]}</i>' if sign else ""
    cells = [_cell(ended, side, words, terms=terms) for side in range(len(ended.standing))]
    return (
        f'<tr><th scope="row"><span class="before">{words["before"]}</span>'
        f'<span class="got">{words["round"] % {"round": ended.round}}{mark}</span>'
        f'<span class="total">{words["total"]}</span></th>{"".join(cells)}</tr>'
    )


def _cell(ended: RoundEnded, side: int, words: Words, *, terms: bool) -> str:
    text = rules_for(words.variant).standing_text
    got = str(ended.points[side].total)
    if terms and (ended.points[side].terms or ended.reset[side]):
        got = f"<details><summary>{got}</summary>{_explained(ended, side, words)}</details>"
    return (
        f'<td><span class="before"><i>{words["before"]} </i>{score_mark(text(ended.before[side]), words)}</span>'
        f'<span class="got"><i>{words["this_round"]} </i>{got}</span>'
        f'<span class="total"><i>{words["total"]} </i>{score_mark(text(ended.standing[side]), words)}</span></td>'
    )


def _explained(ended: RoundEnded, side: int, words: Words) -> str:
    rule = ended.reset[side]
    reset = f'<p class="terms">{words["set_to_zero"]} {words.rule(rule)}</p>' if rule else ""
    return terms_list(ended.points[side], words) + reset


def _term(term: Term, words: Words) -> str:
    return f"<li>{_sum(term)} {words.rule(term.rule)}</li>"


def _sum(term: Term) -> str:
    """Return ``6-3 + 0-0 = 9``, or ``(100 - 25) / 10 = 7.5 → 8`` where the text reckons itself."""
    if term.text in ("", f"+{term.value}"):
        return term.text or str(term.value)
    sign = "→" if "=" in term.text or "≥" in term.text else "="
    return f"{escape(term.text)} {sign} {term.value}"
