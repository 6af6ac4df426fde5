"""The referee protocol: one JSON object a line in, one out, one match at a time."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import reduce
from hashlib import sha256
from typing import Any, NoReturn, TypeGuard

from games.engine.deal import shuffler
from games.engine.decide import (
    advance,
    apply_move,
    deal_explicit,
    deal_round,
    new_match,
    require_between_rounds,
    require_running,
    set_standing,
)
from games.engine.events import Event, MatchEnded, RoundEnded
from games.engine.evolve import evolve, start_state
from games.engine.moves import Play
from games.engine.refusal import Refusal
from games.engine.rules import MAX_POINTS, Deal, Rules
from games.engine.state import State
from games.engine.tiles import tile_text
from games.engine.variants import UnknownVariant, registry, rules_for

Data = dict[str, Any]  # a JSON object


def perft(rules: Rules, state: State, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal moves. A sequence that ends with the round counts 1."""
    if depth == 0 or state.round.to_move is None:
        return 1
    moves = rules.legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, advance(rules, state, state.round.to_move, move)[1], depth - 1) for move in moves)


class Referee:
    """One match, driven by requests."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._state: State | None = None
        self._requests: dict[str, Callable[[Data], Data]] = {
            "variants": self._variants,
            "new": self._new,
            "deal": self._deal,
            "move": self._move,
            "standing": self._standing,
            "state": self._show,
            "perft": self._perft,
        }

    def answer(self, line: bytes) -> Data:
        """Return the answer to one line. A bad line changes nothing."""
        try:
            request = read_request(line)
            name = request.get("do")
            if not isinstance(name, str) or name not in self._requests:
                raise Refusal("bad_request", "There is no such request.")
            return {"ok": True, **self._requests[name](request)}
        except Refusal as refusal:
            return {"ok": False, "error": refusal.code, "rule": refusal.rule, "text": refusal.text}

    def _variants(self, request: Data) -> Data:
        return {"variants": [variant_data(rules) for rules in registry().values()]}

    def _new(self, request: Data) -> Data:
        key, options = request.get("variant"), request.get("options", {})
        if not isinstance(key, str) or not isinstance(options, dict):
            raise Refusal("bad_request")
        try:
            rules = rules_for(key)
        except UnknownVariant:
            raise Refusal("bad_request", "There is no such variant.") from None
        state = start_state(new_match(rules, request.get("seats", 0), options))
        self._rules, self._state = rules, state
        return state_data(rules, state)

    def _deal(self, request: Data) -> Data:
        rules, state = self._match()
        require_between_rounds(state)
        if ("seed" in request) == ("hands" in request):
            raise Refusal("bad_request", "A deal is either given or made from a seed.")
        if "hands" in request:
            deal = read_deal(rules, request)
            lead = request.get("lead")
            return self._apply(deal_explicit(rules, state, deal, lead=lead if type(lead) is int else None))
        seed = require_text(request.get("seed"))
        key = sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()
        return self._apply(deal_round(rules, state, shuffler(key, "", 0, nonces=(), count=len(rules.tile_set))))

    def _move(self, request: Data) -> Data:
        rules, state = self._match()
        require_running(state)
        seat, text = request.get("seat"), require_text(request.get("move"))
        if type(seat) is not int:
            raise Refusal("bad_request")
        if seat != state.round.to_move:
            raise Refusal("not_your_turn")
        self._state = apply_move(rules, state, seat, rules.parse_move(state, text))[1]
        return state_data(rules, self._state)

    def _standing(self, request: Data) -> Data:
        rules, state = self._match()
        require_between_rounds(state)
        standing, pot = request.get("standing"), request.get("pot")
        if not isinstance(standing, list) or ("pot" in request and not is_count(pot)):
            raise Refusal("bad_request")
        return self._apply(set_standing(rules, state, standing, pot))

    def _show(self, request: Data) -> Data:
        return state_data(*self._match())

    def _perft(self, request: Data) -> Data:
        rules, state = self._match()
        depth = request.get("depth")
        if not is_count(depth):
            raise Refusal("bad_request")
        return {"nodes": perft(rules, state, depth)}

    def _match(self) -> tuple[Rules, State]:
        if self._rules is None or self._state is None:
            raise Refusal("no_match")
        return self._rules, self._state

    def _apply(self, events: tuple[Event, ...]) -> Data:
        rules, state = self._match()
        self._state = reduce(evolve, events, state)
        return state_data(rules, self._state)


def read_request(line: bytes) -> Data:
    """Read one JSON object. Raises ``Refusal`` ``bad_request``."""
    try:
        request = json.loads(line.decode(), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise Refusal("bad_request", "The line is no JSON.") from None
    if not isinstance(request, dict):
        raise Refusal("bad_request", "The line is no JSON object.")
    return request


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and infinities, which are not JSON."""
    raise ValueError(name)


def require_text(data: object) -> str:
    """Raises ``Refusal`` ``bad_request`` unless the data is a text."""
    if not isinstance(data, str):
        raise Refusal("bad_request")
    return data


def is_count(data: object) -> TypeGuard[int]:
    """Return True for an integer from 0 to ``MAX_POINTS``."""
    return type(data) is int and 0 <= data <= MAX_POINTS


def require_text_list(data: object) -> list[str]:
    """Raises ``Refusal`` ``bad_request`` unless the data is a list of texts."""
    if not isinstance(data, list):
        raise Refusal("bad_request")
    return list(map(require_text, data))


def read_deal(rules: Rules, request: Data) -> Deal:
    """Read an explicit deal. Raises ``Refusal`` ``bad_request``, or ``bad_deal`` for unknown tiles."""
    hands = request["hands"]
    if not isinstance(hands, list):
        raise Refusal("bad_request")
    rows = [*map(require_text_list, (*hands, request.get("boneyard", []), request.get("aside", [])))]
    start = tuple(require_text_list(request.get("start", [])))
    try:
        *dealt, boneyard, aside = [tuple(rules.tile_names[text] for text in texts) for texts in rows]
    except KeyError:
        raise Refusal("bad_deal") from None
    return Deal(tuple(dealt), boneyard, start, aside)


def variant_data(rules: Rules) -> Data:
    options = {option.name: {"default": option.default, "choices": list(option.choices)} for option in rules.options}
    return {"key": rules.key, "seats": list(rules.seat_counts), "options": options}


def state_data(rules: Rules, state: State) -> Data:
    """Return the complete state: the referee hides nothing."""
    placed = [rules.move_text(Play(play.tile, play.place)) for play in state.round.plays]
    return {
        "variant": state.setup.variant,
        "seats": state.setup.seats,
        "round": state.round.number,
        "to_move": state.round.to_move,
        "legal": sorted(map(rules.move_text, rules.legal_moves(state))),
        "hands": [[tile_text(tile) for tile in hand] for hand in state.hands],
        "boneyard": [tile_text(tile) for tile in state.boneyard],
        "layout": [*state.round.start, *placed],
        "standing": [rules.standing_data(standing) for standing in state.standing],
        "pot": rules.pot(state) or 0,
        "scored": state.round.scored,
        "round_over": state.round.over and round_data(state.round.over),
        "match_over": state.match_over and match_end_data(state.match_over),
    }


def round_data(ended: RoundEnded) -> Data:
    return {"reason": ended.reason, "seat": ended.seat, "points": [points.total for points in ended.points]}


def match_end_data(ended: MatchEnded) -> Data:
    data: Data = {"places": list(ended.places), "losers": list(ended.losers)}
    if ended.rating:
        data["rating"] = [points.total for points in ended.rating]
    return data
