"""The API shows no tile that the owner of a token may not see: the same responses where hidden tiles change places.

Every endpoint and every stream of the API's document is asked.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.tokens import issuing
from games.engine.rules import Rules
from games.engine.tiles import Tile, tile_text
from games.engine.view import View
from games.models import Match
from games.words import offered_variants
from tests.games.api.stream_reader import read_stream
from tests.games.api.test_document import STREAMS, address, all_operations, api_document, example_body
from tests.games.socket_browser import in_thread
from tests.games.tables import person
from tests.test_leaks import WORLDS, Responses, compare_worlds, leaked, play_into_round, small_table
from tests.test_leaks_planted import in_a_number, in_an_order, match_in_a_round, plant
from tests.viewers import Viewer, all_viewers, impossible_moves, start_rated_match
from tests.worlds import folded_state, hidden_tiles_swapped

pytestmark = pytest.mark.seed(1)
GAMES = [pytest.param(rules, id=key) for key, rules in offered_variants().items()]
SCOPES = ("read", "bot:play")
# Bodies of requests that are refused, or change nothing, at a running match.
BODIES = {"/api/bot/tables": {"variant": "chess", "seats": 2}, "/api/match/{slug}/sit": {"seat": 0}}
FIRST_GAME = next(iter(offered_variants().values()))
MATCH_STREAM = "/api/stream/match/{slug}"
LEAVE = "/api/match/{slug}/leave"
NUMBERS = re.compile(r'"(sides|counts|standing)": ?\[[0-9, ]*\]')  # lists of numbers that look like tiles


def headers_of(viewer: Viewer) -> dict[str, str]:
    if viewer.user is None:
        return {}
    secret = issuing.create_token(user=viewer.user, name="leaks", scopes=SCOPES)
    return {"authorization": f"Bearer {secret}"}


def seats_of(match: Match) -> list[tuple[int, User | None]]:
    return [(seat.index, seat.user) for seat in match.seats.select_related("user").order_by("index")]


def api_responses(match: Match, viewer: Viewer, headers: dict[str, str], moves: list[str]) -> Responses:
    """Return the responses of all endpoints, and those to moves that cannot be made. Nobody leaves the match."""
    client, document, texts = Client(), api_document(), {}
    for path, method, operation in all_operations(document):
        if path.startswith(STREAMS) or (path == LEAVE and viewer.seat is not None):
            continue
        body = BODIES.get(path, example_body(operation, document))
        options = {} if method == "get" else {"data": json.dumps(body), "content_type": "application/json"}
        response = getattr(client, method)(address(path, match), headers=headers, **options)
        texts[f"{method} {path}"] = b"%d " % response.status_code + response.content
    for move in moves:
        data = {"version": match.version, "move": move}
        address_of_moves = f"/api/match/{match.slug}/move"
        response = client.post(address_of_moves, data, content_type="application/json", headers=headers)
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
        request = partial(api_responses, match, viewer, headers, moves)
        real, different = compare_worlds(viewer, match, chance, request)
        assert different == set(), viewer.name
        for path, content in real.items():
            if not path.startswith("move "):
                assert leaked(NUMBERS.sub("", content.decode()), state, viewer.seat) == set(), f"{viewer.name}: {path}"


def in_a_rule(view: View, tile: Tile) -> View:
    return replace(view, lead_rule=tile_text(tile))


def match_response(match: Match, headers: dict[str, str]) -> Responses:
    return {match.slug: Client().get(f"/api/match/{match.slug}", headers=headers).content}


@pytest.mark.django_db
@pytest.mark.parametrize("leak", [in_a_rule, in_a_number, in_an_order])
def test_leaks_planted_in_the_api_are_found(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, state, viewer = match_in_a_round(FIRST_GAME, chance)
    plant(monkeypatch, leak)
    request = partial(match_response, match, headers_of(viewer))
    worlds = (compare_worlds(viewer, match, chance, request) for _ in range(2 * WORLDS))
    texts = next(texts for texts, different in worlds if different)
    if leak is in_a_rule:
        assert leaked(NUMBERS.sub("", texts[match.slug].decode()), state, viewer.seat)


async def stream_lines(match: Match, headers: dict[str, str]) -> dict[str, bytes]:
    """Return the first line of every stream."""
    lines, document = {}, await in_thread(api_document)()
    for path, _method, _operation in all_operations(document):
        if path.startswith(STREAMS):
            reader = await read_stream(path.format(slug=match.slug), headers["authorization"].removeprefix("Bearer "))
            lines[path] = await reader.next_bytes()
            await reader.leave()
    return lines


async def compare_streams(
    viewer: Viewer, match: Match, headers: dict[str, str], chance: Random
) -> tuple[dict[str, bytes], set[str]]:
    """Return the lines to a viewer, and the streams whose lines differ in another world."""
    real = await stream_lines(match, headers)
    world = hidden_tiles_swapped(match, viewer.seat, chance)
    await in_thread(world.__enter__)()
    altered = await stream_lines(match, headers)
    await in_thread(world.__exit__)(None, None, None)
    return real, {path for path, line in real.items() if line != altered[path]}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", GAMES)
async def test_no_stream_depends_on_or_spells_a_hidden_tile(rules: Rules) -> None:
    chance = Random(rules.key)
    match, state, _viewer = await in_thread(match_in_a_round)(rules, chance)
    spectator = await in_thread(person)("Zoe")
    seated = [Viewer(f"seat {index}", Client(), user, index) for index, user in await in_thread(seats_of)(match)]
    for viewer in [*seated, Viewer("spectator", Client(), spectator)]:
        real, different = await compare_streams(viewer, match, await in_thread(headers_of)(viewer), chance)
        assert different == set(), viewer.name
        for path, line in real.items():
            assert leaked(NUMBERS.sub("", line.decode()), state, viewer.seat) == set(), f"{viewer.name}: {path}"


@pytest.mark.django_db(transaction=True)
async def test_a_leak_planted_in_a_stream_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, state, viewer = await in_thread(match_in_a_round)(FIRST_GAME, chance)
    plant(monkeypatch, in_a_rule)
    headers, different = await in_thread(headers_of)(viewer), set[str]()
    for _world in range(2 * WORLDS):
        if not different:
            real, different = await compare_streams(viewer, match, headers, chance)
    assert different == {MATCH_STREAM}
    assert leaked(NUMBERS.sub("", real[MATCH_STREAM].decode()), state, viewer.seat)
