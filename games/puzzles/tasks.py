"""Puzzles and mistakes as tasks of a lesson."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext as _

from games.lessons import Task
from games.puzzles import Puzzle
from games.puzzles.mistakes import Mistake
from games.words.lookup import number_text


def task_of(puzzle: Puzzle, title: str) -> Task:
    """Return what the page asks for; only the best move does it."""
    margin = number_text(puzzle.margin)
    return Task(
        title=title,
        text=_("It is your turn. Which move is worth most, by what you can see and have seen?"),
        position=partial(getattr, puzzle, "position"),
        solutions=(puzzle.moves[0].move,),
        praise=_("It is worth %(points)s points more than the next best move.") % {"points": margin},
        hint=_("There is a move that is worth much more."),
        rule="",
    )


def task_of_mistake(mistake: Mistake, title: str, made: str, tried: str) -> Task:
    """Return what the page asks for; any move that cannot be told from the best one does it.

    ``made`` is what was played, in words, and ``tried`` a move in notation, "" for none yet.
    """
    gain = number_text(round(mistake.gain(tried), 1)) if tried in mistake.wanted else ""
    return Task(
        title=title,
        text=_("In the match: %(made)s. Which move is worth more, by what you could know?") % {"made": made},
        position=partial(getattr, mistake, "position"),
        solutions=mistake.wanted,
        praise=_("It is worth %(points)s points more than what you played.") % {"points": gain},
        hint=_("There is a better move."),
        rule="",
        seat=mistake.choice.seat,
    )
