"""A puzzle as a task of a lesson."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext as _

from games.lessons import Task
from games.puzzles import Puzzle
from games.words.lookup import number_text


def task_of(puzzle: Puzzle, title: str) -> Task:
    """Return what the page asks for; only the best move does it."""
    margin = number_text(puzzle.margin)
    return Task(
        title=title,
        text=_("It is your turn. Which move is worth most, by what you can see and have seen?"),
        position=partial(getattr, puzzle, "position"),
        wanted=(puzzle.moves[0].move,),
        praise=_("It is worth %(points)s points more than the next best move.") % {"points": margin},
        hint=_("There is a move that is worth much more."),
        rule="",
    )
