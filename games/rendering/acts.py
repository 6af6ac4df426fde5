"""The viewer's own zone while no round is played: before the match, between rounds, after it, or watching.

Every act is a button of a form in the page (``act`` posts, ``ready`` also goes over the socket).
"""

from __future__ import annotations

from games.engine.view import View
from games.enums import Occupant, Status
from games.links import path_to
from games.match.table import Table
from games.rendering.seats import name_of
from games.words.lookup import Words


def waiting(table: Table, seat: int | None, words: Words) -> str:
    """Return what one can do before the match starts."""
    missing = any(person.kind == Occupant.EMPTY for person in table.people)
    if table.status != Status.OPEN or table.is_starting:
        return _zone(_said(words["starting"]) + _nonce(table, seat), words, seat)
    if seat is None:
        return _zone(_said(words["sit_down" if missing else "watching"]), words, seat)
    nonce = _nonce(table, seat)
    if seat == table.host_seat:
        said, acts = ("seats_missing", ("fill", "stand")) if missing else ("all_here", ("start", "stand"))
        return _zone(_said(words[said]) + _acts(table, acts, words) + nonce, words, seat)
    host = table.host_seat
    said = words["seats_missing"] if missing or host is None else words["host_starts"] % {"name": name_of(table, host)}
    return _zone(_said(said) + _acts(table, ("stand",), words) + nonce, words, seat)


def between_rounds(table: Table, view: View, words: Words) -> str:
    """Return the viewer's part of the pause: being ready."""
    if view.viewer is None:
        return _zone(_said(words["next_round"]), words, view.viewer)
    if table.people[view.viewer].ready:
        return _zone(_said(words["ready_wait"]), words, view.viewer)
    button = f'<button id="is-ready" class="button act" form="ready">{words["ready"]}</button>'
    return _zone(_said(words["next_round"]) + button, words, view.viewer)


def replaced(table: Table, view: View, seat: int, words: Words) -> str:
    """Return how and when to come back to a seat that a bot keeps as long as the round lasts."""
    if view.round.over is None and table.people[seat].ready:
        return _zone(_said(words["comes_back"]), words, seat)
    said = words["replaced" if view.round.over is None else "replaced_pause"]
    button = f'<button id="take-back" class="button act" form="ready">{words["take_back"]}</button>'
    return _zone(_said(said) + button, words, seat)


def finished(table: Table, view: View, words: Words) -> str:
    """Return what follows a match."""
    again = ""
    if table.rematch:
        again = _link("match", table.rematch, words["to_rematch"], "button act")
    elif view.viewer is not None and table.status == Status.FINISHED:
        again = _acts(table, ("rematch",), words)
    scores = _link("match-scores", table.slug, words["all_rounds"])
    return _zone(again + scores + _link("match-review", table.slug, words["review"]), words, view.viewer)


def watching(words: Words) -> str:
    """Return the zone of somebody who only looks on."""
    return _zone(_said(words["watching"]), words, None)


def own_zone(body: str, label: str, seat: int | None, *, mine: bool = False) -> str:
    """Return the viewer's own zone. It names the seat, so that a page of another viewer finds out (js/viewer.js)."""
    viewer = "" if seat is None else f' data-viewer="{seat}"'
    classes = "hand mine" if mine else "hand"
    return f'<section id="hand" class="{classes}"{viewer} aria-label="{label}" tabindex="-1">{body}</section>'


def _zone(body: str, words: Words, seat: int | None) -> str:
    return own_zone(f'<div class="task">{body}</div>', words["your_seat"], seat)


def _said(text: str) -> str:
    return f'<p id="task" role="status">{text}</p>'


def _link(name: str, slug: str, text: str, classes: str = "button") -> str:
    return f'<a class="{classes}" href="{path_to(name, slug)}">{text}</a>'


def _nonce(table: Table, seat: int | None) -> str:
    """Return what the page of somebody who sits here has to know to commit to a nonce, and to open it in time."""
    if seat is None:
        return ""
    stage = table.due_kind if table.is_starting else ""
    given = " ".join(person.nonce_commitment or "-" for person in table.people)
    own = table.people[seat].nonce_commitment
    return (
        f'<data id="nonce" hidden value="{own}" data-stage="{stage}" data-match="{table.slug}" '
        f'data-commitment="{table.commitment}" data-given="{given}"></data>'
    )


def _acts(table: Table, names: tuple[str, ...], words: Words) -> str:
    """Return buttons that post, the first one the likeliest."""
    return "".join(
        f'<button id="{name}" class="button{" act" if place == 0 else ""}" form="act" '
        f'formaction="{path_to(f"match-{name}", table.slug)}">{words[name]}</button>'
        for place, name in enumerate(names)
    )
