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


def result_headline(table: Table, match_end: MatchEnded, seat: int | None, words: Words) -> Html:
    """Return the result of the viewer's seat, or for a spectator the winners."""
    if seat is not None and seat == match_end.seat:
        return words["you_removed" if table.people[seat].removed else f"you_{match_end.reason}"]
    if not match_end.places:
        return words["match_void_title" if match_end.reason == "void" else "match_stopped_title"]
    ranked = ranked_sides(table, match_end, words)
    if seat is None:
        return _winners_sentence(table, ranked, words)
    if seat in match_end.losers:
        return words["you_lost_match" if len(match_end.losers) == 1 else "you_lost_too"]
    return _placement_text(ranked, seat, words)


def outcome_text(table: Table, view: View, match_end: MatchEnded, seat: int | None, words: Words) -> Html:
    """Return how the match ended, without repeating the headline."""
    if not match_end.places:
        return (
            words[f"so_{match_end.reason}"]
            if seat is not None and seat == match_end.seat
            else end_sentence(table, match_end, words)
        )
    ranked = ranked_sides(table, match_end, words)
    winners = _winning_seats(ranked)
    points = view.seats[winners[0]].standing.points
    shows_points = match_end.reason == "finished" and not match_end.losers
    sentences = []
    if match_end.reason != "finished" and seat != match_end.seat:
        sentences.append(end_sentence(table, match_end, words))
    if seat is None or seat in winners:
        if shows_points:
            sentences.append(words.count("final_score", points))
    elif shows_points:
        sentences.append(words.count(f"{_victory_kind(ranked)}_with", points, names=_name_list(table, winners, words)))
    else:
        sentences.append(Html(f"{_winners_sentence(table, ranked, words)}."))
    if match_end.reason == "finished" and match_end.losers and match_end.losers != (seat,):
        sentences.append(_losers_sentence(table, match_end.losers, seat, words))
    return Html(" ".join(sentences))


def end_sentence(table: Table, match_end: MatchEnded, words: Words) -> Html:
    """Return the end of the match in one sentence that names the losers, or the winners if nobody lost."""
    if match_end.reason == "void" and table.void_reason:
        return Html(f"{words['match_void']} {words.fill('reason', reason=escape(reason_text(table.void_reason)))}")
    if match_end.seat is not None and table.people[match_end.seat].removed:
        return words.fill("match_removed", name=name_of(table, match_end.seat))
    if match_end.reason != "finished":
        has_responsible_seat = match_end.reason in STOP_REASONS_WITH_SEAT and match_end.seat is not None
        key = f"match_{match_end.reason}_by" if has_responsible_seat else f"match_{match_end.reason}"
        return words.fill(key, name=Html("") if match_end.seat is None else name_of(table, match_end.seat))
    if match_end.losers:
        return _losers_sentence(table, match_end.losers, None, words)
    return Html(f"{_winners_sentence(table, ranked_sides(table, match_end, words), words)}.")


def _losers_sentence(table: Table, losers: Sequence[int], viewer: int | None, words: Words) -> Html:
    """Return a sentence about the losers. A viewer among several is "you"."""
    if viewer in losers:
        *names, last = [name_of(table, seat) for seat in losers if seat != viewer]
        phrase_key = "own_match_finished_many" if names else "own_match_finished_two"
        return words.fill(phrase_key, names=Html(", ".join(names)), last=last)
    return words.fill(
        "match_finished" if len(losers) == 1 else "match_finished_many", names=_name_list(table, losers, words)
    )


def ranked_sides(table: Table, match_end: MatchEnded, words: Words) -> list[RankedSeats]:
    """Return the sides by their places."""
    return ranking(match_end.places, sides_of(table, words))


def _winning_seats(ranked: Sequence[RankedSeats]) -> tuple[int, ...]:
    return tuple(seat for rank in ranked if rank.place == 1 for seat in rank.seats)


def _victory_kind(ranked: Sequence[RankedSeats]) -> str:
    """Return which sentence fits: one person won, partners won, or several sides share first place."""
    if sum(rank.place == 1 for rank in ranked) > 1:
        return "shared"
    return "won" if len(_winning_seats(ranked)) == 1 else "won_by_side"


def _winners_sentence(table: Table, ranked: Sequence[RankedSeats], words: Words) -> Html:
    return words.fill(f"match_{_victory_kind(ranked)}", names=_name_list(table, _winning_seats(ranked), words))


def _placement_text(ranked: Sequence[RankedSeats], seat: int, words: Words) -> Html:
    """Return the place of a seat, or of its side."""
    own_rank = next(rank for rank in ranked if seat in rank.seats)
    if own_rank.place == 1 and sum(rank.place == 1 for rank in ranked) > 1:
        return words["you_share"]
    side = Html("side" if len(own_rank.seats) > 1 else "you")
    if own_rank.place == 1:
        return words[f"{side}_won"]
    return words[f"{side}_lost"] if len(ranked) == 2 else words[f"came_{own_rank.place}"]


def _name_list(table: Table, seats: Iterable[int], words: Words) -> Html:
    """Return names as a sentence lists them: ``Anna, Flora and Emil``."""
    return words.all_of([name_of(table, seat) for seat in seats])
