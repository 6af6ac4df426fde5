"""Lessons and the rules pages: positions to play, which the engine judges.

A task has no state: the position is fixed, and the learner's move is part of the page's address.
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

LEARNER = 0
"""The learner's seat in a lesson."""
Position = Callable[[], State]


@dataclass(frozen=True, slots=True)
class Task:
    """One page of a lesson: what it explains and asks for, the position, and the moves that solve it.

    ``wanted`` are the moves, in notation, that solve the task; ``praise`` is shown after one of them, ``hint``
    after any other legal move. ``rule`` is the id of the rule that the task teaches. ``seat`` is whose move it is.
    """

    title: Text
    text: Text
    position: Position
    wanted: tuple[str, ...]
    praise: Text
    hint: Text
    rule: str
    seat: int = LEARNER


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the learner sees after trying: the view, whether the task is done, and why a try was refused."""

    view: View
    done: bool = False
    missed: bool = False
    refused: Refusal | None = None


@cache
def lesson_of(variant: str) -> tuple[Task, ...]:
    """Return the tasks of a variant's lesson, () if it has none."""
    module = f"{__name__}.{variant}"
    tasks: tuple[Task, ...] = import_module(module).LESSON if find_spec(module) else ()
    return tasks
