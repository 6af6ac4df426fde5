"""The zone of a seated viewer while a round is played: the task with the reason for it, and the tiles as buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from games.engine.events import Points
from games.engine.layout import Layout
from games.engine.moves import Draw, Play
from games.engine.tiles import Tile, is_double
from games.engine.view import View
from games.html import EMPTY_HTML, Html, escape
from games.match.table import Table
from games.rendering.layouts import drawing_of
from games.rendering.layouts.drawing import Drawing
from games.rendering.own_zone import CLOSING_TAG, opening_tag, task_line
from games.rendering.pieces import sides_class, tile_key, tile_name, unlabelled_upright_tile
from games.rendering.seats import name_of
from games.rendering.status import has_drawing
from games.rendering.votes import open_vote
from games.rendering.zones import Element, Zone
from games.words.lookup import Words, rule_link

Hand = tuple[Tile, ...]
Options = dict[Tile, list[Play]]  # placements by tile
Places = Mapping[Play, Points]  # placements of the chosen tile and their points, from the top of the table down
# A tile sends a move with the form around the hand, or asks where it fits.
MOVE_ATTRIBUTES, ASK_ATTRIBUTES = Html('name="move"'), Html('form="choose" name="tile"')
DRAW, PASS = Html("draw"), Html("pass")


def hand_zone(table: Table, view: View, words: Words, places: Places) -> Zone:
    """Return the viewer's tiles and possible actions. ``places`` are those of the chosen tile."""
    viewer = view.viewer or 0
    tiles = view.seats[viewer].hand or ()
    illegal_moves = drawing_of(view.round.layout).impossible_moves(tiles)
    is_own_turn = view.round.to_move == viewer
    tag = opening_tag(words["your_tiles"], viewer, is_own_turn=is_own_turn, lag_ms=table.people[viewer].lag_ms)
    opening = Html(f'{tag}<div class="task">')
    if not is_own_turn:
        vote = open_vote(table, view, words)
        text = vote.text if vote else _whose_turn(table, view, words)
        return opening, _task(text), *_waiting_parts(tiles, illegal_moves, vote.buttons if vote else EMPTY_HTML)
    options = placements_by_tile(view)
    buttons = Html(f"{_draw_or_pass_button(view, words)}{_place_choice(view, places, words)}</div>")
    row = _tile_row(tiles, _tile_buttons(view, illegal_moves, options, words, places))
    return opening, _task(_task_text(view, options, words)), buttons, row, CLOSING_TAG


def tiles_without_buttons(view: View) -> Html:
    """Return the viewer's tiles without buttons while a bot plays them, "" for others and between rounds."""
    tiles = view.seats[view.viewer].hand if view.viewer is not None and view.round.over is None else None
    if not tiles:
        return EMPTY_HTML
    items = [
        Html(
            f'<li><span id="h{tile_key(tile)}{"b" * copy}" role="img" aria-label="{tile_name(tile)}">'
            f"{unlabelled_upright_tile(tile)}</span></li>"
        )
        for tile, copy in zip(tiles, _copies(tiles), strict=True)
    ]
    return _tile_row(tiles, Html("".join(items)))


def _tile_row(tiles: Hand, items: Html) -> Html:
    return Html(f'<ol class="tiles{sides_class(tiles)}" role="list">{items}</ol>')


@lru_cache(maxsize=2048)
def _waiting_parts(tiles: Hand, illegal_moves: tuple[str, ...], buttons: Html) -> tuple[Html, Html, Html]:
    """Return the rest of the zone of a player who waits, the same objects as long as nothing changes.

    ``illegal_moves`` has one for each tile, and ``buttons`` the answers to a vote.
    """
    items = [
        _tile_button(tile, MOVE_ATTRIBUTES, escape(move), EMPTY_HTML, fits=False, pressed=False, copy=copy)
        for tile, move, copy in zip(tiles, illegal_moves, _copies(tiles), strict=True)
    ]
    return Html(f"{buttons}</div>"), _tile_row(tiles, Html("".join(items))), CLOSING_TAG


def _task(text: Html) -> Element:
    return Element("task", task_line(text))


