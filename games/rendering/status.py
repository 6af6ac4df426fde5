"""The status: round, pot, boneyard, and the last move in a sentence."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Self

from games.engine.view import View
from games.enums import Occupant, SeatState, Status, Talk
from games.html import Html, escape
from games.match.table import Table
from games.rendering.changes import Element, Zone
from games.rendering.company import may_stop
from games.rendering.pieces import tile_name
from games.rendering.seats import name_of
from games.rendering.sprites import sign_mark
from games.words.lookup import Words

COMPANY = 2
"""So many people at a table have somebody to write to."""


def status(table: Table, view: View | None, words: Words) -> Zone:
    """Return the line of facts. ``data-`` times are milliseconds since 1970; a script counts them down."""
    if view is None:
        facts, said = _stakes(table, words), words[_stage(table)]
    else:
        facts, said = _facts(Facts.of(table, view), words), said_last(table, view, words)
    sync = Element("sync", _sync(table, view, words))
    last = Element("said", Html(f'<p id="said" role="status">{said}</p>'))
    return Html('<div id="status">'), sync, facts, last, Html("</div>")


def _stage(table: Table) -> str:
    """Return the phrase for a table before its first deal."""
    if table.status != Status.OPEN or table.is_starting:
        return "begins"
    missing = any(person.kind == Occupant.EMPTY for person in table.people)
    return "open_table" if missing else "ready_to_start"


def _stakes(table: Table, words: Words) -> Html:
    """Return why a rated match that has not begun will bring some people no rating points."""
    return Html(
        f'<p class="facts soft small">{words[f"points_{table.no_points}"]}</p>'
        if table.no_points and table.status == Status.OPEN
        else ""
    )


class Facts(NamedTuple):
    """What the line of facts says: of the round and what ends the match (as in ``View``), and of the tiles left."""

    round: int
    target: int | None
    length: int | None
    last: bool
    pot: int | None
    timed: bool
    left: str
    """Which tiles are left, "" if there are none."""
    tiles: int

    @classmethod
    def of(cls, table: Table, view: View) -> Self:
        left, count = ("boneyard", view.boneyard) if has_drawing(view) else ("aside" if view.aside else "", view.aside)
        timed = bool(table.timer.move_ms)
        return cls(view.round.number, view.target, view.length, view.last, view.pot, timed, left, count)


@lru_cache(maxsize=4096)
def _facts(facts: Facts, words: Words) -> Html:
    no_clock = Html("" if facts.timed else f'<span class="no-clock">{words["no_clock"]}</span>')
    beside = Html(no_clock + pot_mark(facts.pot, words))
    timer = Html(f'<p class="timer">{beside}</p>' if beside else "")
    return Html(f'<div class="facts"><p class="round">{_round(facts, words)}</p>{timer}{_left(facts, words)}</div>')


def _round(facts: Facts, words: Words) -> Html:
    """Return the number of the round, and what ends the match: a score, a number of rounds, or this round."""
    if facts.target is None:
        several = facts.length is not None and facts.length > 1
        return words.say("round_of" if several else "round", round=facts.round, of=facts.length or 1)
    said = words.say("round", round=facts.round)
    if facts.last:
        return Html(f'{said} <b class="last-round">{words["is_last"]}</b>')
    aim = words.say("aim_rounds" if facts.length else "aim", points=facts.target, rounds=facts.length or 0)
    return Html(f"{said} · {aim}")


def _left(facts: Facts, words: Words) -> Html:
    """Return how many tiles are left to draw, or set aside if there were none to draw."""
    if not facts.left:
        return Html("")
    spoken = words.count("tiles", facts.tiles)
    return Html(f'<p class="boneyard">{words[facts.left]} <b aria-hidden="true">{facts.tiles}</b><i>{spoken}</i></p>')


def phrases_only(table: Table, words: Words) -> bool:
    """Return whether no free text may pass between the seats."""
    if table.agreed.talk == Talk.PHRASES:
        return True
    rated = table.agreed.rated and table.status == Status.RUNNING
    return rated and words.rules.has_partners(table.seat_count, dict(table.agreed.options))


def _sync(table: Table, view: View | None, words: Words) -> Html:
    """Return what the client sends back: the version a move was chosen at, the revision it has seen.

    And what it notices by: the number of the round (0 before the first) and the last move, ``play``, ``draw`` or
    ``pass``.
    """
    number = 0 if view is None else view.round.number
    move = view.round.moves[-1].act if view is not None and view.round.moves else ""
    people = sum([person.user_id is not None for person in table.people])
    stops = Html(" data-stops" if view is not None and may_stop(view) and people >= COMPANY else "")
    alone = Html(" data-alone" if people < COMPANY and table.status != Status.OPEN else "")
    silent = Html(" data-phrases-only" if phrases_only(table, words) else "")
    return Html(
        f'<div id="sync" hidden data-status="{escape(table.status)}" data-revision="{table.revision}"'
        f' data-round="{number}" data-move="{escape(move)}" data-people="{_people(table)}"{alone}{stops}{silent}>'
        f'<input id="version" type="hidden" form="move" name="v" value="{table.version}"></div>'
    )


def _people(table: Table) -> int:
    """Return how many people play, or may come back to their seat: the match ends when the last one leaves."""
    return sum(person.user_id is not None and person.state != SeatState.FORFEITED for person in table.people)


def pot_mark(pot: int | None, words: Words) -> Html:
    """Return the pot with the sign of its game: a fish and ``+35``."""
    if not pot:
        return Html("")
    sign = sign_mark(words.signs["pot"]) if "pot" in words.signs else Html("")
    return Html(f'<span class="pot"><i>{words["pot"]} </i>{sign}+{pot}</span>')


def said_last(table: Table, view: View, words: Words) -> Html:
    """Return the last move or event in a sentence, as everybody saw it."""
    if view.round.over is not None:
        return over_text(table, view, words)
    if not view.round.moves:
        return _dealt(table, view, words)
    points, by = view.round.moves[-1].points.total, view.round.moves[-1].by
    said = _last_move(table, view, words)
    if by == "clock":
        said = Html(f"{words['clock_moved']} {said}")
    return Html(f"<span>{said}</span> {gained(points, words)}" if points else said)


def gained(points: int, words: Words) -> Html:
    """Return points just won or lost: ``+10 points``."""
    sign, kind = (Html("+"), Html("won")) if points > 0 else (Html(""), Html("lost"))
    text = words.count("points", points)
    return Html(f'<b class="gained gained-{kind}">{sign}{text}</b>')


def _last_move(table: Table, view: View, words: Words) -> Html:
    move = view.round.moves[-1]
    name = name_of(table, move.seat)
    if move.act == "draw":
        return words.say("drew", name=name)
    if move.act == "pass":
        return words.say("passed", name=name)
    played = view.round.plays[-1]
    if played.shown:
        shown = Html(", ".join(map(tile_name, played.shown)))
        return words.say("led_showing", name=name, tile=tile_name(played.tile), shown=shown)
    phrase = f"played_{played.place}" if f"played_{played.place}" in words else "played"
    return words.say("led" if len(view.round.plays) == 1 else phrase, name=name, tile=tile_name(played.tile))


def over_text(table: Table, view: View, words: Words) -> Html:
    """Return why the round is over."""
    ended = view.round.over
    if ended is None:
        return Html("")
    name = Html("") if ended.seat is None else name_of(table, ended.seat)
    return words.say(f"over_{ended.reason}", name=name)


def _dealt(table: Table, view: View, words: Words) -> Html:
    leader = view.round.to_move if view.round.leader is None else view.round.leader
    if leader is None:
        return Html("")
    dealt = words.say("dealt", round=view.round.number, name=name_of(table, leader))
    return Html(f"{dealt} {words['redealt']}" if view.round.attempt > 1 else dealt)


def has_drawing(view: View) -> bool:
    """Return whether there are tiles to draw in this round, or were."""
    return bool(view.boneyard) or any(move.act == "draw" for move in view.round.moves)
