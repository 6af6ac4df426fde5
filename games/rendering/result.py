"""The end of a round and of the match, as everybody sees it."""

from __future__ import annotations

from games.engine.events import MatchEnded
from games.engine.view import View
from games.enums import Due
from games.html import Html
from games.match.ranking import RankedSeats, ranking
from games.match.table import Table
from games.rendering.scores import all_rounds, explained, names_of, score_table
from games.rendering.seats import name_of, score_mark, sides_of
from games.rendering.status import over_text, pot_mark, said_last
from games.words.lookup import Words


def result(table: Table, view: View | None, words: Words) -> Html:
    """Return the panel over the table: empty while a round is played. Older rounds have a page of their own."""
    if view is None or (view.round.over is None and view.match_over is None):
        return Html('<section id="result" class="result" hidden></section>')
    title = over_text(table, view, words) if view.match_over is None else verdict(table, view.match_over, words)
    body = _pause(table, view, words) if view.match_over is None else _places(table, view, view.match_over, words)
    scores = Html(score_table(table, view.rounds[-1:], words) if view.rounds else "")
    more = Html("" if view.match_over else all_rounds(table.slug, words))  # after the match it is among the buttons
    return Html(
        f'<section id="result" class="result"><details id="over-{view.round.number}" open>'
        f"<summary><h2>{title}</h2></summary>{body}{scores}{more}</details></section>"
    )


def verdict(table: Table, over: MatchEnded, words: Words) -> Html:
    """Return how the match ended, naming who lost it, or else who won it."""
    if over.reason != "finished":
        return words.say(f"match_{over.reason}", name=Html("") if over.seat is None else name_of(table, over.seat))
    if over.losers:
        losers = Html(", ".join([name_of(table, seat) for seat in over.losers]))
        return words.say("match_finished" if len(over.losers) == 1 else "match_finished_many", names=losers)
    winners = [names_of(table, rank.seats) for rank in ranks(table, over, words) if rank.place == 1]
    return words.say("match_won" if len(winners) == 1 else "match_shared", names=Html(", ".join(winners)))


def summary(table: Table, view: View, words: Words) -> Html:
    """Return in one sentence how the match ended, or the last thing that happened."""
    return said_last(table, view, words) if view.match_over is None else verdict(table, view.match_over, words)


def ranks(table: Table, over: MatchEnded, words: Words) -> list[RankedSeats]:
    """Return the sides by their places."""
    return ranking(over.places, sides_of(table, words))


def _pause(table: Table, view: View, words: Words) -> Html:
    soon = Html("")
    if table.timer.due_kind == Due.ROUND and table.timer.deadline_ms is not None:
        clock = Html(f'<span class="clock" data-deadline="{table.timer.deadline_ms}">…</span>')
        soon = Html(f"{words['next_round_in']} {clock}")
    return Html(f'<p class="soon">{pot_mark(view.pot, words)} {soon}</p>')


def _places(table: Table, view: View, over: MatchEnded, words: Words) -> Html:
    if not over.places:
        return Html("")
    rated = _is_counted(table, over)
    rows = Html("".join([_place(table, view, over, rank, words=words) for rank in ranks(table, over, words)]))
    rating = Html(f'<th scope="col" class="number">{words["rating"]}</th>' if rated else "")
    note = Html(f'<p class="soft small">{unrated}</p>' if (unrated := _unrated(table, over, words)) else "")
    return Html(
        f'<table class="data places"><caption class="visually-hidden">{words["match_over"]}</caption><thead><tr>'
        f'<th scope="col" class="number">{words["place_number"]}</th><th scope="col">{words["player"]}</th>'
        f'<th scope="col" class="number">{words["score"]}</th>{rating}</tr></thead><tbody>{rows}</tbody></table>{note}'
    )


def _place(table: Table, view: View, over: MatchEnded, rank: RankedSeats, *, words: Words) -> Html:
    seat, place = rank.seats[0], rank.place or 0
    lost = Html(f' <span class="badge">{words["loser"]}</span>' if seat in over.losers else "")
    gain = Html("")
    if _is_counted(table, over):
        points = over.rating[seat]
        gained = explained(Html(f"+{points.total}"), points, words, name=Html(f"rating-{seat}"))
        gain = Html(f'<td class="number">{gained if table.people[seat].gains else "–"}</td>')
    return Html(
        f'<tr><td class="number">{place}</td><th scope="row">{names_of(table, rank.seats)}{lost}</th>'
        f'<td class="number">{score_mark(view.seats[seat].score, words)}</td>{gain}</tr>'
    )


def _is_counted(table: Table, over: MatchEnded) -> bool:
    """Return whether somebody gained rating points."""
    return table.agreed.rated and bool(over.rating) and any(person.gains for person in table.people)


def _unrated(table: Table, over: MatchEnded, words: Words) -> Html:
    """Return why a player gained no rating points, "" if all gained what the rulebook says."""
    if not table.agreed.rated:
        return words["casual"]
    if not over.rating:
        return words["no_rating"]
    return Html(words[f"points_{table.no_points}"] if table.no_points else "")
