"""The lesson of Kozel: from the first tile to the goat."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from games.engine.leads import Lead
from games.engine.variants.kozel import RULES
from games.lessons import Task
from games.lessons.positions import lesson_position

position = partial(lesson_position, RULES)

TASKS = (
    Task(
        title=_("The first tile"),
        text=_(
            "Everybody has seven tiles and tries to get rid of them. In the first round, the player with 1-1 "
            "begins. You have it: play it."
        ),
        position=partial(
            position,
            ("1-1 6-4 5-0 3-2 6-6 4-1 2-0", "2-1 3-1 4-0 6-5 4-3 5-2 3-3"),
            boneyard="0-0 1-0 2-2 3-0 4-2 4-4 5-1 5-3 5-4 5-5 6-0 6-1 6-2 6-3",
            lead=Lead(0, "kozel.lead_first", ((1, 1),)),
        ),
        solutions=("1-1",),
        praise=_("The line has begun. It has two ends, and both show 1."),
        hint=_("The first round must begin with 1-1."),
        rule="kozel.lead_first",
    ),
    Task(
        title=_("Playing a tile"),
        text=_(
            "Play a tile at an end that shows one of its numbers. The ends are now 4 and 3. Your 6-4 fits on the "
            "left: play it there."
        ),
        position=partial(
            position,
            ("6-4 3-0 6-6 2-0", "2-1 6-5 5-2"),
            plays=("1-1", "4-1 left", "3-1 right"),
            boneyard="0-0 1-0",
        ),
        solutions=("6-4 left",),
        praise=_("Now the ends are 6 and 3. Doubles lie crosswise, but count like any other tile."),
        hint=_("That works too, but try 6-4 on the left."),
        rule="kozel.turn",
    ),
    Task(
        title=_("Choosing an end"),
        text=_("Your 5-2 fits at both ends. Play it on the right. Then both ends show 5, and you keep 5-5 for later."),
        position=partial(
            position,
            ("5-2 5-5 6-4 3-0", "3-1 6-5 1-0"),
            plays=("1-1", "5-1 left", "2-1 right"),
            boneyard="0-0",
        ),
        solutions=("5-2 right",),
        praise=_("Both ends show 5, and you still have 5-5. Players without a 5 must draw."),
        hint=_("Choose 5-2, then its right end."),
        rule="kozel.turn",
    ),
    Task(
        title=_("Drawing"),
        text=_("None of your tiles fits 6 or 3. Draw from the bazaar until one fits."),
        position=partial(position, ("5-0 2-0 4-4", "2-1 6-5 1-0"), plays=("6-3",), boneyard="6-1 0-0 1-1"),
        solutions=("draw",),
        praise=_(
            "6-1 fits, so you must play it. If the bazaar is empty, you knock, and it is the next player’s turn."
        ),
        hint=_("Nothing fits: draw a tile."),
        rule="kozel.draw",
    ),
    Task(
        title=_("Going out"),
        text=_(
            "Your last tile fits. Play it, and the round is over. The others get the pips they still hold as "
            "points, and points are bad. You get none."
        ),
        position=partial(position, ("4-2", "6-5 3-1 0-0"), plays=("6-4", "6-2 left"), standing=("+9", "0")),
        solutions=("4-2 left", "4-2 right"),
        praise=_(
            "A round under 13 points is only remembered (yellow). You went out, so your remembered points are gone. "
            "The other player gets 15 points, which open an account (red)."
        ),
        hint=_("Play your last tile."),
        rule="kozel.out",
    ),
    Task(
        title=_("The fish"),
        text=_(
            "The ends are 2 and 5, and every 2 except your 5-2 is on the table. Play it on the right. Then both "
            "ends show 2, nobody can play, and all hands are counted."
        ),
        position=partial(
            position,
            ("5-2 1-0", "6-5 6-6 5-4"),
            plays=(
                *("6-0", "2-0 right", "6-2 left", "3-2 right", "2-2 left"),
                *("5-3 right", "2-1 left", "4-1 left", "4-2 left"),
            ),
        ),
        solutions=("5-2 right",),
        praise=_("A fish! You hold 1 pip, the other player 32. Well done!"),
        hint=_("Choose 5-2, then its right end."),
        rule="kozel.fish",
    ),
    Task(
        title=_("The goat"),
        text=_(
            "The other player has 95 points. With 101 or more, you are the goat and lose the match. Go out, and see "
            "who it is."
        ),
        position=partial(position, ("5-1", "6-6 6-4 4-4"), plays=("5-3", "5-5 left"), standing=("=40", "=95")),
        solutions=("5-1 left",),
        praise=_("The match is over. Now you know Kozel. Find a table, and don’t be the goat!"),
        hint=_("Play your last tile."),
        rule="kozel.goat",
    ),
)
