"""Whatever is sent as a move of any game is answered: refused with a reason, and nothing has changed."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from games.models import Match
from games.web.form_actions import REFUSAL_SESSION_KEY
from games.words import offered_variants
from infrastructure.limits import TokenBucket
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread
from tests.test_leaks import make_random_move
from tests.viewers import start_rated_match
from tests.worlds import folded_state

GAMES = [pytest.param(rules, id=key) for key, rules in offered_variants().items()]
EXAMPLES = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
MOVES = 5
NOTICE = '<hx-partial id="notice"'
HUGE = 10**9 - 1
ODD = (
    f"U({HUGE},0)=1/1/1",
    f"D(0,-{HUGE})=1/2/3",
    f"H(-{HUGE},0)=1-1",
    f"V(0,{HUGE})=2-1",
    "H(1e3,0)=1-1",
    "H(0, 0)=1-1",
    "H(-0,0)=1-1",
    "H(٠,0)=1-1",
    "U(0,0)=٤/4/5",
    "٦-٤",
    "６-４ left",
    "6-4 LEFT",
    "6−4",
    "9-9",
    "5-5-5-5",
    "draw ",
    "pass\x00",
    "<b>6-4</b>",
    "6-4' OR 1=1 --",
    "\ud800",
    "💥",
    "",
)


@pytest.fixture(autouse=True)
def patient_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TokenBucket, "take_token", lambda _self, _now: True)


def texts_of(rules: Rules) -> st.SearchStrategy[str]:
    """Return moves as text: odd ones, numbers and words put together anyhow, tiles of the set at any place."""
    number = st.integers(-9, 9).map(str) | st.sampled_from([str(HUGE), "٣", "", "00"])
    cell = st.tuples(st.sampled_from("UDHVX"), number, number).map(lambda parts: "{}({},{})".format(*parts))
    tile = st.sampled_from(rules.tile_set).map(tile_text) | st.lists(number, min_size=1, max_size=4).map("-".join)
    placed = st.tuples(cell, tile, st.sampled_from("-/")).map(
        lambda parts: f"{parts[0]}={parts[1].replace('-', parts[2])}"
    )
    ended = st.tuples(tile, st.sampled_from(["", " left", " right", " up", " down", " over"])).map("".join)
    return st.sampled_from(ODD) | placed | ended | st.text(max_size=45)


def is_illegal(state: State, text: str) -> bool:
    """Return whether the move is illegal now in every spelling."""
    rules = rules_for(state.setup.variant)
    try:
        return rules.parse_move(state, text) not in rules.legal_moves(state)
    except Refusal:
        return True


def match_and_mover(rules: Rules) -> tuple[Match, State, Client]:
    """Return a match in which some moves were made, and the browser of the seat to move."""
    match, chance = start_rated_match(rules, min(rules.seat_counts)), Random("vain")
    for _ in range(MOVES):
        make_random_move(match, chance)
    state, client = folded_state(match), Client()
    client.force_login(match.seats.get(index=state.round.to_move).user)
    return match, state, client


def refusal_of(client: Client, match: Match, move: object, version: object) -> tuple[str, str | None]:
    """Post a move; return the code and the rule of the refusal that the next page will tell."""
    answer = client.post(reverse("match-move", args=[match.slug]), {"move": move, "v": version})
    assert answer.status_code == 303
    code, text, rule = client.session[REFUSAL_SESSION_KEY]
    assert text
    return code, rule


@pytest.mark.parametrize("rules", GAMES)
def test_invalid_posted_moves_are_refused_with_a_reason(rules: Rules) -> None:
    match, state, client = match_and_mover(rules)

    @EXAMPLES
    @given(texts_of(rules).filter(lambda text: is_illegal(state, text)))
    def ask(text: str) -> None:
        move = text.encode("utf-8", "replace").decode()
        code, rule = refusal_of(client, match, move, match.version)
        assert rule in rules.refusals if code == "illegal_move" else code in ("bad_move", "bad_request")

    ask()
    assert folded_state(match) == state


@pytest.mark.parametrize("rules", GAMES)
def test_a_move_with_a_wrong_version_is_refused(rules: Rules) -> None:
    match, state, client = match_and_mover(rules)
    legal = rules.move_text(rules.legal_moves(state)[0])
    for version in ("", "-1", "x", "٣", 2**31, "9" * 50):
        assert refusal_of(client, match, legal, version) == ("bad_request", None)
    for version in (0, match.version - 1, match.version + 1):
        assert refusal_of(client, match, legal, version) == ("stale", None)
    assert folded_state(match) == state


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", GAMES)
async def test_invalid_socket_messages_are_refused_without_closing(rules: Rules) -> None:
    match, state, _ = await in_thread(match_and_mover)(rules)
    mover = await in_thread(lambda: match.seats.get(index=state.round.to_move).user)()
    browser = await connect_and_read_frame(match, mover)
    legal = rules.move_text(rules.legal_moves(state)[0])
    moves = [*(text for text in ODD if is_illegal(state, text)), None, 7, ["6-4"], {"tile": "6-4"}]
    messages = [{"type": "move", "move": move, "v": match.version} for move in moves]
    messages += [
        {"type": "move", "move": legal, "v": version} for version in ("x", -1, 2**31, None, 1.5, True, [1], 1)
    ]
    messages += [{"type": "choose", "tile": tile} for tile in (None, 7, ["6-4"], "x" * 100)]
    for data in messages:
        await browser.send_message(**data)
        assert NOTICE in await notice(browser), data
    await browser.disconnect()
    assert await in_thread(folded_state)(match) == state


async def notice(browser: Browser) -> str:
    """Return the next frame that is not the table."""
    while 'id="board"' in (frame := await browser.next_frame()):
        pass
    return frame
