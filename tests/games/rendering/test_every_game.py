"""Every game that is offered is shown at every moment of a match to everybody."""

from __future__ import annotations

import re

import pytest

from games.engine.evolve import fold
from games.engine.playout import playout
from games.engine.rules import Rules
from games.engine.tiles import tile_text
from games.engine.view import view_for
from games.rendering.frame import own_zones, shared_zones
from games.words import offered
from tests.engine.matches import last_choices
from tests.games.rendering.positions import table_of

MOVES = 40
SAID = re.compile(r'>([^<]+)|aria-label="([^"]+)')
OF_OTHERS = {
    "kozel": r"boneyard|pool|passed|placed|laid|deal \d",
    "gamezz": r"bazaar|pool|knocked|placed|laid|deal \d",
    "all_fives": r"bazaar|pool|knocked|placed|laid|deal \d",
    "triominoes": r"bazaar|boneyard|knocked|played \d|play a tile|laid|deal \d",
    "rytmino": r"bazaar|boneyard|pool|knocked|played \d|play a tile|laid|\bled\b|round",
}
"""What only other games say, for a game has one word for one thing."""


@pytest.mark.parametrize("rules", [pytest.param(rules, id=key) for key, rules in offered().items()])
def test_every_moment_of_a_match_is_shown_to_everybody(rules: Rules) -> None:
    seats = max(rules.seat_counts)
    options = last_choices(rules, seats)
    table = table_of(seats, variant=rules.key, options=tuple(options.items()))
    events = playout(rules, seats, options, "shown", leave_after=MOVES)
    assert shared_zones(table, None, "en").markup["board"]
    for version in range(1, len(events) + 1):
        state = fold(events[:version])
        viewer = None if version % 3 else state.round.to_move
        view = view_for(rules, state, viewer)
        shown = shared_zones(table, view, "en").markup | own_zones(table, view, viewer, "en").markup
        said = "\n".join(map("".join, SAID.findall("".join(shown.values()))))
        assert not re.search(OF_OTHERS[rules.key], said, re.IGNORECASE)
        tiles = view.seats[viewer].hand if viewer is not None else None
        for tile in (tiles or ())[:2]:
            assert 'id="hand"' in own_zones(table, view, viewer, "en", tile_text(tile)).markup["hand"]