def _tile_buttons(view: View, illegal_moves: tuple[str, ...], options: Options, words: Words, places: Places) -> Html:
    """Return the tiles of the player to move. ``illegal_moves`` has one for each tile.

    A tile with one placement sends it, a tile with several asks for the place, or is deselected. Next to a lone
    double, left and right are the same, so the tile goes right at once. A tile that does not fit can be tried: the
    refusal cites the rule.
    """
    tiles = view.seats[view.viewer or 0].hand or ()
    needs_place = drawing_of(view.round.layout).has_previews
    pressed_tile = next(iter(places)).tile if places else None
    ends_agree = not needs_place and _is_lone_double(view)
    buttons = []
    for tile, illegal, copy in zip(tiles, illegal_moves, _copies(tiles), strict=True):
        plays = options.get(tile, [])[-1:] if ends_agree else options.get(tile, [])
        pressed = not copy and tile == pressed_tile
        if len(plays) > 1 or (plays and needs_place):
            attributes, value = ASK_ATTRIBUTES, Html("" if pressed else tile_name(tile))
        else:
            attributes, value = MOVE_ATTRIBUTES, escape(words.rules.move_text(plays[0]) if plays else illegal)
        fit = words[_fit_phrase(plays, words)]
        buttons.append(_tile_button(tile, attributes, value, fit, fits=bool(plays), pressed=pressed, copy=copy))
    return Html("".join(buttons))


def _is_lone_double(view: View) -> bool:
    plays = view.round.plays
    return len(plays) == 1 and is_double(plays[0].tile)


def _copies(tiles: Hand) -> list[int]:
    """Return for each tile the number of equal ones before it."""
    return [tiles[:index].count(tile) for index, tile in enumerate(tiles)]


def placements_by_tile(view: View) -> Options:
    """Return the viewer's legal placements, tile by tile."""
    options: Options = {}
    for move in view.legal:
        if isinstance(move, Play):
            options.setdefault(move.tile, []).append(move)
    return options


def chosen_places(view: View | None, chosen: str) -> Places:
    """Return the places of the chosen tile, none if none is chosen."""
    if view is None or not chosen:
        return {}
    plays = [move for move in view.legal if isinstance(move, Play) and tile_name(move.tile) == chosen]
    drawing = drawing_of(view.round.layout)
    plays.sort(key=lambda play: (drawing.spot(play).y, drawing.spot(play).x))
    return {play: view.rules.play_points(view.round, play) for play in plays}


def _whose_turn(table: Table, view: View, words: Words) -> Html:
    seat = view.round.to_move or 0
    return words.fill("waiting_away" if table.people[seat].away else "waiting", name=name_of(table, seat))


def _task_text(view: View, tiles: Options, words: Words) -> Html:
    """Return the task of the player to move, with a link to the rule that requires it."""
    ends = drawing_of(view.round.layout).open_ends(words)
    if not tiles:
        phrase_key, rule = _stuck_reason(view, words)
        return Html(words.fill(phrase_key, ends=ends) + _rule_question(rule, words))
    if view.lead_rule:
        phrase_key = "lead_forced" if len(tiles) == 1 else "lead_one_of"
        lead = words.fill(phrase_key, tiles=words.one_of([tile_name(tile) for tile in tiles]))
        return Html(lead + _rule_question(view.lead_rule, words))
    if not view.round.plays:
        return words["lead_free"]
    if act := _draw_or_pass(view):
        return words[f"play_or_{act}"]
    return words.fill("drawn_fits" if view.round.drawn else "play_ends", ends=ends)


def _stuck_reason(view: View, words: Words) -> tuple[str, str]:
    """Return the phrase for a player who cannot place a tile, and the rule that requires it."""
    rules = words.rules
    if _draw_or_pass(view) == DRAW:
        return "draw_reason", rules.draw_rule
    if view.price.terms:
        return "pass_price_reason", view.price.terms[0].rule
    return "pass_reason" if has_drawing(view) else "pass_no_draw_reason", rules.pass_rule


def _rule_question(rule: str, words: Words) -> Html:
    return Html(f' <a href="{rule_link(words.variant, rule, words.language)}" target="_blank">{words["why"]}</a>')


def _draw_or_pass(view: View) -> Html:
    """Return ``draw`` or ``pass`` if it is legal, otherwise "". Legal moves list it after all placements."""
    last = view.legal[-1] if view.legal else None
    return EMPTY_HTML if last is None or isinstance(last, Play) else DRAW if isinstance(last, Draw) else PASS


