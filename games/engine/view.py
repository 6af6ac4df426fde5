"""What one viewer may see. The view is built from named pieces; nothing is copied and then deleted."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.events import MatchEnded, Played, Points, RoundEnded, Standing
from games.engine.layout import Layout
from games.engine.moves import Move, Play
from games.engine.rules import NO_POINTS, Rules
from games.engine.state import State, Step
from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it: how many tiles, and the tiles only where they are the viewer's or face up."""

    seat: int
    count: int
    hand: tuple[Tile, ...] | None
    standing: Standing
    score: str


@dataclass(frozen=True, slots=True)
class View:
    """One moment of a match for one viewer (``viewer``: a seat, or None for everybody else).

    ``score`` in a seat is the standing in notation (``+19``, ``=20``, ``0``). ``boneyard`` is a count.
    ``legal`` are the viewer's own moves, empty while it is not the viewer's turn. ``lead_rule`` is the rule id
    under which the viewer must lead exactly one of ``legal`` ("" if free). ``steps`` is what was done in this round,
    the nth ``play`` being the nth of ``plays``; ``start`` are the placements that lay on the table from the deal on,
    ``peak`` is the highest score that anybody had since. ``attempt`` above 1 means that deals of this round were void.
    ``draws_left`` are the tiles that may still be drawn in this turn, where the rules count them; ``price`` is what
    the viewer's own draw or pass scores. ``aside`` counts the tiles out of play. ``last``: the match is to end with
    this round; ``length``: it has so many rounds, None where that is not agreed beforehand. ``commitment`` is SHA-256
    of the round's key; ``key`` and ``secret`` are "" until everybody may know them.
    """

    variant: str
    viewer: int | None
    options: tuple[tuple[str, str], ...]
    round: int
    attempt: int
    commitment: str
    key: str
    secret: str
    seats: tuple[SeatView, ...]
    boneyard: int
    layout: Layout
    start: tuple[str, ...]
    plays: tuple[Played, ...]
    steps: tuple[Step, ...]
    to_move: int | None
    legal: tuple[Move, ...]
    lead_rule: str
    drawn: int
    draws_left: int | None
    price: Points
    aside: int
    scored: int
    peak: int
    last: bool
    length: int | None
    pot: int
    rounds: tuple[RoundEnded, ...]
    round_over: RoundEnded | None
    match_over: MatchEnded | None


def view_for(rules: Rules, state: State, viewer: int | None, *, open_hands: bool = False) -> View:
    """Return what ``viewer`` (a seat, or None) may see now; ``open_hands`` is for rounds that are over."""
    mine = viewer is not None and viewer == state.to_move
    leading = mine and not state.plays
    legal = rules.legal_moves(state) if mine else ()
    return View(
        variant=state.variant,
        viewer=viewer,
        options=state.options,
        round=state.round,
        attempt=state.attempt,
        commitment=state.commitment,
        key=state.key,
        secret=state.secret,
        seats=tuple(_seat_view(rules, state, seat, viewer, open_hands=open_hands) for seat in range(state.seats)),
        boneyard=len(state.boneyard),
        layout=state.layout,
        start=state.start,
        plays=state.plays,
        steps=state.steps,
        to_move=state.to_move,
        legal=legal,
        lead_rule=state.lead_rule if leading else "",
        drawn=state.drawn,
        draws_left=rules.draws_left(state),
        price=_price(rules, state, legal),
        aside=len(state.aside),
        scored=state.scored,
        peak=state.peak,
        last=rules.is_last(state),
        length=rules.length(state),
        pot=state.pot,
        rounds=state.rounds,
        round_over=state.round_over,
        match_over=state.match_over,
    )


def _price(rules: Rules, state: State, legal: tuple[Move, ...]) -> Points:
    """Return what drawing or passing scores, whichever of them is legal."""
    act = next((move for move in reversed(legal) if not isinstance(move, Play)), None)
    return NO_POINTS if act is None else rules.move_points(state, act)


def _seat_view(rules: Rules, state: State, seat: int, viewer: int | None, *, open_hands: bool) -> SeatView:
    hand = state.hands[seat]
    face_up = open_hands or state.round_over is not None or state.match_over is not None
    standing = state.standing[state.sides[seat]]
    return SeatView(
        seat=seat,
        count=len(hand),
        hand=hand if face_up or seat == viewer else None,
        standing=standing,
        score=rules.standing_text(standing),
    )
