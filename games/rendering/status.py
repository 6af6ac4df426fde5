"""The status of a table: round, pot, boneyard, and the last move in a sentence."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Self

from games.engine.events import BOT, CLOCK
from games.engine.view import View
from games.enums import ChatPolicy, Occupant, SeatState, Status
from games.html import EMPTY_HTML, Html, escape
from games.match.table import Table
from games.rendering.pieces import tile_name
from games.rendering.seats import sentence_about_seat, tile_list
from games.rendering.sprites import symbol_icon
from games.rendering.votes import may_agree_to_stop
from games.rendering.zones import Element, Zone
from games.words.lookup import Words

MIN_PEOPLE_TO_CHAT = 2  # people at a table who can write to each other


def status_zone(table: Table, view: View | None, seat: int | None, words: Words) -> Zone:
    """Return the status as the player at ``seat`` reads it, or (None) anybody else."""
    if view is None:
        facts, text = EMPTY_HTML, words[_stage_phrase(table)]
    else:
        facts = _round_facts_html(RoundFacts.from_view(table, view), words)
        text = last_event_text(table, view, seat, words)
    sync = Element("sync", _sync_data(table, view, words))
    last = Element("said", Html(f'<p id="said" role="status">{text}</p>'))
    return Html('<div id="status">'), sync, facts, last, Html("</div>")


def _stage_phrase(table: Table) -> str:
    """Return the phrase for a table before its first deal."""
    if table.status != Status.OPEN or table.is_starting:
        return "begins"
    missing = any(person.kind == Occupant.EMPTY for person in table.people)
    return "open_table" if missing else "ready_to_start"


class RoundFacts(NamedTuple):
    """The facts of a round that the status shows, by which their markup is cached. Most are those of ``View``."""

    round: int
    target: int | None
    length: int | None
    last: bool
    pot: int | None
    has_clock: bool
    pile: str  # the phrase for the tiles that nobody holds, "" if there are none
    tiles: int  # in the pile

    @classmethod
    def from_view(cls, table: Table, view: View) -> Self:
        if has_drawing(view):
            pile, count = "boneyard", view.boneyard_size
        else:
            pile, count = "aside" if view.aside_count else "", view.aside_count
        has_clock = bool(table.timer.move_ms)
        return cls(view.round.number, view.target, view.length, view.last, view.pot, has_clock, pile, count)


@lru_cache(maxsize=4096)
def _round_facts_html(facts: RoundFacts, words: Words) -> Html:
    no_clock = Html("" if facts.has_clock else f'<span class="no-clock">{words["no_clock"]}</span>')
    notes = Html(no_clock + pot_mark(facts.pot, words))
    timer = Html(f'<p class="timer">{notes}</p>' if notes else "")
    return Html(
        f'<div class="facts"><p class="round">{_round_text(facts, words)}</p>{timer}{_pile_text(facts, words)}</div>'
    )


def _round_text(facts: RoundFacts, words: Words) -> Html:
    """Return the number of the round, and what ends the match: a score, a number of rounds, or this round."""
    if facts.target is None:
        several = facts.length is not None and facts.length > 1
        return words.fill("round_of" if several else "round", round=facts.round, of=facts.length or 1)
    number = words.fill("round", round=facts.round)
    if facts.last:
        return Html(f'{number} <b class="last-round">{words["is_last"]}</b>')
    if facts.length:
        return Html(f"{number} · {words.count('aim_rounds', facts.length, points=facts.target)}")
    aim = words.fill("aim", points=facts.target)
    return Html(f"{number} · {aim}")


def _pile_text(facts: RoundFacts, words: Words) -> Html:
    """Return the number of tiles left to draw, or set aside if there were none to draw."""
    if not facts.pile:
        return Html("")
    text = words.count("tiles", facts.tiles)
    return Html(f'<p class="boneyard">{words[facts.pile]} <b aria-hidden="true">{facts.tiles}</b><i>{text}</i></p>')


def phrases_only(table: Table, words: Words) -> bool:
    """Return True if the players may send each other preset phrases only."""
    if table.agreed.chat_policy == ChatPolicy.PRESET_PHRASES:
        return True
    rated = table.agreed.rated and table.status == Status.RUNNING
    return rated and words.rules.has_partners(table.seat_count, dict(table.agreed.options))


def _sync_data(table: Table, view: View | None, words: Words) -> Html:
    """Return the data for scripts: the version and revision that the client sends back, and the state of the match.

    ``data-round`` is 0 before the first round, ``data-move`` the last move: ``play``, ``draw`` or ``pass``.
    ``data-people`` counts the people who play, or may come back: the match ends when the last one leaves.
    """
    number = 0 if view is None else view.round.number
    move = view.round.moves[-1].act if view is not None and view.round.moves else ""
    people = sum([person.user_id is not None for person in table.people])
    present = sum(person.user_id is not None and person.state != SeatState.FORFEITED for person in table.people)
    stops = Html(
        " data-stops" if view is not None and may_agree_to_stop(view) and people >= MIN_PEOPLE_TO_CHAT else ""
    )
    alone = Html(" data-alone" if people < MIN_PEOPLE_TO_CHAT and table.status != Status.OPEN else "")
    silent = Html(" data-phrases-only" if phrases_only(table, words) else "")
    return Html(
        f'<div id="sync" hidden data-status="{escape(table.status)}" data-revision="{table.revision}"'
        f' data-round="{number}" data-move="{escape(move)}" data-people="{present}"{alone}{stops}{silent}>'
        f'<input id="version" type="hidden" form="move" name="v" value="{table.version}"></div>'
    )


def pot_mark(pot: int | None, words: Words) -> Html:
    """Return the pot with the sign of its game: a fish and ``+35``."""
    if not pot:
        return Html("")
    sign = symbol_icon(words.signs["pot"]) if "pot" in words.signs else Html("")
    return Html(f'<span class="pot"><i>{words["pot"]} </i>{sign}+{pot}</span>')


def last_event_text(table: Table, view: View, viewer: int | None, words: Words) -> Html:
    """Return the last move or event in a sentence, as everybody saw it. ``viewer`` is the seat of the reader."""
    if view.round.over is not None:
        return round_end_text(table, view, viewer, words)
    if not view.round.moves:
        return _deal_text(table, view, viewer, words)
    points = view.round.moves[-1].points.total
    text = _last_move_text(table, view, viewer, words)
    if view.round.moves[-1].by == CLOCK:
        text = Html(f"{words['clock_moved']} {text}")
    if not points:
        return text
    sign, kind = (Html("+"), Html("won")) if points > 0 else (Html(""), Html("lost"))
    # The id differs from move to move, so the points are a new element and do not count as one that has moved.
    turn = len(view.round.moves) % 2  # the next move has an element of its own
    tag = Html(f'<b id="gained-{turn}" class="gained gained-{kind}">')
    return Html(f"<span>{text}</span> {tag}{sign}{words.count('points', points)}</b>")


def _last_move_text(table: Table, view: View, viewer: int | None, words: Words) -> Html:
    """Return the last move in a sentence. A move that a bot made for the reader is not the reader's own."""
    move = view.round.moves[-1]
    viewer = None if move.by == BOT else viewer
    if move.act != "play":
        return sentence_about_seat(table, move.seat, viewer, "drew" if move.act == "draw" else "passed", words)
    played, parts = view.round.plays[-1], {"tile": tile_name(view.round.plays[-1].tile)}
    phrase_key = f"played_{played.place}" if f"played_{played.place}" in words else "played"
    if played.shown:
        phrase_key, parts["shown"] = "led_showing", tile_list(played.shown)
    elif len(view.round.plays) == 1:
        phrase_key = "led"
    return sentence_about_seat(table, move.seat, viewer, phrase_key, words, **parts)


def round_end_text(table: Table, view: View, viewer: int | None, words: Words) -> Html:
    """Return a sentence about the end of the round, "" while it is played. ``viewer`` is the seat of the reader."""
    round_end = view.round.over
    if round_end is None:
        return Html("")
    phrase_key = f"over_{round_end.reason}"
    if round_end.seat is None:
        return words[phrase_key]
    by_bot = bool(view.round.moves) and view.round.moves[-1].by == BOT
    return sentence_about_seat(table, round_end.seat, None if by_bot else viewer, phrase_key, words)


def _deal_text(table: Table, view: View, viewer: int | None, words: Words) -> Html:
    leader = view.round.to_move if view.round.leader is None else view.round.leader
    if leader is None:
        return Html("")
    deal_sentence = sentence_about_seat(table, leader, viewer, "dealt", words, round=view.round.number)
    return Html(f"{deal_sentence} {words['redealt']}" if view.round.attempt > 1 else deal_sentence)


def has_drawing(view: View) -> bool:
    """Return True if there are tiles to draw in this round, or were."""
    return bool(view.boneyard_size) or any(move.act == "draw" for move in view.round.moves)
