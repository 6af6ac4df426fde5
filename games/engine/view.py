"""The part of a match that one viewer may see.

A view is built from the fields that are allowed. It is never a copy of the state with fields deleted.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.events import MatchEnded, Points, RoundEnded, Standing
from games.engine.moves import Move, Play
from games.engine.rules import NO_POINTS, Rules
from games.engine.state import Round, Setup, State, replace_fields
from games.engine.tiles import Tile


@dataclass(frozen=True)
class SeatView:
    """A seat with ``count`` tiles. ``hand`` is None unless they are visible; ``score`` is ``standing`` as text."""

    seat: int
    count: int
    hand: tuple[Tile, ...] | None
    standing: Standing
    score: str


@dataclass(frozen=True)
class View:
    """The position for one viewer: ``viewer`` is a seat, or None for everybody else.

    - ``boneyard_size``, ``aside_count``: numbers of tiles.
    - ``legal``: the viewer's legal moves, empty if it is not their turn. ``price``: the points of their draw or pass.
      ``lead_rule``: the rule id that restricts their lead to ``legal``, "" if any tile may be led.
    - ``draws_left``, ``length``, ``target``, ``pot``, ``last``: as the methods of ``RulesOf`` return them.
    - ``secret``: "" until it is public.
    - ``absent``: seats in which bots play for people, who may return unless the seat is in ``forfeited``.
    """

    rules: Rules
    viewer: int | None
    setup: Setup
    round: Round
    seats: tuple[SeatView, ...]
    boneyard_size: int
    aside_count: int
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
    """Return the view of a seat, or of a spectator if ``viewer`` is None. ``open_hands`` is for finished rounds.

    >>> from dataclasses import replace
    >>> from games.engine.decide import new_match
    >>> from games.engine.evolve import start_state
    >>> from games.engine.variants import rules_for
    >>> kozel = rules_for("kozel")
    >>> state = replace(start_state(new_match(kozel, 2, {})), hands=(((6, 4),), ((5, 5),)), boneyard=((1, 0),))
    >>> view = view_for(kozel, state, 0)
    >>> [seat.hand for seat in view.seats], view.boneyard_size
    ([((6, 4),), None], 1)
    """
    face_up = open_hands or state.round.over is not None or state.match_over is not None
    public = View(
        rules=rules,
        viewer=None,
        setup=state.setup,
        round=state.round,
        seats=tuple([_seat_view(rules, state, seat, face_up=face_up) for seat in range(len(state.hands))]),
        boneyard_size=len(state.boneyard),
        aside_count=len(state.aside),
        legal=(),
        lead_rule="",
        price=NO_POINTS,
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
    return public if viewer is None else view_of_seat(public, state, viewer)


def view_of_seat(public: View, state: State, seat: int) -> View:
    """Return the public view with the tiles and moves of a seat. Views of several seats can share ``public``."""
    mine = seat == state.round.to_move
    legal = public.rules.legal_moves(state) if mine else ()
    own = replace_fields(public.seats[seat], hand=state.hands[seat])
    return replace_fields(
        public,
        viewer=seat,
        seats=(*public.seats[:seat], own, *public.seats[seat + 1 :]),
        legal=legal,
        lead_rule=state.lead_rule if mine and not state.round.plays else "",
        price=_price(public.rules, state, legal),
    )


def _price(rules: Rules, state: State, legal: tuple[Move, ...]) -> Points:
    """Return the points of the legal draw or pass, if there is one."""
    if not legal or isinstance(legal[-1], Play):  # placements come first
        return NO_POINTS
    return rules.move_points(state, legal[-1])


def _seat_view(rules: Rules, state: State, seat: int, *, face_up: bool) -> SeatView:
    hand = state.hands[seat]
    standing = state.standing[state.setup.sides[seat]]
    return SeatView(
        seat=seat,
        count=len(hand),
        hand=hand if face_up else None,
        standing=standing,
        score=rules.standing_text(standing),
    )
