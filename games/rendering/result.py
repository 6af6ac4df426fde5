"""The panel over the felt at the end of a round or of the match."""

from __future__ import annotations

from collections import Counter

from django.utils import translation

from games.engine.events import MatchEnded
from games.engine.view import SeatView, View
from games.enums import Status
from games.html import Html, escape
from games.match.ranking import RankedSeats
from games.match.table import Table
from games.ratings.skill import Skill
from games.rendering.addresses import page_address
from games.rendering.headline import end_sentence, outcome_text, ranked_sides, result_headline
from games.rendering.moves import signed_points
from games.rendering.scores import all_rounds_link, expandable_points, score_table, side_name
from games.rendering.seats import match_ending, name_or_you
from games.rendering.standing import explained_score, progress_of, score_mark
from games.rendering.status import last_event_text, pot_mark, round_end_text
from games.words.lookup import Words, number_text


def result_panel(table: Table, view: View | None, seat: int | None, words: Words, *, complete: bool = False) -> Html:
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


def match_summary(table: Table, view: View, words: Words) -> Html:
    """Return the end of the match in one sentence, or while it is played the last event."""
    if view.match_over is not None:
        return end_sentence(table, view.match_over, words)
    return last_event_text(table, view, None, words)


def _round_over(table: Table, view: View, seat: int | None, words: Words, *, complete: bool) -> Html:
    """Return a line that opens into the scores."""
    number = view.round.number
    if complete or not table.slug:
        scores = score_table(table, view.rounds[-1:], words) if view.rounds else Html("")
    else:
        scores = Html(
            f'<div hx-get="{page_address("match-scores", table.slug)}?round={number}" hx-select=".scroll-x" '
            f'hx-trigger="toggle from:\'closest details\' once" hx-swap="innerHTML"></div>'
        )
    return Html(
        f'<details id="over-{number}"><summary><h2>{round_end_text(table, view, seat, words)}</h2>'
        f"{pot_mark(view.pot, words)}</summary>{scores}{all_rounds_link(table.slug, words)}</details>"
    )


def _match_over(table: Table, view: View, seat: int | None, words: Words) -> Html:
    match_end = view.match_over
    if match_end is None:
        return Html("")
    won = Html(" won" if seat is not None and match_ending(match_end, seat) == "won" else "")
    return Html(
        f'<h2 class="headline{won}">{result_headline(table, match_end, seat, words)}</h2>'
        f'<p class="outcome">{outcome_text(table, view, match_end, seat, words)}</p>'
        f"{_match_figures(table, view, seat, words)}{_places_table(table, view, match_end, seat, words)}"
        f"{_own_rating_text(table, seat, words)}{_review_links(table, words)}"
    )


def _review_links(table: Table, words: Words) -> Html:
    """Return the link to the review, with which the key moments are loaded unless the match is void.

    A past step has none: it is shown in the review.
    """
    if table.summary is None:
        return Html("")
    loader = Html("")
    if table.status in (Status.FINISHED, Status.STOPPED) and not table.is_open_board:
        loader = Html(f' hx-get="{page_address("match-moments", table.slug)}" hx-trigger="load" hx-swap="outerHTML"')
    review = Html(f'<a class="button" href="{page_address("match-review", table.slug)}">{words["review"]}</a>')
    return Html(f'<div id="key-moments" class="moments-card"{loader}><p class="cluster">{review}</p></div>')


def _match_figures(table: Table, view: View, viewer: int | None, words: Words) -> Html:
    """Return the match in figures, "" for a past step.

    Games in which moves score have a best move, others a costliest round. If no tile was drawn, the player who went
    out most often is named instead. Rounds are counted if there was more than one.
    """
    facts = table.summary
    if facts is None:
        return Html("")
    has_rounds = view.round.number > 1
    figures = {"rounds": Html(f"{view.round.number}")} if has_rounds else {}
    figures["minutes"] = Html(f"{facts.duration_minutes}")
    points = [(gained.total, -seat) for match_end in view.rounds for seat, gained in enumerate(match_end.points)]
    rounds_won = Counter(
        match_end.seat for match_end in view.rounds if match_end.reason == "out" and match_end.seat is not None
    )
    if facts.best is not None:
        seat, best_points = facts.best
        figures["best"] = Html(f"{name_or_you(table, seat, viewer, words)} +{best_points}")
    elif points and (most := max(points))[0]:
        figures["costliest"] = Html(f"{name_or_you(table, -most[1], viewer, words)} +{most[0]}")
    if facts.drawn:
        figures["drawn"] = Html(f"{facts.drawn}")
    elif rounds_won and has_rounds:
        ((seat, times),) = rounds_won.most_common(1)
        figures["out"] = Html(f"{name_or_you(table, seat, viewer, words)} {times}×")
    items = [
        Html(f'<div class="fact-{escape(key)}"><dt>{words[f"fact_{key}"]}</dt> <dd>{value}</dd></div>')
        for key, value in figures.items()
    ]
    return Html(f'<dl class="match-facts" aria-label="{words["facts"]}">{"".join(items)}</dl>')


