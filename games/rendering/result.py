"""The end of a round and of the match, as everybody sees it."""

from __future__ import annotations

from games.engine.events import MatchEnded
from games.engine.view import View
from games.rendering.scores import score_table, terms_list
from games.rendering.seats import name_of, score_mark
from games.rendering.status import over_text, pot_mark
from games.table import Table
from games.wording import Words

UNFOLDED = 1
"""At the table only the newest round opens into its terms; the page of scores opens all."""


def result(table: Table, view: View | None, words: Words) -> str:
    """Return the panel over the table: empty while a round is played."""
    if view is None or (view.round_over is None and view.match_over is None):
        return '<section id="result" class="result" hidden></section>'
    body = _round_over(table, view, words) if view.match_over is None else _match_over(table, view, words)
    scores = score_table(table, view.rounds, words, unfold=UNFOLDED) if view.rounds else ""
    return f'<section id="result" class="result" tabindex="-1">{body}{scores}</section>'


def verdict(table: Table, over: MatchEnded, words: Words) -> str:
    """Return how the match ended, naming who lost it."""
    if over.reason == "finished":
        losers = ", ".join(name_of(table, seat) for seat in over.losers)
        return words["match_finished" if losers else "match_over"] % {"names": losers}
    return words[f"match_{over.reason}"] % {"name": "" if over.seat is None else name_of(table, over.seat)}


def _round_over(table: Table, view: View, words: Words) -> str:
    soon = ""
    if table.due_kind == "round" and table.deadline_ms is not None:
        clock = f'<span class="clock" data-deadline="{table.deadline_ms}">…</span>'
        soon = f'<p class="soon">{words["next_round_in"]} {clock}</p>'
    return f"<header><h2>{over_text(table, view, words)}</h2>{pot_mark(view.pot, words)}{soon}</header>"


def _match_over(table: Table, view: View, words: Words) -> str:
    over = view.match_over
    if over is None:
        return ""
    title = f'<header><h2 class="verdict">{verdict(table, over, words)}</h2></header>'
    return title + (_places(table, view, over, words) if over.places else "")


def _places(table: Table, view: View, over: MatchEnded, words: Words) -> str:
    rated = table.rated and bool(over.rating)
    order = sorted(range(len(over.places)), key=lambda seat: over.places[seat])
    rows = "".join([_place(table, view, seat, words, rated=rated) for seat in order])
    rating = f'<th scope="col" class="number">{words["rating"]}</th>' if rated else ""
    note = "" if rated else f'<p class="soft small">{words["no_rating"]}</p>'
    return (
        f'<table class="data places"><caption class="visually-hidden">{words["match_over"]}</caption><thead><tr>'
        f'<th scope="col" class="number">{words["place_number"]}</th><th scope="col">{words["player"]}</th>'
        f'<th scope="col" class="number">{words["score"]}</th>{rating}</tr></thead><tbody>{rows}</tbody></table>{note}'
    )


def _place(table: Table, view: View, seat: int, words: Words, *, rated: bool) -> str:
    over = view.match_over
    if over is None:
        return ""
    lost = f' <span class="badge">{words["loser"]}</span>' if seat in over.losers else ""
    gain = ""
    if rated:
        points = over.rating[seat]
        unfolded = f"<details><summary>+{points.total}</summary>{terms_list(points, words)}</details>"
        gain = f'<td class="number">{unfolded}</td>'
    return (
        f'<tr><td class="number">{over.places[seat]}</td><th scope="row">{name_of(table, seat)}{lost}</th>'
        f'<td class="number">{score_mark(view.seats[seat].score, words)}</td>{gain}</tr>'
    )
