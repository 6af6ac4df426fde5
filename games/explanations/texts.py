"""The sentences of facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from games.engine.tiles import tile_text
from games.explanations.fact import Fact

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Form(NamedTuple):
    """The sentence of a kind of fact, and the names of its values in order; ``tile`` takes all that are left.

    ``seat`` becomes the name of a player, and ``own`` is the sentence for the reader who is that player.
    """

    values: tuple[str, ...]
    text: _StrPromise
    own: _StrPromise | None = None


class Speech(NamedTuple):
    """What sentences need besides the fact: both moves in words, the players' names, and the reader's seat."""

    better: str
    worse: str
    names: Sequence[str]
    reader: int | None


# Translators: in explanations of moves, "move" and "other" are moves: "3-1 on the left", "drawing", "passing".
MOVE_NAMES = {"draw": pgettext_lazy("a move", "drawing"), "pass": pgettext_lazy("a move", "passing")}
# Translators: the same tile as in the move that is explained, but at another place
OTHER_PLACE = pgettext_lazy("a move", "%(tile)s at another place")
FORMS: Mapping[str, Form] = {
    # Line games, and any game
    "wins": Form((), _("%(move)s wins the match at once.")),
    "closes": Form(
        ("pips",),
        # Translators: no more tile can be played, and the round ends
        ngettext_lazy(
            "%(move)s closes the round with %(pips)d pip left in hand.",
            "%(move)s closes the round with %(pips)d pips left in hand.",
            "pips",
        ),
    ),
    # Translators: Classic goat. The player who blocks the round gets no points, the others get those of their hands.
    "blocks": Form((), _("%(move)s blocks the round: only the others score their hands.")),
    "must_draw": Form(
        ("seat",),
        # Translators: certain, because of earlier draws and passes
        _("After %(move)s, %(name)s has no tile that fits and must draw."),
        _("After %(move)s, you have no tile that fits and must draw."),
    ),
    "must_pass": Form(
        ("seat",),
        _("After %(move)s, %(name)s has no tile that fits and must pass."),
        _("After %(move)s, you have no tile that fits and must pass."),
    ),
    "lacks": Form(
        ("seat", "number"),
        _("%(move)s leaves a %(number)d. An earlier draw or pass shows that %(name)s has none."),
        _("%(move)s leaves a %(number)d. An earlier draw or pass shows that you have none."),
    ),
    "own_end": Form(
        ("seat", "number"),
        _("Only %(name)s can play on the %(number)d that %(move)s leaves."),
        _("Only you can play on the %(number)d that %(move)s leaves."),
    ),
    "few_fit": Form(
        ("count", "many"),
        # Translators: hidden tiles are those that are neither on the table nor in the hand
        ngettext_lazy(
            "%(count)d hidden tile fits after %(move)s, %(many)d after %(other)s.",
            "%(count)d hidden tiles fit after %(move)s, %(many)d after %(other)s.",
            "count",
        ),
    ),
    "remembered": Form(
        ("points", "more", "limit"),
        # Translators: Kozel. Fewer points than the limit are only remembered.
        _("After %(move)s, the hand counts %(points)d: under %(limit)d, it opens no account. Otherwise %(more)d."),
    ),
    "below_limit": Form(
        ("points", "more", "limit"),
        _("With the tiles left in hand, %(move)s makes a score of %(points)d: below %(limit)d. Otherwise %(more)d."),
    ),
    "keeps": Form(
        ("number",),
        # Translators: the number on a tile, as in "the only 3"
        _("%(move)s keeps the only %(number)d in hand."),
    ),
    "none_fits": Form((), _("After %(move)s, no tile left in hand fits.")),
    "more_fit": Form(
        ("count", "less"),
        ngettext_lazy(
            "%(count)d tile left in hand fits after %(move)s, %(less)d after %(other)s.",
            "%(count)d tiles left in hand fit after %(move)s, %(less)d after %(other)s.",
            "count",
        ),
    ),
    "strands": Form(
        ("count", "number", "tile"),
        # Translators: a double that stays in hand needs an open end with its number
        ngettext_lazy(
            "After %(move)s, %(tile)s fits nowhere, and only %(count)d other tile has a %(number)d.",
            "After %(move)s, %(tile)s fits nowhere, and only %(count)d other tiles have a %(number)d.",
            "count",
        ),
    ),
    "dead_double": Form(
        ("number", "tile"),
        # Translators: a double that stays in hand for good
        _("After %(move)s, %(tile)s can no longer be played: every other %(number)d is on the table."),
    ),
    "heavy": Form(
        ("pips", "less"),
        ngettext_lazy(
            "%(move)s takes %(pips)d pip out of the hand, %(other)s %(less)d.",
            "%(move)s takes %(pips)d pips out of the hand, %(other)s %(less)d.",
            "pips",
        ),
    ),
    # Games in which moves score
    "hexagon": Form(
        ("points",),
        ngettext_lazy(
            "%(move)s closes a hexagon for %(points)d point.",
            "%(move)s closes a hexagon for %(points)d points.",
            "points",
        ),
    ),
    "bridge": Form(
        ("points",),
        ngettext_lazy(
            "%(move)s makes a bridge for %(points)d point.",
            "%(move)s makes a bridge for %(points)d points.",
            "points",
        ),
    ),
    "scores": Form(
        ("points",),
        ngettext_lazy(
            "%(move)s scores %(points)d point more at once.",
            "%(move)s scores %(points)d points more at once.",
            "points",
        ),
    ),
    "draw_costs": Form(
        ("points",),
        ngettext_lazy(
            "Drawing costs %(points)d point, though a tile fits.",
            "Drawing costs %(points)d points, though a tile fits.",
            "points",
        ),
    ),
    "threat": Form(
        ("seat", "target", "tile"),
        _("After %(move)s, %(name)s can reach %(target)d and win with %(tile)s."),
        _("After %(move)s, you can reach %(target)d and win with %(tile)s."),
    ),
    "allows": Form(
        ("points", "fewer", "tile"),
        # Translators: the tile is one that is neither on the table nor in the hand
        ngettext_lazy(
            "After %(move)s, the hidden %(tile)s scores %(points)d point. "
            "After %(other)s, no hidden tile scores more than %(fewer)d.",
            "After %(move)s, the hidden %(tile)s scores %(points)d points. "
            "After %(other)s, no hidden tile scores more than %(fewer)d.",
            "points",
        ),
    ),
    "allows_only": Form(
        ("points", "fewer", "tile"),
        ngettext_lazy(
            "After %(move)s, the hidden %(tile)s scores %(points)d point. After %(other)s, no hidden tile scores.",
            "After %(move)s, the hidden %(tile)s scores %(points)d points. After %(other)s, no hidden tile scores.",
            "points",
        ),
    ),
    "few_score": Form(
        ("count", "many"),
        ngettext_lazy(
            "%(count)d hidden tile scores after %(move)s, %(many)d after %(other)s.",
            "%(count)d hidden tiles score after %(move)s, %(many)d after %(other)s.",
            "count",
        ),
    ),
    "prepares": Form(
        ("points", "tile"),
        # Translators: the tile stays in hand, and scores next turn unless somebody changes the place
        ngettext_lazy(
            "%(move)s makes a place where %(tile)s scores %(points)d point next.",
            "%(move)s makes a place where %(tile)s scores %(points)d points next.",
            "points",
        ),
    ),
    # Playouts: the numbers are of 100 rounds played out from here
    "often_stuck": Form(
        ("seat", "chance", "less"),
        _("%(name)s cannot play at once in %(chance)d of 100 after %(move)s, in %(less)d after %(other)s."),
        _("You cannot play at once in %(chance)d of 100 after %(move)s, in %(less)d after %(other)s."),
    ),
    "often_plays": Form(
        ("seat", "chance", "less"),
        _("Next turn, %(name)s can play in %(chance)d of 100 after %(move)s, in %(less)d after %(other)s."),
        _("Next turn, you can play in %(chance)d of 100 after %(move)s, in %(less)d after %(other)s."),
    ),
    "often_out": Form(
        ("seat", "chance", "less"),
        # Translators: to go out is to play the last tile of the hand
        _("%(name)s goes out in %(chance)d of 100 after %(move)s, in %(less)d after %(other)s."),
        _("You go out in %(chance)d of 100 after %(move)s, in %(less)d after %(other)s."),
    ),
    "often_opens": Form(
        ("chance", "more"),
        # Translators: Kozel: the account of the player who moves
        _("The account opens in %(chance)d of 100 after %(move)s, in %(more)d after %(other)s."),
    ),
    "fewer_replies": Form(
        ("points",),
        # Translators: an average, until the player moves again
        ngettext_lazy(
            "After %(move)s, the others score about %(points)d point less with their next moves.",
            "After %(move)s, the others score about %(points)d points less with their next moves.",
            "points",
        ),
    ),
    "next_points": Form(
        ("seat", "points"),
        ngettext_lazy(
            "After %(move)s, %(name)s scores about %(points)d point more next turn.",
            "After %(move)s, %(name)s scores about %(points)d points more next turn.",
            "points",
        ),
        ngettext_lazy(
            "After %(move)s, you score about %(points)d point more next turn.",
            "After %(move)s, you score about %(points)d points more next turn.",
            "points",
        ),
    ),
    "others_lose": Form(
        ("points",),
        ngettext_lazy(
            "After %(move)s, the end of the round brings the others about %(points)d point less.",
            "After %(move)s, the end of the round brings the others about %(points)d points less.",
            "points",
        ),
    ),
    "lighter_hand": Form(
        ("points",),
        ngettext_lazy(
            "After %(move)s, the end of the round costs about %(points)d point less.",
            "After %(move)s, the end of the round costs about %(points)d points less.",
            "points",
        ),
    ),
    "heavier_hands": Form(
        ("points",),
        ngettext_lazy(
            "After %(move)s, the end of the round costs the others about %(points)d point more.",
            "After %(move)s, the end of the round costs the others about %(points)d points more.",
            "points",
        ),
    ),
}


def fact_sentence(fact: Fact, speech: Speech) -> str:
    """Return a fact as a sentence in the active language. The sentence is plain text."""
    form = FORMS[fact.kind]
    values = dict(zip(form.values, fact.values, strict=False))
    seat = values.pop("seat", None)
    text = form.own if form.own is not None and seat == speech.reader else form.text
    move, other = (speech.better, speech.worse) if fact.is_about_better else (speech.worse, speech.better)
    placeholders: dict[str, object] = {"move": move, "other": other, **values}
    if seat is not None:
        placeholders["name"] = speech.names[seat]
    if "tile" in form.values:
        placeholders["tile"] = tile_text(fact.values[form.values.index("tile") :])
    return capfirst(str(text % placeholders))
