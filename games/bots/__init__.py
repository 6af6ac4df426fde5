"""Bots: players that choose a move from a View alone; their levels.

Every variant has a module named by its key, with its player as ``PLAYER``. Bots use neither Django nor the record, so
any process can compute a move from a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, repeat
from random import Random
from statistics import fmean
from time import process_time
from typing import TYPE_CHECKING, Any

from games.bots.levels import LEVELS
from games.bots.outcomes import sample_chances, sample_outcomes
from games.engine.outcome import Outcome, mean_outcome
from games.engine.state import State
from games.engine.view import View

if TYPE_CHECKING:
    from games.bots.player import BotPlayer


class NoBotForVariant(LookupError):
    """The variant has no player."""


def choose_move(view: View, level: str, seed: int) -> str:
    """Return the notation of the viewer's move. The same view, level and seed always give the same move.

    Raises ``NoBotForVariant``, ``KeyError`` for an unknown level, and ``ValueError`` if it is not the viewer's turn.
    """
    if view.viewer is None or view.viewer != view.round.to_move:
        raise ValueError("It is not this seat's turn.")
    move = view.legal[0]
    if len(view.legal) > 1:
        chance = Random(seed)  # noqa: S311 (repeatable on purpose)
        move = bot_for_variant(view.rules.key).choose_move(view, view.viewer, chance, LEVELS[level])
    return view.rules.move_text(move)


def evaluate_moves(view: View, position: State | None, seed: int) -> list[float]:
    """Return what the bot expects of every legal move of the viewer, in points gained on the opponents.

    Winning the match counts as many points more, and some bots look only a few turns ahead; ``evaluate_outcomes`` does
    neither. Without ``position`` only the view is used; with it, all hands are open.
    Raises ``NoBotForVariant``, and ``ValueError`` if it is not the viewer's turn.
    """
    if view.viewer is None or not view.legal:
        raise ValueError("It is not this seat's turn.")
    bot, chance = bot_for_variant(view.rules.key), Random(seed)  # noqa: S311 (repeatable on purpose)
    if position is None:
        values = bot.move_values(view, view.viewer, chance)
    else:
        values = bot.open_move_values(view, position, view.viewer, chance)
    return [values[move] for move in view.legal]


def evaluate_outcomes(view: View, position: State | None, seed: int) -> list[Outcome]:
    """Return the points and the winning chance of every legal move of the viewer, as ``evaluate_moves`` its value."""
    if view.viewer is None or not view.legal:
        raise ValueError("It is not this seat's turn.")
    player, chance = bot_for_variant(view.rules.key), Random(seed)  # noqa: S311 (repeatable on purpose)
    games = player.sample_positions(view, chance) if position is None else repeat(player.simulation(position))
    first, *rest = islice(games, player.positions_per_move(view.legal))
    rows = sample_outcomes(player, first.numbers(view.legal), (first, *rest), view.viewer, chance)
    return list(map(mean_outcome, zip(*rows, strict=True)))


def estimate_chances(view: View, playouts: int, seed: int) -> list[float]:
    """Return the chance of each seat to win the match, from what the view shows.

    Raises ``NoBotForVariant``, ``KeyError`` for a table without a model of the score, and ``ValueError`` between
    rounds.
    """
    chance = Random(seed)  # noqa: S311 (repeatable on purpose)
    samples = islice(sample_chances(bot_for_variant(view.rules.key), view, chance), playouts)
    return [fmean(chances) for chances in zip(*samples, strict=True)]


def estimate_chances_timed(
    views: Sequence[View], seeds: Sequence[int], playouts: int
) -> tuple[list[tuple[float, ...]], float]:
    """Return the chances in several positions, and the seconds of processor time that they took."""
    begin = process_time()
    estimates = [tuple(estimate_chances(view, playouts, seed)) for view, seed in zip(views, seeds, strict=True)]
    return estimates, process_time() - begin


@cache
def bot_for_variant(variant: str) -> BotPlayer[Any]:
    """Raises ``NoBotForVariant``."""
    if not has_bot_for_variant(variant):
        raise NoBotForVariant(variant)
    bot: BotPlayer[Any] = import_module(f"{__name__}.{variant}").PLAYER
    return bot


@cache
def has_bot_for_variant(variant: str) -> bool:
    return find_spec(f"{__name__}.{variant}") is not None