def _own_rating_text(table: Table, seat: int | None, words: Words) -> Html:
    """Return the change of the viewer's rating, with the place that the rating expected."""
    rating_change = next((change for change in table.rated if change.seat == seat), None)
    if rating_change is None:
        return Html("")
    rating, before = Skill(rating_change.mu, rating_change.sigma), Skill(rating_change.mu_before, rating_change.sigma)
    provisional = Html(
        f'<span aria-hidden="true">?</span><span class="visually-hidden"> ({words["provisional"]})</span>'
    )
    with translation.override(words.language):
        expected = number_text(round(rating_change.expected, 1))
    text = words.fill(
        "own_rating",
        rating=Html(f"<b>{rating.rating}</b>{provisional if rating.is_provisional else ''}"),
        change=signed_points(rating.rating - before.rating),
        place=rating_change.place,
        of=rating_change.of,
        expected=expected,
    )
    return Html(f'<p class="own-rating small">{text}</p>')


def _places_table(table: Table, view: View, match_end: MatchEnded, seat: int | None, words: Words) -> Html:
    has_note = table.agreed.rated and table.no_points
    note = Html(f'<p class="soft small">{words[f"points_{table.no_points}"]}</p>' if has_note else "")
    if not match_end.places:
        return note if table.status == Status.VOID else Html("")
    rated = _gained_rating_points(table, match_end)
    rows = Html(
        "".join(
            [
                _place_row(table, view, match_end, rank, seat=seat, words=words)
                for rank in ranked_sides(table, match_end, words)
            ]
        )
    )
    rating = Html(f'<th scope="col">{words["rating"]}</th>' if rated else "")
    return Html(
        f'<table class="data places"><caption>{words["match_over"]}</caption><thead><tr>'
        f'<th scope="col">{words["place_number"]}</th><th scope="col">{words["player"]}</th>'
        f'<th scope="col">{words["score"]}</th>{rating}</tr></thead><tbody>{rows}</tbody></table>{note}'
    )


def _place_row(
    table: Table, view: View, match_end: MatchEnded, rank: RankedSeats, *, seat: int | None, words: Words
) -> Html:
    first, place = rank.seats[0], rank.place or 0
    lost = Html(f' <span class="badge">{words["loser"]}</span>' if first in match_end.losers else "")
    is_own = seat in rank.seats
    row_class, you_mark = (
        (Html(' class="own-row"'), Html(f"<i> ({words['you']})</i>")) if is_own else (Html(""), Html(""))
    )
    gain = Html("")
    if _gained_rating_points(table, match_end):
        points = match_end.rating[first]
        gained = expandable_points(
            Html(f"+{points.total}"), points, words, name=Html(f"rating-{first}"), title=words["rating"]
        )
        gain = Html(f"<td>{gained if table.people[first].gains else '–'}</td>")
    score = _score_with_form(view.seats[first], view.target, words)
    return Html(
        f'<tr{row_class}><td>{place}</td><th scope="row">{side_name(table, rank.seats)}{you_mark}{lost}</th>'
        f"<td>{score}</td>{gain}</tr>"
    )


def _score_with_form(seat: SeatView, target: int | None, words: Words) -> Html:
    """Return a score. One with a sign, such as remembered points, explains itself."""
    if seat.score[:1] not in words.score_forms:
        return score_mark(seat.score, words)
    return explained_score(seat.score, progress_of(seat.standing, target), words)


def _gained_rating_points(table: Table, match_end: MatchEnded) -> bool:
    """Return True if somebody gained rating points."""
    return table.agreed.rated and bool(match_end.rating) and any(person.gains for person in table.people)
