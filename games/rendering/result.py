"""The panel over the felt at the end of a round or of the match."""

from __future__ import annotations

from collections import Counter

from django.utils import translation

from games.engine.events import MatchEnded
from games.engine.view import View
from games.enums import Status
from games.html import Html, escape
from games.match.ranking import RankedSeats
from games.match.table import Table
from games.ratings.skill import Skill
from games.rendering.addresses import address
from games.rendering.headline import headline, outcome, ranks, verdict
from games.rendering.moves import signed
from games.rendering.scores import all_rounds, explained, names_of, score_table
from games.rendering.seats import ending_of, name_for
from games.rendering.standing import is_near, score_mark, way_of
from games.rendering.status import last_event_text, over_text, pot_mark
from games.words.lookup import Words, number_text


def result(table: Table, view: View | None, seat: int | None, words: Words, *, complete: bool = False) -> Html:
    """Return the panel over the table, hidden while a round is played.

    It loads the points of the round from the page of all rounds when it is opened. A ``complete`` panel and that of a
    table without an address contain them.
    """
    if view is None or (view.round.over is None and view.match_over is None):
        return Html('<section id="result" class="result" hidden></section>')
    if view.match_over is None:
        body = _round_over(table, view, seat, words, complete=complete)
    else:
        body = _match_over(table, view, seat, words)
    classes = Html("result")
    if view.round.over is not None and view.round.over.reason in words.signs:
        classes = Html(f"result {words.signs[view.round.over.reason].key}")
    return Html(f'<section id="result" class="{classes}">{body}</section>')


def summary(table: Table, view: View, words: Words) -> Html:
    """Return the end of the match in one sentence, or while it is played the last event."""
    if view.match_over is not None:
        return verdict(table, view.match_over, words)
    return last_event_text(table, view, None, words)


def _round_over(table: Table, view: View, seat: int | None, words: Words, *, complete: bool) -> Html:
    """Return a line that opens into the scores."""
    number = view.round.number
    if complete or not table.slug:
        scores = score_table(table, view.rounds[-1:], words) if view.rounds else Html("")
    else:
        scores = Html(
            f'<div hx-get="{address("match-scores", table.slug)}?round={number}" hx-select=".scroll-x" '
            f'hx-trigger="toggle from:\'closest details\' once" hx-swap="innerHTML"></div>'
        )
    return Html(
        f'<details id="over-{number}"><summary><h2>{over_text(table, view, seat, words)}</h2>'
        f"{pot_mark(view.pot, words)}</summary>{scores}{all_rounds(table.slug, words)}</details>"
    )


def _match_over(table: Table, view: View, seat: int | None, words: Words) -> Html:
    over = view.match_over
    if over is None:
        return Html("")
    won = Html(" won" if seat is not None and ending_of(over, seat) == "won" else "")
    return Html(
        f'<h2 class="headline{won}">{headline(table, over, seat, words)}</h2>'
        f'<p class="outcome">{outcome(table, view, over, seat, words)}</p>'
        f"{_figures(table, view, seat, words)}{_places(table, view, over, seat, words)}"
        f"{_own_rating(table, seat, words)}{_moments(table)}"
    )


def _moments(table: Table) -> Html:
    """Return the element that loads the key moments, "" for a past step and a void match."""
    if table.summary is None or table.status not in (Status.FINISHED, Status.STOPPED):
        return Html("")
    return Html(
        f'<div id="key-moments" hx-get="{address("match-moments", table.slug)}" hx-trigger="load" '
        f'hx-swap="outerHTML"></div>'
    )


