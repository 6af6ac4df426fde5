"""What is going on: round, the clock, the pot, the boneyard, and the last move in a sentence."""

from __future__ import annotations

from games.engine.tiles import tile_text
from games.engine.view import View
from games.enums import Due, Status
from games.match.table import Table
from games.rendering.seats import name_of
from games.words.lookup import Words

SECOND = 1000


def status(table: Table, view: View | None, words: Words) -> str:
    """Return the line of facts. ``data-`` times are milliseconds since 1970; a script counts them down."""
    if view is None:
        waiting = table.status == Status.OPEN and not table.is_starting
        facts, said = _stakes(table, words), words["open_table" if waiting else "begins"]
    else:
        facts, said = _facts(table, view, words), said_last(table, view, words)
    said = f'<p id="said" class="said" role="status">{said}</p>'
    return f'<div id="status" class="status">{_sync(table)}{facts}{said}</div>'


def _stakes(table: Table, words: Words) -> str:
    """Return whose rating points a match that has not begun will not bring, and why."""
    return (
        f'<p class="soft small">{words[f"points_{table.no_points}"]}</p>'
        if table.no_points and table.status == Status.OPEN
        else ""
    )


def _facts(table: Table, view: View, words: Words) -> str:
    return (
        f'<p class="round">{_round(view, words)}</p>'
        f'<p class="timer">{_clock(table, words)}{pot_mark(view.pot, words)}</p>{_boneyard(view, words)}'
    )


def _round(view: View, words: Words) -> str:
    """Return which round it is: of how many, where that is agreed, or that it is the last, once that is known."""
    if view.length is not None:
        return words["round_of" if view.length > 1 else "round"] % {"round": view.round.number, "of": view.length}
    said = words["round"] % {"round": view.round.number}
    return f'{said} <b class="last-round">{words["is_last"]}</b>' if view.last else said


def _sync(table: Table) -> str:
    """Return what the client sends back: the version a move was chosen at, the revision it has seen."""
    return (
        f'<div id="sync" hidden data-status="{table.status}" data-revision="{table.revision}">'
        f'<input id="version" type="hidden" form="move" name="v" value="{table.version}"></div>'
    )


def pot_mark(pot: int, words: Words) -> str:
    """Return the sign of a carried pot: a fish and ``+35``."""
    if not pot:
        return ""
    sign = '<svg class="sign" aria-hidden="true"><use href="#fish"/></svg>'
    return f'<span class="pot"><i>{words["pot"]} </i>{sign}+{pot}</span>'


def said_last(table: Table, view: View, words: Words) -> str:
    """Return the last thing that happened, as everybody saw it."""
    if view.round.over is not None:
        return over_text(table, view, words)
    if not view.round.steps:
        return _dealt(table, view, words)
    points = view.round.steps[-1].points.total
    said = _step(table, view, words)
    return f"<span>{said}</span> {gained(points, words)}" if points else said


def gained(points: int, words: Words) -> str:
    """Return points that were just won or lost: ``+10 points``."""
    sign, kind = ("+", "won") if points > 0 else ("", "lost")
    return f'<b class="gained gained-{kind}">{sign}{words.points(points)}</b>'


def _step(table: Table, view: View, words: Words) -> str:
    step = view.round.steps[-1]
    name = name_of(table, step.seat)
    if step.act == "draw":
        return words["drew"] % {"name": name}
    if step.act == "pass":
        return words["passed"] % {"name": name}
    played = view.round.plays[-1]
    if played.shown:
        shown = ", ".join(map(tile_text, played.shown))
        return words["led_showing"] % {"name": name, "tile": tile_text(played.tile), "shown": shown}
    phrase = f"played_{played.place}" if f"played_{played.place}" in words else "played"
    return words["led" if len(view.round.plays) == 1 else phrase] % {"name": name, "tile": tile_text(played.tile)}


def over_text(table: Table, view: View, words: Words) -> str:
    """Return why the round is over."""
    ended = view.round.over
    if ended is None:
        return ""
    name = "" if ended.seat is None else name_of(table, ended.seat)
    return words[f"over_{ended.reason}"] % {"name": name}


def _dealt(table: Table, view: View, words: Words) -> str:
    if view.round.to_move is None:  # the match ended before the lead
        dealt = words["dealt_in_vain"] % {"round": view.round.number}
    else:
        dealt = words["dealt"] % {"round": view.round.number, "name": name_of(table, view.round.to_move)}
    return f"{dealt} {words['redealt']}" if view.round.attempt > 1 else dealt


def _clock(table: Table, words: Words) -> str:
    if not table.move_ms:
        return f'<span class="no-clock">{words["no_clock"]}</span>'
    if table.due_kind != Due.TIMEOUT or table.turn_started_ms is None or table.deadline_ms is None:
        return '<span class="clock"></span>'
    free_until = table.turn_started_ms + table.move_ms
    bank = (table.deadline_ms - free_until) // SECOND
    return (
        f'<svg class="sign" aria-hidden="true"><use href="#dial"/></svg><i>{words["time_left"]} </i>'
        f'<span id="clock" class="clock" role="timer" data-free="{free_until}" data-deadline="{table.deadline_ms}">'
        f"{table.move_ms // SECOND} s + {bank} s</span>"
    )


def has_drawing(view: View) -> bool:
    """Return whether there are tiles to draw in this round, or were."""
    return bool(view.boneyard) or any(step.act == "draw" for step in view.round.steps)


def _boneyard(view: View, words: Words) -> str:
    """Return how many tiles are left to draw, or set aside where there never were any to draw."""
    if not has_drawing(view) and not view.aside:
        return ""
    label, count = ("boneyard", view.boneyard) if has_drawing(view) else ("aside", view.aside)
    return (
        f'<p class="boneyard"><span class="label">{words[label]}</span> '
        f'<b aria-hidden="true">{count}</b><i>{words.tiles(count)}</i></p>'
    )
