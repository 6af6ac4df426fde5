"""The lesson of Classic goat."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from games.engine.leads import Lead
from games.engine.variants.gamezz import RULES
from games.lessons import Task
from games.lessons.positions import lesson_position

position = partial(lesson_position, RULES)

TASKS = (
    Task(
        title=_("The first tile"),
        text=_(
            "Try to get rid of your tiles. Every round begins with 0-0. If nobody has it, 6-6 begins, or else 5-5, "
            "and so on. You have 0-0: play it."
        ),
        position=partial(
            position,
            ("0-0 6-6 5-1 4-2 3-1 2-0 6-3", "2-1 3-3 4-0 6-5 4-3 5-2 1-0"),
            boneyard="1-1 2-2 3-0 3-2 4-1 4-4 5-0 5-3 5-4 5-5 6-0 6-1 6-2 6-4",
            lead=Lead(0, "gamezz.lead", ((0, 0),)),
        ),
        solutions=("0-0",),
        praise=_("The line has begun, and both its ends show 0."),
        hint=_("This round must begin with 0-0."),
        rule="gamezz.lead",
    ),
    Task(
        title=_("Choosing an end"),
        text=_(
            "Play a tile at an end that shows one of its numbers. Your 5-3 fits both ends. Play it on the right, so "
            "that both show 5."
        ),
        position=partial(
            position,
            ("5-3 5-5 4-3 6-1", "2-1 6-4 1-0"),
            plays=("0-0", "5-0 left", "3-0 right"),
            boneyard="1-1",
        ),
        solutions=("5-3 right",),
        praise=_("Both ends show 5, and you still have 5-5."),
        hint=_("Choose 5-3, then its right end."),
        rule="gamezz.turn",
    ),
    Task(
        title=_("Drawing"),
        text=_("None of your tiles fits 6 or 1. Draw tiles one by one until one fits."),
        position=partial(position, ("5-0 4-4 3-2", "6-5 3-1"), plays=("6-1",), boneyard="2-1 0-0 1-1"),
        solutions=("draw",),
        praise=_("2-1 fits, so you must play it. If the boneyard is empty, you pass."),
        hint=_("Draw a tile."),
        rule="gamezz.draw",
    ),
    Task(
        title=_("Blocking"),
        text=_(
            "All tiles with a 2 are on the table, except your 5-2. Play it on the right, and nothing fits any more. "
            "If you block the line, you get no points, however heavy your hand is."
        ),
        position=partial(
            position,
            ("5-2 6-6", "6-5 5-4 4-3"),
            plays=(
                *("6-0", "2-0 right", "6-2 left", "3-2 right", "2-2 left"),
                *("5-3 right", "2-1 left", "4-1 left", "4-2 left"),
            ),
        ),
        solutions=("5-2 right",),
        praise=_("Blocked. Your 12 pips don’t count, and the other player gets 27 points."),
        hint=_("Choose 5-2, then its right end."),
        rule="gamezz.score_block",
    ),
    Task(
        title=_("Going out"),
        text=_(
            "Your last tile fits. The other player has 95 points and gets the pips they still hold. With 101 or "
            "more, you lose the match. Go out."
        ),
        position=partial(position, ("4-2", "6-5 3-1 0-0"), plays=("6-4", "6-2 left"), standing=(40, 95)),
        solutions=("4-2 left", "4-2 right"),
        praise=_("The other player now has 95 + 15 = 110 points and loses. You win the match."),
        hint=_("Play your last tile."),
        rule="gamezz.end",
    ),
)
