"""Lessons and the rules pages: positions to play, judged by the engine.

A task has a fixed position, and the learner's move is part of the page's address. Nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from games.engine.refusal import Refusal
from games.engine.state import State
from games.engine.view import View

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise

LEARNER_SEAT = 0  # the learner's seat
PositionFactory = Callable[[], State]


@dataclass(frozen=True, slots=True)
class Task:
    """One page of a lesson.

    ``solutions`` are the moves, in notation, that solve the task; ``praise`` is shown after one of them, ``hint``
    after any other legal move. ``rule`` is the id of the rule that the task teaches, ``seat`` the seat to move.
    """

    title: Text
    text: Text
    position: PositionFactory
    solutions: tuple[str, ...]
    praise: Text
    hint: Text
    rule: str
    seat: int = LEARNER_SEAT


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of a move. ``is_wrong``: the move was legal but is no solution."""

    view: View
    is_solved: bool = False
    is_wrong: bool = False
    refusal: Refusal | None = None


@cache
def lesson_of(variant: str) -> tuple[Task, ...]:
    """Return the tasks of a variant, () without a lesson."""
    module = f"{__name__}.{variant}"
    tasks: tuple[Task, ...] = import_module(module).TASKS if find_spec(module) else ()
    return tasks
