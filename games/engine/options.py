"""Options of a match."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.state import State


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that is chosen when a match is opened.

    ``seats`` are the seat counts with a choice (empty: all); with other counts only the default is allowed.
    ``implied``: records omit the default. ``board_choices`` are for duplicate boards; no host can choose them.
    """

    name: str
    choices: tuple[str, ...]
    default: str
    seats: tuple[int, ...] = ()
    implied: bool = False
    board_choices: tuple[str, ...] = ()


FULL, QUICK, ONE_ROUND = "full", "quick", "round"
# A full match follows the rulebook; a quick one takes five to ten minutes.
LENGTH_OPTION = Option("length", (FULL, QUICK), FULL, implied=True, board_choices=(ONE_ROUND,))


def is_quick(state: State) -> bool:
    return state.option(LENGTH_OPTION.name) == QUICK


def is_one_round(state: State) -> bool:
    """Return True for a board whose rules have matches of several rounds."""
    return dict(state.setup.options).get(LENGTH_OPTION.name) == ONE_ROUND
