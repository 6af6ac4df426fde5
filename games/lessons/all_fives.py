"""The lesson of All Fives: counting ends, the spinner and the target."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from games.engine.variants.all_fives import RULES
from games.lessons import Task
from games.lessons.positions import lesson_position

position = partial(lesson_position, RULES)

TASKS = (
    Task(
        title=_("Counting"),
        text=_(
            "After every tile, the ends of the line are added up. If the sum is 5, 10, 15 and so on, you score it. "
            "Both halves of the first tile count. Lead the tile that scores 10."
        ),
        position=partial(
            position,
            ("6-4 5-0 4-1 6-6 3-1 2-2 5-3 6-1 0-0", "2-1 3-3 4-0 6-5 4-3 5-2 1-0 4-4 5-5"),
            boneyard="1-1 2-0 3-0 3-2 4-2 5-1 5-4 6-0 6-2 6-3",
        ),
        solutions=("6-4",),
        praise=_("6 + 4 = 10 points, straight away."),
        hint=_("That tile does not make 10. Which one does?"),
        rule="all_fives.count",
    ),
    Task(
        title=_("A double at an end"),
        text=_("The ends are 4 and 2. If a double is at an end, both its halves count. Play 4-4 on the left."),
        position=partial(position, ("4-4 4-3 3-2 5-1", "2-1 6-5 1-0"), plays=("4-2",), boneyard="0-0 1-1"),
        solutions=("4-4 left",),
        praise=_("2 × 4 + 2 = 10 points. The first double of a round is the spinner. More about that next."),
        hint=_("That scores less. Try 4-4."),
        rule="all_fives.score",
    ),
    Task(
        title=_("The spinner"),
        text=_(
            "6-6 is the spinner. Its top and bottom open once it has a tile on the left and on the right. "
            "Play 6-1 on the right."
        ),
        position=partial(position, ("6-1 6-4 5-0 2-0", "2-1 6-5 1-0"), plays=("6-6", "6-3 left"), boneyard="0-0 1-1"),
        solutions=("6-1 right",),
        praise=_("Now a 6 also fits above and below. The spinner itself no longer counts: 3 + 1 = 4."),
        hint=_("Play 6-1 on the right side of the spinner."),
        rule="all_fives.spinner",
    ),
    Task(
        title=_("Four arms"),
        text=_("Three arms end with 3, 1 and 4. Start the fourth: play 6-2 below the spinner."),
        position=partial(
            position,
            ("6-2 6-5 3-0 4-3", "2-1 5-4 1-0"),
            plays=("6-6", "6-3 left", "6-1 right", "6-4 up"),
            boneyard="0-0 1-1",
        ),
        solutions=("6-2 down",),
        praise=_("3 + 1 + 4 + 2 = 10 points."),
        hint=_("That does not make 10. Try 6-2 below the spinner."),
        rule="all_fives.count",
    ),
    Task(
        title=_("Drawing"),
        text=_("None of your tiles fits 5 or 3. Draw until one fits."),
        position=partial(position, ("6-4 1-0 2-2", "6-5 1-1"), plays=("5-3",), boneyard="4-3 0-0 2-0"),
        solutions=("draw",),
        praise=_("4-3 fits, so you must play it: 5 + 4 = 9, no points. If the boneyard is empty, you pass."),
        hint=_("Draw a tile."),
        rule="all_fives.turn",
    ),
    Task(
        title=_("Going out"),
        text=_(
            "If you go out, you score nothing, but everyone else loses the pips they hold, rounded to the nearest "
            "five. Play your last tile."
        ),
        position=partial(position, ("3-1", "6-5 1-1"), plays=("5-3",), standing=(45, 30)),
        solutions=("3-1 right",),
        praise=_(
            "The other player holds 13 pips, rounded to 15, and drops from 30 points to 15. You keep your 45 and "
            "lead the next round."
        ),
        hint=_("Play your last tile."),
        rule="all_fives.hand_end",
    ),
    Task(
        title=_("The target"),
        text=_("You have 240 points. With 250 you win at once, even in the middle of a round. Make 10."),
        position=partial(
            position, ("4-4 4-3 6-0", "2-1 6-5 1-0"), plays=("4-2",), boneyard="0-0 1-1", standing=(240, 245)
        ),
        solutions=("4-4 left",),
        praise=_("250 points: you win. The other tiles no longer matter."),
        hint=_("That does not make 10 points."),
        rule="all_fives.target",
    ),
)
