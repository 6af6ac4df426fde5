"""A view as JSON, for programs that play: what one seat may see, in the notation of the referee protocol.

``view_to_data`` starts from a ``View``, so nothing hidden can get into it. docs/bots.md describes the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import takewhile
from typing import Any

from games.engine.decide import new_match
from games.engine.events import MatchEnded, Played, Points, RoundEnded
from games.engine.evolve import start_state, starting_layout
from games.engine.layout import Layout
from games.engine.moves import Move, Play
from games.engine.notation import BadRecord, codec_of
from games.engine.refusal import Refusal
from games.engine.rules import DRAW, PASS, Rules
from games.engine.state import Act, MoveMade, Round, Setup
from games.engine.tiles import tile_text
from games.engine.variants import UnknownVariant, rules_for
from games.engine.view import SeatView, View

Data = Mapping[str, Any]  # a JSON object

ROUND_CODEC, ROUNDS_CODEC = codec_of(RoundEnded), codec_of(tuple[RoundEnded, ...])
MATCH_END_CODEC = codec_of(MatchEnded | None)


def view_to_data(view: View) -> dict[str, Any]:
    """Return a view as JSON data.

    >>> from games.engine.decide import new_match
    >>> from games.engine.evolve import start_state
    >>> from games.engine.variants import rules_for
    >>> from games.engine.view import view_for
    >>> kozel = rules_for("kozel")
    >>> data = view_to_data(view_for(kozel, start_state(new_match(kozel, 2, {})), None))
    >>> data["variant"], data["options"], data["hands"], data["standing"]
    ('kozel', {'fish': 'all', 'length': 'full'}, [None, None], ['0', '0'])
    """
    round_ = view.round
    return {
        "variant": view.rules.key,
        "rules_version": view.setup.rules_version,
        "seats": view.setup.seats,
        "options": dict(view.setup.options),
        "sides": list(view.setup.sides),
        "seat": view.viewer,
        "round": round_.number,
        "leader": round_.leader,
        "to_move": round_.to_move,
        "legal": list(map(view.rules.move_text, view.legal)),
        "lead_rule": view.lead_rule,
        "price": view.price.total,
        "draws_left": view.draws_left,
        "hands": [None if seat.hand is None else list(map(tile_text, seat.hand)) for seat in view.seats],
        "counts": [seat.count for seat in view.seats],
        "boneyard": view.boneyard_size,
        "aside": view.aside_count,
        "start": list(round_.start),
        "moves": moves_data(view.rules, round_),
        **_score_data(view),
        "absent": list(view.absent),
        "forfeited": list(view.forfeited),
    }


def _score_data(view: View) -> dict[str, Any]:
    """Return the scores, what they mean for the end of the match, and the ends of rounds."""
    standing = dict(zip(view.setup.sides, (seat.standing for seat in view.seats), strict=True))
    return {
        "standing": [view.rules.standing_data(standing[side]) for side in sorted(standing)],
        "pot": view.pot,
        "peak": view.round.peak,
        "target": view.target,
        "length": view.length,
        "last": view.last,
        "rounds": ROUNDS_CODEC.write(view.rounds),
        "round_over": view.round.over is not None,
        "match_over": MATCH_END_CODEC.write(view.match_over),
    }


def moves_data(rules: Rules, round_: Round) -> list[dict[str, Any]]:
    """Return the moves of a round as everybody saw them. Fields with their default value are left out."""
    plays, rows = iter(round_.plays), []
    for move in round_.moves:
        row: dict[str, Any] = {"seat": move.seat, "move": move.act}
        if move.act == "play":
            play = next(plays)
            row["move"] = rules.move_text(Play(play.tile, play.place))
            if play.shown:
                row["shown"] = list(map(tile_text, play.shown))
        if move.points.total:
            row["points"] = move.points.total
        if move.by:
            row["by"] = move.by
        rows.append(row)
    return rows


def view_from_data(data: Data) -> View:
    """Return the view that ``view_to_data`` wrote, without the terms of points and the keys of deals.

    A bot chooses the same move from it. Raises ``BadRecord``.
    """
    try:
        return _read_view(rules_for(data["variant"]), data)
    except (KeyError, TypeError, ValueError, AttributeError, UnknownVariant, Refusal) as error:
        raise BadRecord("This is not a view.") from error


def _read_view(rules: Rules, data: Data) -> View:
    setup = start_state(new_match(rules, data["seats"], data["options"])).setup
    setup = Setup(setup.variant, data["rules_version"], setup.seats, setup.options, setup.sides)
    return View(
        rules=rules,
        viewer=data["seat"],
        setup=setup,
        round=_read_round(rules, data),
        seats=_read_seats(rules, setup, data),
        boneyard_size=data["boneyard"],
        aside_count=data["aside"],
        legal=tuple(read_move(rules, text) for text in data["legal"]),
        lead_rule=data["lead_rule"],
        price=Points(data["price"]),
        draws_left=data["draws_left"],
        last=data["last"],
        length=data["length"],
        target=data["target"],
        pot=data["pot"],
        rounds=ROUNDS_CODEC.read(data["rounds"]),
        match_over=MATCH_END_CODEC.read(data["match_over"]),
        secret="",
        absent=tuple(data["absent"]),
        forfeited=tuple(data["forfeited"]),
    )


def _read_seats(rules: Rules, setup: Setup, data: Data) -> tuple[SeatView, ...]:
    standing = list(map(rules.read_standing, data["standing"]))
    return tuple(
        SeatView(
            seat=seat,
            count=data["counts"][seat],
            hand=None if hand is None else tuple(rules.tile_names[text] for text in hand),
            standing=standing[setup.sides[seat]],
            score=rules.standing_text(standing[setup.sides[seat]]),
        )
        for seat, hand in enumerate(data["hands"])
    )


def _read_round(rules: Rules, data: Data) -> Round:
    start = tuple(data["start"])
    plays = [_read_played(rules, row) for row in data["moves"] if row["move"] not in ("draw", "pass")]
    moves = tuple(map(_read_move_made, data["moves"]))
    rounds = ROUNDS_CODEC.read(data["rounds"])
    return Round(
        layout=reduce(_place, plays, starting_layout(rules, start)),
        number=data["round"],
        start=start,
        plays=tuple(plays),
        moves=moves,
        to_move=data["to_move"],
        leader=data["leader"],
        drawn=sum(1 for _move in takewhile(lambda move: move.act == "draw", reversed(moves))),
        passes=sum(move.act == "pass" for move in takewhile(lambda move: move.act != "play", reversed(moves))),
        scored=moves[-1].points.total if moves else 0,
        peak=data["peak"],
        over=rounds[-1] if data["round_over"] else None,
    )


def _read_move_made(row: Data) -> MoveMade:
    act: Act = row["move"] if row["move"] in ("draw", "pass") else "play"
    return MoveMade(row["seat"], act, Points(row.get("points", 0)), row.get("by", ""))


def _read_played(rules: Rules, row: Data) -> Played:
    play = rules.read_play(row["move"])
    return Played(
        seat=row["seat"],
        tile=play.tile,
        place=play.place,
        to_move=None,  # of no use once the next move is made
        points=Points(row.get("points", 0)),
        shown=tuple(rules.tile_names[text] for text in row.get("shown", ())),
        by=row.get("by", ""),
    )


def _place(layout: Layout, play: Played) -> Layout:
    return layout.place(play.tile, play.place)


def read_move(rules: Rules, text: str) -> Move:
    """Read a move in the notation of the referee protocol. Raises ``ValueError``."""
    if text in ("draw", "pass"):
        return DRAW if text == "draw" else PASS
    return rules.read_play(text)