def _draw_or_pass_button(view: View, words: Words) -> Html:
    """Return the button to draw or pass with its price and the number of draws left, "" if neither is legal."""
    name = _draw_or_pass(view)
    if not name:
        return EMPTY_HTML
    notes = [words.count("points", view.price.total)] if view.price.total else []
    notes += [words.count("draws", view.draws_left)] if view.draws_left else []
    note = Html(f" <small>{', '.join(notes)}</small>" if notes else "")
    return Html(
        f'<button id="{name}" class="button act" {MOVE_ATTRIBUTES} value="{name}">{words[name]}{note}</button>'
    )


@lru_cache(maxsize=1024)
def _tile_button(
    tile: Tile, attributes: Html, value: Html, fit: Html, *, fits: bool, pressed: bool, copy: int
) -> Html:
    """Return a tile as a button. ``fit`` says where it fits, ``copy`` counts equal tiles before it."""
    label = Html(f"{tile_name(tile)}, {fit}" if fit else tile_name(tile))
    marks = Html(' class="fits"' if fits else "")
    if pressed:
        marks = Html(f'{marks} aria-pressed="true"')
    return Html(
        f'<li><button id="h{tile_key(tile)}{"b" * copy}"{marks} {attributes} value="{value}" aria-label="{label}">'
        f"{unlabelled_upright_tile(tile)}</button></li>"
    )


def _fit_phrase(plays: list[Play], words: Words) -> str:
    if not plays:
        return "fits_not"
    if len(plays) > 1:
        return "fits_more"
    phrase_key = f"fits_{plays[0].place}"
    return phrase_key if phrase_key in words else "fits"


def _place_choice(view: View, places: Places, words: Words) -> Html:
    """Return the places of the chosen tile as buttons, each with its points."""
    if not places:
        return EMPTY_HTML
    drawing, plays = drawing_of(view.round.layout), tuple(places)
    buttons = Html("".join([_place_button(drawing, play, points, words) for play, points in places.items()]))
    if drawing.has_previews:
        hint = words["try_place" if len(_spots(drawing, plays)) > 1 else "only_place"]
        buttons = Html(f'<span class="try" aria-hidden="true">{hint}</span>{buttons}')
        buttons = Html(buttons + _turn_button(drawing, plays, words))
    marks = Html(f' tried" data-go="{words["play_here"]}"' if drawing.has_previews else '"')
    question = words.fill("choose_end", tile=tile_name(plays[0].tile))
    return Html(
        f'<div id="choice" class="where{marks}><span class="ask">{question}</span> '
        f'<a class="another" href="?">{words["another_tile"]}</a>{buttons}</div>'
    )


def _spots(drawing: Drawing[Layout], plays: Sequence[Play]) -> set[tuple[int, int]]:
    """Return the middles of the places, one for all the ways in which a tile fits there."""
    return {(spot.x, spot.y) for spot in map(drawing.spot, plays)}


def _turn_button(drawing: Drawing[Layout], plays: Sequence[Play], words: Words) -> Html:
    """Return the button that turns a tile, "" if no place has several ways. Without scripts each way has a button."""
    if len(_spots(drawing, plays)) == len(plays):
        return EMPTY_HTML
    sign = Html('<svg class="sign" viewBox="-5 -5 10 10" aria-hidden="true"><use href="#turn"/></svg>')
    return Html(
        f'<button id="turn-tile" type="button" class="button" aria-label="{words["turn_tile"]}" hidden>{sign}</button>'
    )


def _place_button(drawing: Drawing[Layout], play: Play, points: Points, words: Words) -> Html:
    """Return a place as a button. If placements have a preview, only screen readers need its name."""
    name = drawing.place_name(play.place, words)
    notes = [drawing.built_figure(play.place, words), points_text(points, words)]
    gain = Html(", ".join([note for note in notes if note]))
    if drawing.has_previews:
        name = Html(f"<span>{name}{',' if gain else ''}</span>")
    if gain:
        name = Html(f"{name} <small>{gain}</small>")
    return Html(
        f'<button class="button act" {MOVE_ATTRIBUTES} value="{escape(words.rules.move_text(play))}">{name}</button>'
    )


def points_text(points: Points, words: Words) -> Html:
    """Return the points of a placement with their sum: ``2 + 3 = 5 points``, or "" for none.

    If space is short, the page shows only the points.
    """
    if not points.total:
        return EMPTY_HTML
    terms = points.terms[0].text.partition(" = ")[0]
    if len(points.terms) > 1:
        terms = " + ".join([str(term.value) for term in points.terms])
    number = words.count("points", points.total)
    return Html(f"<i>{escape(terms)} = </i>{number}" if " " in terms else number)
