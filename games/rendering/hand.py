"""The zone of a seated viewer while a round is played: tiles as buttons, what to do now, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.engine.events import Points
from games.engine.layout import Layout
from games.engine.moves import Draw, Play
from games.engine.tiles import Tile
from games.engine.view import View
from games.html import Html, escape
from games.match.table import Table
from games.rendering.acts import CLOSING, opening
from games.rendering.changes import Element, Zone
from games.rendering.company import question
from games.rendering.layouts import drawing_of
from games.rendering.layouts.drawing import Drawing
from games.rendering.pieces import key, named_upright, sides, tile_name
from games.rendering.seats import name_of
from games.rendering.status import has_drawing
from games.words.lookup import Words, rule_link

Hand = tuple[Tile, ...]
Options = dict[Tile, list[Play]]
"""Placements by tile."""
Places = Mapping[Play, Points]
"""The placements of the chosen tile from the top of the table down, with what each scores."""
NO_FIT = Html("")
MOVE, ASK = Html('name="move"'), Html('form="choose" name="tile"')
"""What pressing a tile sends: a move by the form around the hand, or the question where the tile fits."""
DRAW, PASS = Html("draw"), Html("pass")


def hand(table: Table, view: View, words: Words, places: Places) -> Zone:
    """Return the viewer's tiles with everything they can do."""
    viewer = view.viewer or 0
    held = view.seats[viewer].hand or ()
    moves = drawing_of(view.round.layout).impossible_moves(held)
    mine = view.round.to_move == viewer
    begin = _begin(viewer, words, mine=mine, lag_ms=table.people[viewer].lag_ms)
    if not mine:
        asked = question(table, view, words)
        task = _said(asked.said) if asked else _awaited(table, view, words)
        return begin, task, *_resting(held, moves, asked.answers if asked else NO_FIT)
    options = placements(view)
    ways = Html(f"{_button(view, words)}{_choice(view, places, words)}</div>")
    tiles = _row(held, _offered(view, moves, options, words, places))
    return begin, _said(_task(view, options, words)), ways, tiles, CLOSING


@lru_cache(maxsize=1024)
def _begin(viewer: int, words: Words, *, mine: bool, lag_ms: int) -> Html:
    return Html(f'{opening(words["your_tiles"], viewer, mine=mine, lag_ms=lag_ms)}<div class="task">')


def followed(view: View) -> Html:
    """Return the viewer's tiles while a bot plays them: to look at, not to press."""
    held = view.seats[view.viewer or 0].hand if view.viewer is not None and view.round.over is None else None
    return _shown(held) if held else NO_FIT


@lru_cache(maxsize=4096)
def _shown(held: Hand) -> Html:
    names = [f"h{key(tile)}{'b' * copy}" for tile, copy in zip(held, _copies(held), strict=True)]
    drawn = [
        Html(f'<li><span id="{escape(name)}" role="img" aria-label="{said}">{named_upright(tile)}</span></li>')
        for name, tile, said in zip(names, held, map(tile_name, held), strict=True)
    ]
    return _row(held, Html("".join(drawn)))


def _row(held: Hand, drawn: Html) -> Html:
    return Html(f'<ol class="tiles{sides(held)}" role="list">{drawn}</ol>')


@lru_cache(maxsize=4096)
def _resting(held: Hand, moves: tuple[str, ...], answers: Html) -> tuple[Html, Html, Html]:
    """Return what a player who waits has below the task, the same object as long as nothing changes.

    ``moves`` are those that are refused, tile by tile.
    """
    tiles = Html(
        "".join(
            [
                _tile(tile, Answer(MOVE, escape(move)), NO_FIT, fits=False, pressed=False, copy=copy)
                for tile, move, copy in zip(held, moves, _copies(held), strict=True)
            ]
        )
    )
    return Html(f"{answers}</div>"), _row(held, tiles), CLOSING


@lru_cache(maxsize=4096)
def _said(task: Html) -> Element:
    """Return what a player has to do."""
    return Element("task", Html(f'<p id="task" role="status">{task}</p>'))


