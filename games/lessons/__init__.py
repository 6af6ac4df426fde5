"""Lessons to play: at most one module a variant, found by its key. Every task is a position judged by the real engine.

A task keeps nothing: the position is fixed, and what the learner tries comes with the address of the page.
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
"""The learner's seat."""
Position = Callable[[], State]


@dataclass(frozen=True, slots=True)
class Task:
    """One page of a lesson: what is explained and asked for, in which position, and which moves do it.

    ``wanted`` are the moves, in notation, that solve the task; ``praise`` says what they brought about; ``hint`` is
    said of any other legal move. ``rule`` is the id of the rule that the task teaches.
    """

    title: Text
    text: Text
    position: Position
    wanted: tuple[str, ...]
    praise: Text
    hint: Text
    rule: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the learner sees after trying: the view, whether the task is done, and why a try was refused."""

    view: View
    done: bool = False
    missed: bool = False
    refused: Refusal | None = None


@cache
def lesson_of(variant: str) -> tuple[Task, ...]:
    """Return the tasks of a variant's lesson, none for a variant without a module here."""
    module = f"{__name__}.{variant}"
    tasks: tuple[Task, ...] = import_module(module).LESSON if find_spec(module) else ()
    return tasks
