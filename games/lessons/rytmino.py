"""The lesson of Rytmino: rhythms, products, and what closes a place."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from games.engine.variants.rytmino import RULES
from games.lessons import Task
from games.lessons.positions import lesson_position

position = partial(lesson_position, RULES)
START_PAIR = ("H(0,0)=2-4", "H(0,1)=3-1")
LONG_ROWS_PLACEMENTS = ("V(-1,0)=1-2", "V(2,0)=1-2", "V(3,0)=2-3")
PLAYS_AROUND_PAIR = ("V(2,0)=5-2", "H(0,2)=5-3")

TASKS = (
    Task(
        title=_("What comes next?"),
        text=_(
            "The upper row is 1-2-3-1-2, the lower row 2-3-1-2-3. What comes next? Place 3-1 upright on the right, "
            "with the 3 on top."
        ),
        position=partial(
            position, ("3-1 4-4", "5-5 4-1"), start=("H(0,0)=2-3", "H(0,1)=3-1"), plays=LONG_ROWS_PLACEMENTS
        ),
        solutions=("V(4,0)=3-1",),
        praise=_(
            "1-2-3-1-2-3: numbers that repeat in the same order are a rhythm. You now have two rows of six numbers: "
            "6 × 6 = 36 points."
        ),
        hint=_("That works too, but try the right end of the rows: 3 above 1."),
        rule="rytmino.rhythm",
    ),
    Task(
        title=_("Two lines at once"),
        text=_(
            "Every row and every column must be a rhythm or the beginning of one: 2-4-5 can become 2-4-5-2-4-5. "
            "Each tile must extend at least two lines. Place 5-2 upright on the right: 2-4 becomes 2-4-5, and 3-1 "
            "becomes 3-1-2."
        ),
        position=partial(position, ("5-2 4-4", "3-3 5-1"), start=START_PAIR),
        solutions=("V(2,0)=5-2",),
        praise=_("Two lines of three numbers each: 3 × 3 = 9 points."),
        hint=_("That works too, but place 5-2 on the right, with the 5 on top."),
        rule="rytmino.two",
    ),
    Task(
        title=_("Doubles count twice"),
        text=_("A double doubles its points. Place your 5-5 wherever it fits."),
        position=partial(position, ("5-5 4-3", "3-3 5-1"), start=START_PAIR),
        solutions=("V(-1,0)=5-5", "V(2,0)=5-5", "H(0,-1)=5-5", "H(0,2)=5-5"),
        praise=_("(3 × 3) × 2 = 18 points."),
        hint=_("That scores 9. Try the double."),
        rule="rytmino.product",
    ),
    Task(
        title=_("A repetition fixes the rhythm"),
        text=_(
            "You can add new numbers to a line. But once a number repeats, the line must continue in the same rhythm. "
            "Your 5-5 fits only on the left: there it makes 5-2-4-5."
        ),
        position=partial(position, ("5-5 3-3", "2-2 4-3"), start=START_PAIR, plays=PLAYS_AROUND_PAIR),
        solutions=("V(-1,0)=5-5",),
        praise=_("After 5-2-4-5 only a 2 can follow, then a 4, then a 5 again. (4 × 4) × 2 = 32 points."),
        hint=_("Place 5-5 to the left of the rows."),
        rule="rytmino.rhythm",
    ),
    Task(
        title=_("Three lines"),
        text=_(
            "A tile that lies along one line and touches two others extends three. Find the spot where 4-3 scores "
            "36 points: tap the tile and look at the gold spots."
        ),
        position=partial(
            position,
            ("4-3 5-5", "2-2 1-1"),
            start=("H(0,0)=1-5", "H(0,1)=1-4"),
            plays=("V(-1,0)=2-4", "H(0,2)=1-2", "V(-2,0)=3-1"),
        ),
        solutions=("H(-2,2)=4-3",),
        praise=_("4 × 3 × 3 = 36 points. A tile can extend at most three lines."),
        hint=_("There is a better spot at the bottom left."),
        rule="rytmino.product",
    ),
    Task(
        title=_("The stack rule"),
        text=_(
            "In the middle, three tiles lie exactly one above the other. A fourth may not join them. Place 2-1 "
            "where it scores 16 points instead."
        ),
        position=partial(position, ("2-1 1-1", "2-2 4-3"), start=START_PAIR, plays=PLAYS_AROUND_PAIR),
        solutions=("V(-1,0)=1-2",),
        praise=_("1-2-4-5 and 2-3-1-2 are two rows of four: 4 × 4 = 16 points."),
        hint=_("That scores less. Try the left side."),
        rule="rytmino.stack",
    ),
    Task(
        title=_("The end of the deal"),
        text=_(
            "If you place your last tile, the deal ends. There is no bonus: the points decide. You have 90, the "
            "other player 104. Your last tile scores 18."
        ),
        position=partial(position, ("5-5", "3-3 5-1"), start=START_PAIR, standing=(90, 104)),
        solutions=("V(-1,0)=5-5", "V(2,0)=5-5", "H(0,-1)=5-5", "H(0,2)=5-5"),
        praise=_("108 to 104: you win. The deal also ends when nobody can place a tile any more."),
        hint=_("Place your last tile."),
        rule="rytmino.end",
    ),
)
