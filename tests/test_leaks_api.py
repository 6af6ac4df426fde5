"""The API shows no tile that the owner of a token may not see: the same responses where hidden tiles change places."""

from __future__ import annotations

import re
from functools import partial
from random import Random

import pytest
from django.test import Client

from accounts.tokens import issuing
from games.engine.rules import Rules
from games.models import Match
from games.words import offered_variants
from tests.test_leaks import Responses, compare_worlds, leaked, play_into_round, small_table
from tests.viewers import Viewer, all_viewers, impossible_moves, start_rated_match
from tests.worlds import folded_state

pytestmark = pytest.mark.seed(1)
GAMES = [pytest.param(rules, id=key) for key, rules in offered_variants().items()]
SCOPES = ("read", "bot:play")
NUMBERS = re.compile(r'"(sides|counts|standing)": \[[0-9, ]*\]')  # lists of numbers that look like tiles


def headers_of(viewer: Viewer) -> dict[str, str]:
    if viewer.user is None:
        return {}
    secret = issuing.create_token(user=viewer.user, name="leaks", scopes=SCOPES)
    return {"authorization": f"Bearer {secret}"}


def api_responses(match: Match, headers: dict[str, str], moves: list[str]) -> Responses:
    """Return the responses of all endpoints about a match, and to moves that cannot be made."""
    person_id = match.seats.values_list("user", flat=True)[0]
    paths = [
        *(f"match/{match.slug}", f"match/{match.slug}/record", "tables", "matches", "today", "bot/tables"),
        *(f"person/{person_id}", f"person/{person_id}/matches", f"leaderboard/{match.variant}"),
        f"leaderboard/{match.variant}/bots",
    ]
    client = Client()
    texts = {path: client.get(f"/api/{path}", headers=headers).content for path in paths}
    for move in moves:
        response = client.post(
            f"/api/match/{match.slug}/move",
            {"version": match.version, "move": move},
            content_type="application/json",
            headers=headers,
        )
        texts[f"move {move}"] = response.content
    return texts


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES)
def test_no_response_depends_on_or_spells_a_hidden_tile(rules: Rules) -> None:
    chance = Random(rules.key)
    match = start_rated_match(rules, small_table(rules))
    play_into_round(1, match, chance)
    for viewer in all_viewers(match):
        headers, state = headers_of(viewer), folded_state(match)
        moves = impossible_moves(state, viewer.seat)
        request = partial(api_responses, match, headers, moves)
        real, different = compare_worlds(viewer, match, chance, request)
        assert different == set(), viewer.name
        for path, content in real.items():
            if not path.startswith("move "):
                assert leaked(NUMBERS.sub("", content.decode()), state, viewer.seat) == set(), f"{viewer.name}: {path}"
