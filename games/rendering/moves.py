"""The list of a round's moves. A frame has only the newest; the page appends the ones it lacks (js/beside.js)."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from games.engine.events import BOT, Played
from games.engine.view import View
from games.html import Html, escape
from games.match.table import Table
from games.rendering.pieces import tile_name
from games.rendering.seats import name_or_you
from games.words.lookup import Words

MAX_NEWEST_MOVES = 3  # moves in a frame; a page that missed more of them reloads its list


def newest_moves(table: Table, view: View | None, seat: int | None, words: Words) -> Html:
    """Return the newest moves of the round, for the page to append. The reader sits at ``seat``."""
    round_, lines = _round_and_moves(table, view, seat, words, MAX_NEWEST_MOVES)
    return Html(f'<ol id="moves" hidden data-of="{round_}">{"".join(lines)}</ol>')


def move_list(table: Table, view: View | None, seat: int | None, words: Words) -> Html:
    """Return all moves of the round, the newest last. The reader sits at ``seat``."""
    round_, lines = _round_and_moves(table, view, seat, words, len(view.round.moves) if view else 0)
    return Html(
        f'<ol id="move-list" class="move-list" role="list" tabindex="0" aria-labelledby="moves-title" '
        f'data-of="{round_}">{"".join(lines)}</ol>'
    )


def move_name(act: str, played: Played | None, words: Words, by: str = "", times: int = 1) -> Html:
    """Return a move in a few words: the tile, with its end if the end has a name. A drawn tile is not named.

    ``by`` is who made the move for the player (``clock`` or ``bot``), ``times`` the number of draws in a row.
    """
    if times > 1:
        text = words.count("drew", times)
    elif played is None:
        text = words[f"did_{act}"]
    else:
        phrase_key, tile = f"laid_{played.place}", tile_name(played.tile)
        text = words.fill(phrase_key, tile=tile) if phrase_key in words else tile
    return Html(f'{text} <small class="by">{words[f"by_{by}"]}</small>') if by else text


def signed_points(points: int) -> Html:
    """Return points with their sign: ``+8``."""
    return escape(f"{points:+}".replace("-", "−"))


def _round_and_moves(
    table: Table, view: View | None, viewer: int | None, words: Words, count: int
) -> tuple[int, tuple[Html, ...]]:
    """Return the number of the round and its last ``count`` moves."""
    if view is None:
        return 0, ()
    moves = view.round.moves
    first = max(0, len(moves) - count)
    newest = moves[first:]
    placement_count = sum([move.act == "play" for move in newest])
    plays = islice(view.round.plays, len(view.round.plays) - placement_count, None)
    lines = []
    for number, (seat, act, points, by) in enumerate(newest, first + 1):
        text = move_name(act, next(plays) if act == "play" else None, words, by)
        name = name_or_you(table, seat, None if by == BOT else viewer, words)
        lines.append(_move_line(number, name, text, points.total))
    return view.round.number, tuple(lines)


@lru_cache(maxsize=1024)
def _move_line(number: int, name: Html, move: Html, points: int) -> Html:
    gained = Html(f"<b>{signed_points(points)}</b>" if points else "")
    return Html(f'<li data-number="{number}"><span>{name}</span> <span>{move}</span> {gained}</li>')
