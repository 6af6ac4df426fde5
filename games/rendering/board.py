"""The tiles on the table, and the spots where the viewer's tiles would go."""

from __future__ import annotations

from games.engine.moves import Play
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from games.engine.view import View
from games.geometry import arrange, spot_of
from games.geometry.spots import Arrangement, Laid
from games.rendering.layouts import described
from games.rendering.sprites import key
from games.wording import Words


def board(view: View | None, words: Words) -> str:
    """Return the table itself. Only the tile laid last carries a class, so only it moves when it is new."""
    layout = rules_for(words.variant).layout if view is None else view.layout
    drawn = arrange(layout)
    by = view.plays[-1].seat if view is not None and view.plays else None
    newest = len(drawn.tiles) - 1
    tiles = "".join([_tile(laid, f' class="last by{by}"' if laid.order == newest else "") for laid in drawn.tiles])
    return (
        f'<div id="board" class="board"><svg viewBox="{window(drawn)}" aria-hidden="true">'
        f'<g id="camera" transform="{camera(drawn)}">{tiles}</g></svg>'
        f'<p id="board-text" class="visually-hidden">{described(layout, words)}</p></div>'
    )


def spots(view: View | None, words: Words, chosen: str) -> str:
    """Return the spots of the viewer's legal placements: seen for the chosen tile only, pressed by pointer only."""
    drawn = arrange(rules_for(words.variant).layout if view is None else view.layout)
    plays = [] if view is None else [move for move in view.legal if isinstance(move, Play)]
    slots = "".join([_slot(view, play, chosen) for play in plays]) if view is not None else ""
    return (
        f'<svg id="spots" class="spots" viewBox="{window(drawn)}" aria-hidden="true">'
        f'<g transform="{camera(drawn)}">{slots}</g></svg>'
    )


def window(drawn: Arrangement) -> str:
    """Return what is seen of a drawing, as a viewBox."""
    return "{} {} {} {}".format(*drawn.window)


def camera(drawn: Arrangement) -> str:
    """Return how the whole drawing is moved to stay inside its window."""
    moved = f"translate(0 {drawn.shift})"
    return moved if drawn.scale == 1 else f"scale({drawn.scale:.3f}){moved}"


def _tile(laid: Laid, marks: str) -> str:
    name = key(laid.tile)
    x, y, angle = laid.spot
    return f'<use id="t{name}" href="#s{name}"{marks} transform="translate({x} {y})rotate({angle})"/>'


def _slot(view: View, play: Play, chosen: str) -> str:
    x, y, angle = spot_of(view.layout, play.tile, play.place)
    shown = ' class="on"' if chosen == tile_text(play.tile) else ""
    move = rules_for(view.variant).move_text(play)
    return f'<use href="#slot" data-move="{move}"{shown} transform="translate({x} {y})rotate({angle})"/>'
