"""The end of a match in two lines: the result of the viewer, and the reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accounts.sanctions.reasons import reason_text
from games.engine.events import STOP_REASONS_WITH_SEAT, MatchEnded
from games.engine.view import View
from games.html import Html, escape
from games.match.ranking import RankedSeats, ranking
from games.match.table import Table
from games.rendering.seats import name_of, sides_of
from games.words.lookup import Words


def headline(table: Table, over: MatchEnded, seat: int | None, words: Words) -> Html:
    """Return the result of the viewer's seat, or for a spectator the winners."""
    if seat is not None and seat == over.seat:
        return words["you_removed" if table.people[seat].removed else f"you_{over.reason}"]
    if not over.places:
        return words["match_void_title" if over.reason == "void" else "match_stopped_title"]
    ranked = ranks(table, over, words)
    if seat is None:
        return _winners(table, ranked, words)
    if seat in over.losers:
        return words["you_lost_match" if len(over.losers) == 1 else "you_lost_too"]
    return _placed(ranked, seat, words)


def outcome(table: Table, view: View, over: MatchEnded, seat: int | None, words: Words) -> Html:
    """Return how the match ended, without repeating the headline."""
    if not over.places:
        return words[f"so_{over.reason}"] if seat is not None and seat == over.seat else verdict(table, over, words)
    ranked = ranks(table, over, words)
    winners = _first(ranked)
    points = view.seats[winners[0]].standing.points
    shows_points = over.reason == "finished" and not over.losers
    sentences = []
    if over.reason != "finished" and seat != over.seat:
        sentences.append(verdict(table, over, words))
    if seat is None or seat in winners:
        if shows_points:
            sentences.append(words.count("final_score", points))
    elif shows_points:
        sentences.append(words.count(f"{_victory(ranked)}_with", points, names=_listed(table, winners, words)))
    else:
        sentences.append(Html(f"{_winners(table, ranked, words)}."))
    if over.reason == "finished" and over.losers and over.losers != (seat,):
        sentences.append(_losers(table, over.losers, seat, words))
    return Html(" ".join(sentences))


def verdict(table: Table, over: MatchEnded, words: Words) -> Html:
    """Return the end of the match in one sentence that names the losers, or the winners if nobody lost."""
    if over.reason == "void" and table.void_reason:
        return Html(f"{words['match_void']} {words.fill('reason', reason=escape(reason_text(table.void_reason)))}")
    if over.seat is not None and table.people[over.seat].removed:
        return words.fill("match_removed", name=name_of(table, over.seat))
    if over.reason != "finished":
        caused = over.reason in STOP_REASONS_WITH_SEAT and over.seat is not None
        key = f"match_{over.reason}_by" if caused else f"match_{over.reason}"
        return words.fill(key, name=Html("") if over.seat is None else name_of(table, over.seat))
    if over.losers:
        return _losers(table, over.losers, None, words)
    return Html(f"{_winners(table, ranks(table, over, words), words)}.")


def _losers(table: Table, losers: Sequence[int], viewer: int | None, words: Words) -> Html:
    """Return a sentence about the losers. A viewer among several is "you"."""
    if viewer in losers:
        *names, last = [name_of(table, seat) for seat in losers if seat != viewer]
        phrase = "own_match_finished_many" if names else "own_match_finished_two"
        return words.fill(phrase, names=Html(", ".join(names)), last=last)
    return words.fill(
        "match_finished" if len(losers) == 1 else "match_finished_many", names=_listed(table, losers, words)
    )


def ranks(table: Table, over: MatchEnded, words: Words) -> list[RankedSeats]:
    """Return the sides by their places."""
    return ranking(over.places, sides_of(table, words))


def _first(ranked: Sequence[RankedSeats]) -> tuple[int, ...]:
    return tuple(seat for rank in ranked if rank.place == 1 for seat in rank.seats)


def _victory(ranked: Sequence[RankedSeats]) -> str:
    """Return which sentence fits: one person won, partners won, or several sides share first place."""
    if sum(rank.place == 1 for rank in ranked) > 1:
        return "shared"
    return "won" if len(_first(ranked)) == 1 else "won_by_side"


def _winners(table: Table, ranked: Sequence[RankedSeats], words: Words) -> Html:
    return words.fill(f"match_{_victory(ranked)}", names=_listed(table, _first(ranked), words))


def _placed(ranked: Sequence[RankedSeats], seat: int, words: Words) -> Html:
    """Return the place of a seat, or of its side."""
    mine = next(rank for rank in ranked if seat in rank.seats)
    if mine.place == 1 and sum(rank.place == 1 for rank in ranked) > 1:
        return words["you_share"]
    side = Html("side" if len(mine.seats) > 1 else "you")
    if mine.place == 1:
        return words[f"{side}_won"]
    return words[f"{side}_lost"] if len(ranked) == 2 else words[f"came_{mine.place}"]


def _listed(table: Table, seats: Iterable[int], words: Words) -> Html:
    """Return names as a sentence lists them: ``Anna, Flora and Emil``."""
    return words.all_of([name_of(table, seat) for seat in seats])