def _offered(view: View, moves: tuple[str, ...], options: Options, words: Words, places: Places) -> Html:
    """Return the tiles of the player whose turn it is, each with how it fits."""
    held = view.seats[view.viewer or 0].hand or ()
    asks, pressed_tile = drawing_of(view.round.layout).has_previews, next(iter(places)).tile if places else None
    buttons = []
    for tile, move, copy in zip(held, moves, _copies(held), strict=True):
        plays = options.get(tile, [])
        pressed = not copy and tile == pressed_tile
        answer = _answer(tile, plays, move, words, asks=asks, pressed=pressed)
        buttons.append(_tile(tile, answer, words[_fit(plays, words)], fits=bool(plays), pressed=pressed, copy=copy))
    return Html("".join(buttons))


def _copies(held: Hand) -> list[int]:
    """Return for each tile how many equal ones are before it."""
    return [held[:place].count(tile) for place, tile in enumerate(held)]


def placements(view: View) -> Options:
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
    plays.sort(key=lambda play: _reading_order(drawing, play))
    return {play: view.rules.play_points(view.round, play) for play in plays}


def _reading_order(drawing: Drawing[Layout], play: Play) -> tuple[int, int]:
    spot = drawing.spot(play)
    return spot.y, spot.x


def _awaited(table: Table, view: View, words: Words) -> Element:
    """Return for whom the viewer waits."""
    awaited = view.round.to_move or 0
    phrase = "waiting_away" if table.people[awaited].away else "waiting"
    return _said(words.say(phrase, name=name_of(table, awaited)))


def _task(view: View, tiles: Options, words: Words) -> Html:
    """Return what the viewer has to do, and the rule for it."""
    ends = drawing_of(view.round.layout).open_ends(words)
    if not tiles:
        phrase, rule = _stuck(view, words)
        return Html(words.say(phrase, ends=ends) + _why(rule, words))
    if view.lead_rule:
        phrase = "lead_forced" if len(tiles) == 1 else "lead_one_of"
        lead = words.say(phrase, tiles=words.one_of([tile_name(tile) for tile in tiles]))
        return Html(lead + _why(view.lead_rule, words))
    if not view.round.plays:
        return words["lead_free"]
    if act := _act(view):
        return words[f"play_or_{act}"]
    return words.say("drawn_fits" if view.round.drawn else "play_ends", ends=ends)


def _stuck(view: View, words: Words) -> tuple[str, str]:
    """Return what to tell a player who can place nothing, and the rule for it."""
    rules = words.rules
    if _act(view) == DRAW:
        return "draw_reason", rules.draw_rule
    if view.price.terms:
        return "pass_price_reason", view.price.terms[0].rule
    return "pass_reason" if has_drawing(view) else "pass_no_draw_reason", rules.pass_rule


def _why(rule: str, words: Words) -> Html:
    return Html(f' <a href="{rule_link(words.variant, rule)}" target="_blank">{words["why"]}</a>')


def _act(view: View) -> Html:
    """Return which of drawing and passing is legal, "" if neither; it comes after all placements."""
    last = view.legal[-1] if view.legal else None
    return NO_FIT if last is None or isinstance(last, Play) else DRAW if isinstance(last, Draw) else PASS


def _button(view: View, words: Words) -> Html:
    """Return drawing or passing as a button, with what it costs and how many draws are left."""
    name = _act(view)
    if not name:
        return NO_FIT
    notes = [words.count("points", view.price.total)] if view.price.total else []
    notes += [words.count("draws", view.draws_left)] if view.draws_left else []
    worth = Html(f" <small>{', '.join(notes)}</small>" if notes else "")
    return Html(f'<button id="{name}" class="button act" {MOVE} value="{name}">{words[name]}{worth}</button>')


class Answer(NamedTuple):
    """What pressing a tile sends: ``MOVE`` or ``ASK``, and what."""

    what: Html
    value: Html


