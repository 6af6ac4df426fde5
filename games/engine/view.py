"""What one viewer may see. A view is built from named pieces; it is never a copy of the state with parts deleted."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.events import MatchEnded, Points, RoundEnded, Standing
from games.engine.moves import Move, Play
from games.engine.rules import NO_POINTS, Rules
from games.engine.state import Round, Setup, State
from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it: how many tiles, and the tiles only where they are the viewer's or face up.

    ``score`` is the standing as the game writes it.
    """

    seat: int
    count: int
    hand: tuple[Tile, ...] | None
    standing: Standing
    score: str


@dataclass(frozen=True, slots=True)
class View:
    """One moment of a match for one viewer (``viewer``: a seat, or None for everybody else).

    ``round`` is what lies and happened in the open. ``boneyard`` and ``aside`` are counts. ``legal`` are the viewer's
    own moves, empty while it is not the viewer's turn; ``lead_rule`` is the rule id under which the viewer must lead
    exactly one of them ("" if free); ``price`` is what the viewer's own draw or pass scores. ``draws_left`` are the
    tiles that may still be drawn in this turn, None where the rules do not count them. ``last``: the match is to end
    with this round; ``length``: it has so many rounds, None where that is not agreed beforehand; ``target``
    is the score that ends it, None where none does. ``pot``: the points in it, None where the game has no pot.
    ``secret`` is "" until everybody may know it. In ``absent`` seats bots play for people, who come back to those that
    are not ``forfeited``.
    """

    rules: Rules
    viewer: int | None
    setup: Setup
    round: Round
    seats: tuple[SeatView, ...]
    boneyard: int
    aside: int
    legal: tuple[Move, ...]
    lead_rule: str
    price: Points
    draws_left: int | None
    last: bool
    length: int | None
    target: int | None
    pot: int | None
    rounds: tuple[RoundEnded, ...]
    match_over: MatchEnded | None
    secret: str
    absent: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()


def view_for(rules: Rules, state: State, viewer: int | None, *, open_hands: bool = False) -> View:
    """Return what ``viewer`` (a seat, or None) may see now; ``open_hands`` is for rounds that are over.

    >>> from dataclasses import replace
    >>> from games.engine.decide import new_match
    >>> from games.engine.evolve import start_state
    >>> from games.engine.variants import rules_for
    >>> kozel = rules_for("kozel")
    >>> state = replace(start_state(new_match(kozel, 2, {})), hands=(((6, 4),), ((5, 5),)), boneyard=((1, 0),))
    >>> view = view_for(kozel, state, 0)
    >>> [seat.hand for seat in view.seats], view.boneyard
    ([((6, 4),), None], 1)
    """
    mine = viewer is not None and viewer == state.round.to_move
    legal = rules.legal_moves(state) if mine else ()
    return View(
        rules=rules,
        viewer=viewer,
        setup=state.setup,
        round=state.round,
        seats=tuple(_seat_view(rules, state, seat, viewer, open_hands=open_hands) for seat in range(len(state.hands))),
        boneyard=len(state.boneyard),
        aside=len(state.aside),
        legal=legal,
        lead_rule=state.lead_rule if mine and not state.round.plays else "",
        price=_price(rules, state, legal),
        draws_left=rules.draws_left(state),
        last=rules.is_last(state),
        length=rules.length(state),
        target=rules.target(state),
        pot=rules.pot(state),
        rounds=state.rounds,
        match_over=state.match_over,
        secret=state.secret,
        absent=state.absent,
        forfeited=state.forfeited,
    )


def _price(rules: Rules, state: State, legal: tuple[Move, ...]) -> Points:
    """Return what drawing or passing scores, whichever of them is legal."""
    act = next((move for move in reversed(legal) if not isinstance(move, Play)), None)
    return NO_POINTS if act is None else rules.move_points(state, act)


def _seat_view(rules: Rules, state: State, seat: int, viewer: int | None, *, open_hands: bool) -> SeatView:
    hand = state.hands[seat]
    face_up = open_hands or state.round.over is not None or state.match_over is not None
    standing = state.standing[state.setup.sides[seat]]
    return SeatView(
        seat=seat,
        count=len(hand),
        hand=hand if face_up or seat == viewer else None,
        standing=standing,
        score=rules.standing_text(standing),
    )
