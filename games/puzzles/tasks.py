"""Presents puzzles and mistakes as lesson tasks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _

from games.engine.outcome import Outcome
from games.lessons import Task
from games.puzzles import Puzzle
from games.puzzles.mistakes import Mistake
from games.words.lookup import number_text


def puzzle_task(puzzle: Puzzle, title: str, reasons: Sequence[str] = ()) -> Task:
    """Return a puzzle as a task that only the best move solves. ``reasons`` are sentences about the attempt."""
    # Translators: the points have a decimal, as "4.2"
    praise = _("It is worth %(points)s points more than the next best move.") % {"points": number_text(puzzle.margin)}
    return Task(
        title=title,
        text=_("Your turn. Find the best move."),
        position=partial(getattr, puzzle, "position"),
        solutions=(puzzle.moves[0].move,),
        praise=" ".join([praise, *reasons]),
        hint=" ".join([_("There is a move that is worth much more."), *reasons]),
        rule="",
    )


def mistake_task(mistake: Mistake, title: str, move: str, attempted_move: str, reasons: Sequence[str] = ()) -> Task:
    """Return a mistake as a task that every move solves that is as good as the best one.

    ``move`` is the player's move in words, ``attempted_move`` the attempted one in notation, or "". ``reasons`` are
    sentences about the attempt.
    """
    gain = mistake.gain_of(attempted_move) if attempted_move in mistake.solutions else Outcome(0.0, 0.0)
    chance, points = round(100 * gain.chance), round(gain.points)
    praise = _("It wins %(chance)d more of 100 such matches than your move. In points: %(points)s.") % {
        "chance": chance,
        # Translators: the points have a sign, as "+4"
        "points": f"{'+' if points > 0 else ''}{number_text(points)}",
    }
    return Task(
        title=title,
        # Translators: the move is a tile and its place, "draw" or "pass"
        text=_("In the match: %(move)s. Find a better move.") % {"move": move},
        position=partial(getattr, mistake, "position"),
        solutions=mistake.solutions,
        praise=" ".join([praise, *reasons]),
        hint=" ".join([_("There is a better move."), *reasons]),
        rule="",
        seat=mistake.choice.seat,
    )
