"""Bots: players that get a View and nothing else, and answer with a move; their levels.

One module a variant, found by its key, offering its player as ``PLAYER``. Nothing here knows Django or the
record, so any process that gets the view can compute the move.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any

from games.bots.levels import LEVELS
from games.engine.state import State
from games.engine.view import View

if TYPE_CHECKING:
    from games.bots.player import Player


class NoPlayer(LookupError):
    """No module plays this variant."""


def choose(view: View, level: str, seed: int) -> str:
    """Return the move, in notation, of the seat that looks; the same view, level and seed always make the same move.

    Raises ``NoPlayer``, ``KeyError`` if there is no such level, and ``ValueError`` if it is not that seat's turn.
    """
    if view.viewer is None or view.viewer != view.round.to_move:
        raise ValueError("It is not this seat's turn.")
    move = view.legal[0]
    if len(view.legal) > 1:
        chance = Random(seed)  # noqa: S311 (repeatable on purpose)
        move = player_of(view.rules.key).choose(view, view.viewer, chance, LEVELS[level])
    return view.rules.move_text(move)


def evaluate(view: View, position: State | None, seed: int) -> list[float]:
    """Return what each of the legal moves of the seat that looks is worth, in points it gains on the others.

    It is computed from what that seat knows or, if the real position is given, with all hands open.
    Raises ``NoPlayer``, and ``ValueError`` if it is not that seat's turn.
    """
    if view.viewer is None or not view.legal:
        raise ValueError("It is not this seat's turn.")
    player, chance = player_of(view.rules.key), Random(seed)  # noqa: S311 (repeatable on purpose)
    if position is None:
        values = player.values(view, view.viewer, chance)
    else:
        values = player.open_values(view, position, view.viewer, chance)
    return [values[move] for move in view.legal]


@cache
def player_of(variant: str) -> Player[Any]:
    """Return the player of a variant. Raises ``NoPlayer``."""
    if not plays(variant):
        raise NoPlayer(variant)
    player: Player[Any] = import_module(f"{__name__}.{variant}").PLAYER
    return player


@cache
def plays(variant: str) -> bool:
    """Return whether there is a player of a variant."""
    return find_spec(f"{__name__}.{variant}") is not None
