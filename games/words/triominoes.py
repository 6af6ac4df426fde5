"""Triominoes in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.words import Choice, VariantWords
from games.words.length import length_option

WORDS = VariantWords(
    name=pgettext_lazy("name of a game", "Triominoes"),
    text=_("Triangles with a number in each corner. Every tile scores; bridges and hexagons score big."),
    options={
        "hands": (
            _("Tiles dealt to two players"),
            {
                "leaflet": Choice(_("Seven"), _("Everybody is dealt seven tiles, whatever the number of players.")),
                "official": Choice(
                    _("Nine"),
                    _("Two players are dealt nine tiles each; three or four still get seven."),
                    _("nine tiles for two"),
                ),
            },
        ),
        "length": length_option(
            "triominoes",
            full=_("At 400 points the last round is played."),
            quick=_("Two rounds, or only one in which somebody reaches 200 points; equal totals share the place."),
        ),
    },
    rules={
        "triominoes.set": _("The tiles"),
        "triominoes.edge": _("Edge to edge"),
        "triominoes.corners": _("Corners must agree"),
        "triominoes.rotation": _("Turned, never mirrored"),
        "triominoes.value": _("The value of a tile"),
        "triominoes.hexagon": _("Hexagons"),
        "triominoes.bridge": _("Bridges"),
        "triominoes.deal": _("The deal"),
        "triominoes.start": _("Who leads, and with which tile"),
        "triominoes.turn": _("Place or draw"),
        "triominoes.empty_pool": _("When the pool is empty"),
        "triominoes.out": _("Going out"),
        "triominoes.blocked": _("A blocked round"),
        "triominoes.end": _("400 points: the last round"),
        "quick.rounds": _("A quick match: two rounds or 200 points"),
        "quick.round": _("Same deal at many tables: one round"),
    },
    refusals={
        "triominoes.edge": _("A tile must be placed on a free spot and share a whole edge with a tile on the table."),
        "triominoes.corners": _("A corner that meets a number on the table must show the same number."),
        "triominoes.rotation": _("You can turn a tile, but not flip it."),
        "triominoes.start": _(
            "The highest triple leads, or 0-0-0 from the same hand; if nobody has a triple, the most valuable tile."
        ),
        "triominoes.turn": _(
            "Place a tile from your hand or draw one. You can end your turn only after three draws, or when "
            "the pool is empty."
        ),
        "triominoes.empty_pool": _("The pool is empty: place a tile from your hand or end your turn."),
    },
    phrases={
        "aim": _("%(points)s, then the last round"),
        "boneyard": _("Pool"),
        "drew": _("%(name)s drew from the pool."),
        "own_drew": _("You drew from the pool."),
        "draw_reason": _("No tile fits: draw one."),
        "play_or_draw": _("Your turn: place a tile or draw one."),
        "play_or_pass": _("Place a tile or end your turn."),
        "pass": _("End your turn"),
        "pass_reason": _("Nothing fits, and the pool is empty."),
        "pass_no_draw_reason": _("Nothing fits, and the pool is empty."),  # there always was one
        "pass_price_reason": _("Three draws, and nothing fits."),
        "played": _("%(name)s placed %(tile)s."),
        "own_played": _("You placed %(tile)s."),
        "over_blocked": _("The round is blocked: the pool is empty."),
    },
    picture=(
        "U(0,0)=4/4/4",
        "D(0,-1)=2/4/4",
        "U(1,-1)=4/2/2",
        "D(0,0)=4/4/5",
        "D(1,-1)=2/4/0",
        "U(1,0)=5/0/4",
        "D(1,0)=0/5/0",
    ),
)
