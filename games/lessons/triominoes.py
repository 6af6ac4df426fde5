"""The lesson of Triominoes: corners, bridges and hexagons."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from games.engine.leads import Lead
from games.engine.variants.triominoes import RULES
from games.lessons import Task
from games.lessons.positions import lesson_position

position = partial(lesson_position, RULES)
LEAD_PLAY = ("U(0,0)=4/4/5",)

TASKS = (
    Task(
        title=_("Corner to corner"),
        text=_(
            "Place triangles edge to edge. Numbers that meet must be the same. You can turn a tile, but not flip "
            "it. Place your 3-4-5 on the edge between 4 and 5."
        ),
        position=partial(position, ("3-4-5 0-1-2 1-1-1", "2-2-3 0-0-5"), plays=LEAD_PLAY, boneyard="0-3-3 2-2-2"),
        solutions=("D(-1,0)=5/3/4",),
        praise=_("A tile scores its three numbers added up: 12 points. On the other side you would have to flip it."),
        hint=_("Choose 3-4-5."),
        rule="triominoes.corners",
    ),
    Task(
        title=_("The first tile"),
        text=_(
            "A triple shows one number three times. The highest triple begins and scores 10 extra points: your "
            "5-5-5 would score 15 + 10. But you also have 0-0-0 and may begin with it. Place 0-0-0 and see what it "
            "scores."
        ),
        position=partial(
            position,
            ("5-5-5 0-0-0 0-1-2 1-3-5 2-2-3 3-4-5 1-1-2", "4-4-4 0-0-5 1-2-4 2-3-5 0-3-3 1-4-5 0-1-1"),
            lead=Lead(0, "triominoes.start", ((5, 5, 5), (0, 0, 0))),
        ),
        solutions=("U(0,0)=0/0/0",),
        praise=_("0 + 30 + 10 = 40 points. In return, everybody sees your 5-5-5."),
        hint=_("5-5-5 scores 25. Try 0-0-0."),
        rule="triominoes.start",
    ),
    Task(
        title=_("Drawing costs"),
        text=_(
            "None of your tiles fits. You may draw three times a turn, for 5 points each. If you still place "
            "nothing, you lose 10 more. Draw a tile."
        ),
        position=partial(
            position, ("0-1-2 1-1-1", "2-2-3 0-0-5"), plays=LEAD_PLAY, boneyard="3-4-5 0-3-3 2-2-2", standing=(20, 13)
        ),
        solutions=("draw",),
        praise=_("That cost 5 points, but 3-4-5 fits. You may draw even if you can place a tile."),
        hint=_("Draw a tile from the pool."),
        rule="triominoes.turn",
    ),
    Task(
        title=_("A bridge"),
        text=_(
            "A bridge shares one edge with a tile and touches another one with the opposite corner. It scores 40 "
            "points more. Place 0-1-2 in the gap."
        ),
        position=partial(
            position,
            ("0-1-2 3-3-4", "2-2-3 0-0-4"),
            plays=(
                *("D(0,-1)=2/2/1", "U(1,-1)=1/1/2", "D(1,-1)=1/1/5", "U(1,0)=5/5/1"),
                *("D(1,0)=5/5/3", "U(1,1)=1/3/5", "D(0,1)=5/0/1", "U(0,1)=0/5/0"),
            ),
            boneyard="0-3-3",
        ),
        solutions=("U(0,0)=0/1/2",),
        praise=_("3 + 40 = 43 points. Bridges and hexagons win games."),
        hint=_("Choose 0-1-2, then the spot that makes a bridge."),
        rule="triominoes.bridge",
    ),
    Task(
        title=_("A hexagon"),
        text=_("Six tiles around one point make a hexagon. The sixth tile scores 50 points more. Place it."),
        position=partial(
            position,
            ("4-5-5 0-3-3 2-2-2", "2-2-3 0-0-4"),
            plays=("D(0,-1)=5/5/5", "U(0,-1)=5/5/1", "D(-1,-1)=1/1/5", "U(-1,0)=2/5/1", "D(-1,0)=5/2/4"),
            boneyard="0-3-4",
        ),
        solutions=("U(0,0)=4/5/5",),
        praise=_("14 + 50 = 64 points. If you complete two hexagons at once, you get 60 more; for three you get 70."),
        hint=_("Complete the hexagon with 4-5-5."),
        rule="triominoes.hexagon",
    ),
    Task(
        title=_("The last tile"),
        text=_(
            "If you place your last tile, you get 25 points plus the value of all tiles the others still hold. "
            "Place 1-1-2."
        ),
        position=partial(
            lesson_position, RULES, ("1-1-2", "0-0-3 2-4-5", "5-5-5"), plays=("U(0,0)=1/2/4",), standing=(120, 90, 150)
        ),
        solutions=("D(0,0)=2/1/1",),
        praise=_(
            "4 for the tile, 25 for going out, 14 and 15 from the others: 58 points. Once somebody reaches 400, "
            "that round is the last."
        ),
        hint=_("Place your last tile."),
        rule="triominoes.out",
    ),
)
