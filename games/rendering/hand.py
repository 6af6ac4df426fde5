"""The zone of a seated viewer while a round is played: tiles as buttons, what to do now, and why."""

from __future__ import annotations

from games.engine.moves import Draw, Pass, Play
from games.engine.tiles import Tile, tile_text
from games.engine.variants import rules_for
from games.engine.view import View
from games.rendering.layouts import open_ends, place_text
from games.rendering.seats import name_of
from games.rendering.sprites import key, upright
from games.table import Table
from games.wording import Words, rule_link

ACTS = (("draw", Draw()), ("pass", Pass()))


def hand(table: Table, view: View, words: Words, chosen: str) -> str:
    """Return the viewer's tiles with everything they can do. ``chosen`` is the text of a tile, or ""."""
    seat = view.seats[view.viewer or 0]
    options: dict[Tile, list[Play]] = {tile: [] for tile in seat.hand or ()}
    for move in view.legal:
        if isinstance(move, Play):
            options[move.tile].append(move)
    mine = view.to_move == view.viewer
    tiles = [_tile(view, tile, options[tile], words, mine=mine) for tile in seat.hand or ()]
    choices = [_choice(view, plays, words, chosen) for plays in options.values() if len(plays) > 1]
    return (
        f'<section id="hand" class="hand{" mine" if mine else ""}" aria-label="{words["your_tiles"]}" tabindex="-1">'
        f'<div class="task"><p id="task" role="status">{_task(table, view, words)}</p>'
        f"{_acts(view, words)}{''.join(choices)}</div>"
        f'<ol class="tiles" role="list">{"".join(tiles)}</ol></section>'
    )


def _task(table: Table, view: View, words: Words) -> str:
    """Return what the viewer is to do, and the rule that says so."""
    if view.to_move != view.viewer:
        return words["waiting"] % {"name": name_of(table, view.to_move or 0)}
    rules = rules_for(view.variant)
    ends = {"ends": open_ends(view.layout, words)}
    plays = any(isinstance(move, Play) for move in view.legal)
    if not plays and Draw() in view.legal:
        return words["draw_reason"] % ends + _why(rules.draw_rule, words)
    if not plays:
        return words["pass_reason"] % ends + _why(rules.pass_rule, words)
    if view.lead_rule:
        return words["lead_forced"] + _why(view.lead_rule, words)
    if not view.plays:
        return words["lead_free"]
    return words["drawn_fits" if view.drawn else "play_ends"] % ends


def _why(rule: str, words: Words) -> str:
    return f' <a href="{rule_link(words.variant, rule)}" target="_blank">{words["why"]}</a>'


def _acts(view: View, words: Words) -> str:
    return "".join(
        f'<button id="{name}" class="button act" form="move" name="move" value="{name}">{words[name]}</button>'
        for name, move in ACTS
        if move in view.legal
    )


def _tile(view: View, tile: Tile, plays: list[Play], words: Words, *, mine: bool) -> str:
    """Return a tile as a button: it plays where there is one place, asks where there are more.

    Trying a tile that cannot be played is allowed: the answer cites the rule.
    """
    text = tile_text(tile)
    label, marks = text, ""
    form, name, value = "move", "move", text
    if len(plays) > 1:
        form, name = "choose", "tile"
    elif plays:
        value = rules_for(view.variant).move_text(plays[0])
    if mine:
        label = f"{text}, {words[_fit(plays)]}"
        marks = ' class="fits"' if plays else ' class="idle"'
    return (
        f'<li><button id="h{key(tile)}"{marks} form="{form}" name="{name}" value="{value}" data-tile="{text}" '
        f'aria-label="{label}">{upright(tile)}</button></li>'
    )


def _fit(plays: list[Play]) -> str:
    if not plays:
        return "fits_not"
    if len(plays) > 1:
        return "fits_more"
    return f"fits_{plays[0].place}" if plays[0].place in ("left", "right") else "fits"


def _choice(view: View, plays: list[Play], words: Words, chosen: str) -> str:
    """Return the places of one tile as buttons, hidden until the tile is chosen."""
    tile = plays[0].tile
    text = tile_text(tile)
    rules = rules_for(view.variant)
    buttons = "".join(
        f'<button class="button act" form="move" name="move" value="{rules.move_text(play)}">'
        f"{place_text(view.layout, play.place, words)}</button>"
        for play in plays
    )
    return (
        f'<div id="c{key(tile)}" class="choice-of-end"{"" if chosen == text else " hidden"}>'
        f"<span>{words['choose_end'] % {'tile': text}} "
        f'<a class="another" href="?">{words["another_tile"]}</a></span>{buttons}</div>'
    )
