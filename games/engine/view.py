"""What one viewer may see. A view is built from named pieces; it is never a copy of the state with parts deleted."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.events import MatchEnded, Points, RoundEnded, Standing
from games.engine.moves import Move, Play
from games.engine.rules import NO_POINTS, Rules
from games.engine.state import Round, Setup, State, changed
from games.engine.tiles import Tile


@dataclass(frozen=True)
class SeatView:
    """One seat as the viewer sees it: how many tiles, and the tiles only where they are the viewer's or face up.

    ``score`` is the standing as the game writes it.
    """

    seat: int
    count: int
    hand: tuple[Tile, ...] | None
    standing: Standing
    score: str


@dataclass(frozen=True)
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
    face_up = open_hands or state.round.over is not None or state.match_over is not None
    public = View(
        rules=rules,
        viewer=None,
        setup=state.setup,
        round=state.round,
        seats=tuple([_seat_view(rules, state, seat, face_up=face_up) for seat in range(len(state.hands))]),
        boneyard=len(state.boneyard),
        aside=len(state.aside),
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
    """Return what a seat may see, which is what everybody may (``public``), and its own tiles and moves.

    Where several seats look at one position, this spares what they see alike.
    """
    mine = seat == state.round.to_move
    legal = public.rules.legal_moves(state) if mine else ()
    own = changed(public.seats[seat], hand=state.hands[seat])
    return changed(
        public,
        viewer=seat,
        seats=(*public.seats[:seat], own, *public.seats[seat + 1 :]),
        legal=legal,
        lead_rule=state.lead_rule if mine and not state.round.plays else "",
        price=_price(public.rules, state, legal),
    )


def _price(rules: Rules, state: State, legal: tuple[Move, ...]) -> Points:
    """Return what drawing or passing scores, whichever of them is legal."""
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