def _figures(table: Table, view: View, viewer: int | None, words: Words) -> Html:
    """Return the match in figures, "" for a past step.

    Games in which moves score have a best move, others a costliest round. If no tile was drawn, the player who went
    out most often is named instead.
    """
    facts = table.summary
    if facts is None:
        return Html("")
    figures = {"rounds": Html(f"{view.round.number}"), "minutes": Html(f"{facts.minutes}")}
    points = [(gained.total, -seat) for over in view.rounds for seat, gained in enumerate(over.points)]
    outs = Counter(over.seat for over in view.rounds if over.reason == "out" and over.seat is not None)
    if facts.best is not None:
        seat, best = facts.best
        figures["best"] = Html(f"{name_for(table, seat, viewer, words)} +{best}")
    elif points and (most := max(points))[0]:
        figures["costliest"] = Html(f"{name_for(table, -most[1], viewer, words)} +{most[0]}")
    if facts.drawn:
        figures["drawn"] = Html(f"{facts.drawn}")
    elif outs:
        ((seat, times),) = outs.most_common(1)
        figures["out"] = Html(f"{name_for(table, seat, viewer, words)} {times}×")
    items = [
        Html(f'<div class="fact-{escape(key)}"><dt>{words[f"fact_{key}"]}</dt> <dd>{value}</dd></div>')
        for key, value in figures.items()
    ]
    return Html(f'<dl class="match-facts" aria-label="{words["facts"]}">{"".join(items)}</dl>')


def _own_rating(table: Table, seat: int | None, words: Words) -> Html:
    """Return the change of the viewer's rating, with the place that the rating expected."""
    rated = next((change for change in table.rated if change.seat == seat), None)
    if rated is None:
        return Html("")
    rating, before = Skill(rated.mu, rated.sigma), Skill(rated.mu_before, rated.sigma)
    provisional = Html(
        f'<span aria-hidden="true">?</span><span class="visually-hidden"> ({words["provisional"]})</span>'
    )
    with translation.override(words.language):
        expected = number_text(round(rated.expected, 1))
    text = words.fill(
        "own_rating",
        rating=Html(f"<b>{rating.rating}</b>{provisional if rating.is_provisional else ''}"),
        change=signed(rating.rating - before.rating),
        place=rated.place,
        of=rated.of,
        expected=expected,
    )
    return Html(f'<p class="own-rating small">{text}</p>')


def _places(table: Table, view: View, over: MatchEnded, seat: int | None, words: Words) -> Html:
    has_note = table.agreed.rated and table.no_points
    note = Html(f'<p class="soft small">{words[f"points_{table.no_points}"]}</p>' if has_note else "")
    if not over.places:
        return note if table.status == Status.VOID else Html("")
    rated = _is_counted(table, over)
    rows = Html(
        "".join([_place(table, view, over, rank, seat=seat, words=words) for rank in ranks(table, over, words)])
    )
    rating = Html(f'<th scope="col">{words["rating"]}</th>' if rated else "")
    return Html(
        f'<table class="data places"><caption>{words["match_over"]}</caption><thead><tr>'
        f'<th scope="col">{words["place_number"]}</th><th scope="col">{words["player"]}</th>'
        f'<th scope="col">{words["score"]}</th>{rating}</tr></thead><tbody>{rows}</tbody></table>{note}'
    )


def _place(table: Table, view: View, over: MatchEnded, rank: RankedSeats, *, seat: int | None, words: Words) -> Html:
    first, place = rank.seats[0], rank.place or 0
    lost = Html(f' <span class="badge">{words["loser"]}</span>' if first in over.losers else "")
    mine = seat in rank.seats
    own, you = (Html(' class="own-row"'), Html(f"<i> ({words['you']})</i>")) if mine else (Html(""), Html(""))
    gain = Html("")
    if _is_counted(table, over):
        points = over.rating[first]
        gained = explained(
            Html(f"+{points.total}"), points, words, name=Html(f"rating-{first}"), title=words["rating"]
        )
        gain = Html(f"<td>{gained if table.people[first].gains else '–'}</td>")
    score = score_mark(view.seats[first].score, words, near=is_near(way_of(view.seats[first].standing, view.target)))
    return Html(
        f'<tr{own}><td>{place}</td><th scope="row">{names_of(table, rank.seats)}{you}{lost}</th>'
        f"<td>{score}</td>{gain}</tr>"
    )


def _is_counted(table: Table, over: MatchEnded) -> bool:
    """Return True if somebody gained rating points."""
    return table.agreed.rated and bool(over.rating) and any(person.gains for person in table.people)
