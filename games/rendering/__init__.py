"""View to HTML: pure functions of the public table, one viewer's view and a language.

Markup is put together in Python from cached parts, with names escaped; templates hold only the shell of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.utils.translation import get_language

from games.chat.rendering import messages_zone, spectator_chat_zone
from games.engine.refusal import Refusal
from games.engine.view import View
from games.errors import Refused
from games.geometry.spots import Shape
from games.html import Html
from games.match.table import ChatLine, Table
from games.rendering.changes import Frame, Zone, Zones, as_frame
from games.rendering.frame import (
    hints_zone,
    notice_zone,
    own_parts,
    shared_parts,
)
from games.rendering.layouts import drawing_of
from games.words.lookup import words_for


def shared(
    table: Table, view: View | None, language: str = "", shape: Shape = Shape.EVEN, *, drawn: Zone | None = None
) -> Zones:
    """Return the zones of a frame that all audiences of a language share; render them once for each revision.

    ``drawn`` is the board, if it is that of an earlier revision.
    """
    return Zones(shared_parts(table, view, language or current_language(), shape, drawn))


def frame(
    table: Table,
    view: View | None,
    language: str = "",
    *,
    seat: int | None = None,
    shared_part: Zones | None = None,
    chosen: str = "",
    shape: Shape = Shape.EVEN,
) -> Frame:
    """Return one frame: all that an audience (a seat, or None for the others) sees of a table.

    ``language`` defaults to the current one: switching takes longer than rendering some zones. ``seat`` is only needed
    before the match, when there is no view. ``shared_part`` is what ``shared`` returned. ``chosen`` is the text of the
    tile whose places are shown.
    """
    language = language or current_language()
    audience = seat if view is None else view.viewer
    own = Zones(own_parts(table, view, audience, language, chosen, shape=shape))
    return Frame(shared(table, view, language, shape) if shared_part is None else shared_part, own)


@cache
def shape_of(variant: str, shape: Shape, language: str) -> Shape:
    """Return the shape for which a table is drawn on a felt of this one: a few games have several."""
    shapes = drawing_of(words_for(variant, language).rules.layout).shapes
    return shape if shape in shapes else Shape.EVEN


def hints(table: Table, view: View | None, language: str, *, asked: bool) -> Html:
    """Return the frame of the hints alone, empty for a viewer who turned them off."""
    return as_frame(hints_zone(view, table.variant, language, asked=asked))


def chat(lines: Sequence[ChatLine], language: str, *, muted: bool = False) -> Html:
    """Return the frame of the chat alone, or of what stands in its place where the reader has ``muted`` the table."""
    return as_frame(messages_zone(lines, language, muted=muted))


def spectator_chat(lines: Sequence[ChatLine], language: str) -> Html:
    """Return the frame of the spectator chat alone."""
    return as_frame(spectator_chat_zone(lines, language))


def refusal(error: Refusal | Refused, variant: str) -> Html:
    """Return the frame that tells the person who acted, and nobody else, why something was refused."""
    return as_frame(notice_zone(error, variant, current_language()))


def current_language() -> str:
    """Return the current language."""
    return get_language() or "en"
