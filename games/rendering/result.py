"""The end of a round and of the match over the felt."""

from __future__ import annotations

from collections import Counter

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
from games.rendering.seats import ending_of, name_of
from games.rendering.standing import is_near, score_mark, way_of
from games.rendering.status import over_text, pot_mark, said_last
from games.words.lookup import Words


def result(table: Table, view: View | None, seat: int | None, words: Words, *, complete: bool = False) -> Html:
    """Return the panel over the table: empty while a round is played.

    The points of the round come from the page of all rounds, if there is one, once somebody looks, unless it is to be
    ``complete``.
    """
    if view is None or (view.round.over is None and view.match_over is None):
        return Html('<section id="result" class="result" hidden></section>')
    if view.match_over is None:
        body = _round_over(table, view, words, complete=complete)
    else:
        body = _match_over(table, view, seat, words)
    return Html(f'<section id="result" class="result{_sign(view, words)}">{body}</section>')


def _sign(view: View, words: Words) -> Html:
    """Return the sign of how the round ended as a class, "" for an end without one."""
    ended = view.round.over
    if ended is None or ended.reason not in words.signs:
        return Html("")
    return Html(f" {words.signs[ended.reason].key}")


def summary(table: Table, view: View, words: Words) -> Html:
    """Return in one sentence how the match ended, or the last thing that happened."""
    return said_last(table, view, words) if view.match_over is None else verdict(table, view.match_over, words)


def _round_over(table: Table, view: View, words: Words, *, complete: bool) -> Html:
    """Return a line that opens into the scores; the seats tell what the round brought."""
    number = view.round.number
    if complete or not table.slug:
        scores = score_table(table, view.rounds[-1:], words) if view.rounds else Html("")
    else:
        scores = Html(
            f'<div hx-get="{address("match-scores", table.slug)}?round={number}" hx-select=".scroll-x" '
            f'hx-trigger="toggle from:\'closest details\' once" hx-swap="innerHTML"></div>'
        )
    return Html(
        f'<details id="over-{number}"><summary><h2>{over_text(table, view, words)}</h2>'
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
        f"{_facts(table, view, words)}{_places(table, view, over, seat, words)}{_own_rating(table, seat, words)}"
        f"{_moments(table)}"
    )


def _moments(table: Table) -> Html:
    """Return where the key moments come when the report is there; a past step and a void match have none."""
    if table.facts is None or table.status not in (Status.FINISHED, Status.STOPPED):
        return Html("")
    return Html(
        f'<div id="key-moments" hx-get="{address("match-moments", table.slug)}" hx-trigger="load" '
        f'hx-swap="outerHTML"></div>'
    )


def _facts(table: Table, view: View, words: Words) -> Html:
    """Return the match in figures; a past step of it has none."""
    facts = table.facts
    if facts is None:
        return Html("")
    found = [("rounds", Html(f"{view.round.number}")), ("minutes", Html(f"{facts.minutes}"))]
    if facts.best is not None:
        seat, points = facts.best
        found.append(("best", Html(f"+{points} {name_of(table, seat)}")))
    else:
        found += _costliest(table, view)
    found += [("drawn", Html(f"{facts.drawn}"))] if facts.drawn else _most_out(table, view)
    items = Html(
        "".join(
            [
                f'<div class="fact-{escape(key)}"><dt>{words[f"fact_{key}"]}</dt> <dd>{value}</dd></div>'
                for key, value in found
            ]
        )
    )
    return Html(f'<dl class="match-facts" aria-label="{words["facts"]}">{items}</dl>')


def _costliest(table: Table, view: View) -> list[tuple[str, Html]]:
    """Return the most points of a round where moves score none."""
    points = [(gained.total, -seat) for over in view.rounds for seat, gained in enumerate(over.points)]
    most, seat = max(points, default=(0, 0))
    return [("costliest", Html(f"+{most} {name_of(table, -seat)}"))] if most else []


def _most_out(table: Table, view: View) -> list[tuple[str, Html]]:
    """Return who went out most often, the first of several."""
    often = Counter(over.seat for over in view.rounds if over.reason == "out" and over.seat is not None)
    return [("out", Html(f"{name_of(table, seat)} {times}×")) for seat, times in often.most_common(1)]


def _own_rating(table: Table, seat: int | None, words: Words) -> Html:
    """Return what the match did to the viewer's rating, and why."""
    rated = next((each for each in table.rated if each.seat == seat), None)
    if rated is None:
        return Html("")
    rating, before = Skill(rated.mu, rated.sigma), Skill(rated.mu_before, rated.sigma)
    unsettled = Html(
        f'<span aria-hidden="true">?</span><span class="visually-hidden"> ({words["provisional"]})</span>'
    )
    told = words.say(
        "own_rating",
        rating=Html(f"<b>{rating.shown}</b>{unsettled if rating.provisional else ''}"),
        change=signed(rating.shown - before.shown),
        place=rated.place,
        of=rated.of,
        expected=escape(f"{rated.expected:.1f}"),
    )
    return Html(f'<p class="own-rating small">{told}</p>')


def _places(table: Table, view: View, over: MatchEnded, seat: int | None, words: Words) -> Html:
    note = Html(f'<p class="soft small">{unrated}</p>' if (unrated := _unrated(table, over, words)) else "")
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
    """Return whether somebody gained rating points."""
    return table.agreed.rated and bool(over.rating) and any(person.gains for person in table.people)


def _unrated(table: Table, over: MatchEnded, words: Words) -> Html:
    """Return why a player gained no rating points in a rated match, "" if all gained what the rulebook says."""
    if not table.agreed.rated:
        return Html("")
    return Html(words[f"points_{table.no_points}"] if table.no_points else "")