def _answer(tile: Tile, plays: list[Play], vain: str, words: Words, *, asks: bool, pressed: bool) -> Answer:
    """Return what a tile sends: its move, a question for the place if there are several, or that it is deselected.

    A tile that cannot be played can be tried: the refusal cites the rule. ``asks``: even one place is asked for.
    """
    if len(plays) > 1 or (plays and asks):
        return Answer(ASK, Html("" if pressed else tile_name(tile)))
    return Answer(MOVE, escape(words.rules.move_text(plays[0]) if plays else vain))


@lru_cache(maxsize=8192)
def _tile(tile: Tile, answer: Answer, fit: Html, *, fits: bool, pressed: bool, copy: int) -> Html:
    """Return a tile as a button. ``fit`` says in words how it fits, ``copy`` counts equal tiles before it."""
    label = Html(f"{tile_name(tile)}, {fit}" if fit else tile_name(tile))
    marks = Html(' class="fits"' if fits else "")
    if pressed:
        marks = Html(f'{marks} aria-pressed="true"')
    return Html(
        f'<li><button id="h{key(tile)}{"b" * copy}"{marks} {answer.what} value="{answer.value}" aria-label="{label}">'
        f"{named_upright(tile)}</button></li>"
    )


def _fit(plays: list[Play], words: Words) -> str:
    if not plays:
        return "fits_not"
    if len(plays) > 1:
        return "fits_more"
    phrase = f"fits_{plays[0].place}"
    return phrase if phrase in words else "fits"


def _choice(view: View, places: Places, words: Words) -> Html:
    """Return the places of the chosen tile as buttons, each with what it scores."""
    if not places:
        return Html("")
    drawing, plays = drawing_of(view.round.layout), tuple(places)
    buttons = Html("".join([_place(drawing, play, points, words) for play, points in places.items()]))
    if drawing.has_previews:
        buttons = Html(f'<span class="try" aria-hidden="true">{words["try_place"]}</span>{buttons}')
        buttons = Html(buttons + _turn(drawing, plays, words))
    marks = Html(f' tried" data-go="{words["play_here"]}"' if drawing.has_previews else '"')
    question = words.say("choose_end", tile=tile_name(plays[0].tile))
    return Html(
        f'<div id="choice" class="where{marks}><span class="ask">{question}</span> '
        f'<a class="another" href="?">{words["another_tile"]}</a>{buttons}</div>'
    )


def _turn(drawing: Drawing[Layout], plays: Sequence[Play], words: Words) -> Html:
    """Return the button that turns a tile which fits somewhere in several ways; without scripts each has a button."""
    if len({drawing.spot(play)[:2] for play in plays}) == len(plays):
        return Html("")
    sign = Html('<svg class="sign" viewBox="-5 -5 10 10" aria-hidden="true"><use href="#turn"/></svg>')
    return Html(
        f'<button id="turn-tile" type="button" class="button" aria-label="{words["turn_tile"]}" hidden>{sign}</button>'
    )


def _place(drawing: Drawing[Layout], play: Play, points: Points, words: Words) -> Html:
    """Return a place as a button. Where placements have a preview, its name is for people who do not see the table."""
    name = drawing.place_name(play.place, words)
    worth = [drawing.built(play.place, words), worth_text(points, words)]
    said = Html(", ".join([text for text in worth if text]))
    if drawing.has_previews:
        name = Html(f"<span>{name}{',' if said else ''}</span>")
    if said:
        name = Html(f"{name} <small>{said}</small>")
    return Html(f'<button class="button act" {MOVE} value="{escape(words.rules.move_text(play))}">{name}</button>')


def worth_text(points: Points, words: Words) -> Html:
    """Return what a placement scores, with the sum: ``2 + 3 = 5 points``, or "" for nothing.

    Where space is short, the page shows only the points.
    """
    if not points.total:
        return Html("")
    counted = points.terms[0].text.partition(" = ")[0]
    if len(points.terms) > 1:
        counted = " + ".join([str(term.value) for term in points.terms])
    number = words.count("points", points.total)
    return Html(f"<i>{escape(counted)} = </i>{number}" if " " in counted else number)
