"""Decide requests: each returns the events that follow from it, or raises ``Refusal``.

Every function raises ``Refusal`` ``match_over`` once the match is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from games.engine.events import (
    BOT,
    CLOCK,
    LEAVE_REASONS,
    STOP_REASONS,
    STOP_REASONS_WITH_SEAT,
    DealVoided,
    Drew,
    Event,
    MatchEnded,
    MatchStarted,
    MoveEvent,
    Passed,
    Played,
    RoundDealt,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
    StandingSet,
)
from games.engine.evolve import evolve
from games.engine.layout import Layout
from games.engine.moves import Draw, Move, Play
from games.engine.refusal import Refusal
from games.engine.rules import Deal, Lot, Rules
from games.engine.state import State
from games.engine.tiles import Tile

HOLD_REASONS = ("timeout", "gone")
FORFEIT_REASONS = ("left", "held")
Shuffle = Callable[[int], Sequence[int]]  # attempt number -> permutation of the set's indices; attempt 0 is for lots


def new_match(
    rules: Rules,
    seats: int,
    options: Mapping[str, str],
    *,
    match: str = "",
    commitment: str = "",
    nonces: Sequence[str] = (),
    nonce_commitments: Sequence[str] = (),
    bots: Sequence[int] = (),
    source: str = "",
    first: int = 1,
    entropy: str = "",
) -> MatchStarted:
    """Start a match with these options, else their defaults. Raises ``Refusal`` ``bad_request``.

    >>> from games.engine.variants import rules_for
    >>> new_match(rules_for("kozel"), 4, {}).options
    (('fish', 'all'),)
    """
    choices = _require_choices(rules, seats, options)
    implied = {(option.name, option.default) for option in rules.options if option.implied}
    return MatchStarted(
        variant=rules.key,
        seats=seats,
        options=tuple(choice for choice in choices.items() if choice not in implied),
        rules_version=rules.rules_version,
        match=match,
        commitment=commitment,
        nonces=tuple(nonces),
        nonce_commitments=tuple(nonce_commitments),
        bots=tuple(bots),
        source=source,
        first=first,
        entropy=entropy,
    )


def _require_choices(rules: Rules, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """Return the choices of all options, the defaults included. Raises ``Refusal`` ``bad_request``."""
    choices = {option.name: options.get(option.name, option.default) for option in rules.options}
    if type(seats) is not int or seats not in rules.seat_counts or not choices.keys() >= options.keys():
        raise Refusal("bad_request")
    for option in rules.options:
        is_selectable = not option.seats or seats in option.seats
        allowed = (*option.choices, *option.board_choices) if is_selectable else (option.default,)
        if choices[option.name] not in allowed:
            raise Refusal("bad_request")
    return choices


def deal_round(rules: Rules, state: State, shuffle: Shuffle, *, commitment: str = "") -> tuple[Event, ...]:
    """Deal the next round, again after each void deal. Raises ``Refusal`` ``round_running``.

    ``commitment`` is the SHA-256 of the round's key.
    """
    require_between_rounds(state)
    number = state.round.number + 1
    events: list[Event] = []
    for attempt in count(1):
        deal = rules.deal(state, shuffle(attempt))
        rule = rules.void_rule(deal)
        if not rule:
            dealt = _round_dealt(rules, state, deal, lot_from_shuffle(shuffle))
            return (*events, replace(dealt, attempt=attempt, commitment=commitment))
        events.append(DealVoided(number, attempt, deal.hands, deal.boneyard, rule, commitment, deal.start, deal.aside))
    raise AssertionError("unreachable")


def deal_explicit(rules: Rules, state: State, deal: Deal, *, lead: int | None = None) -> tuple[Event, ...]:
    """Start the next round with exactly this deal; ``lead`` is the seat that wins if the rules draw lots.

    Raises ``Refusal`` ``round_running``, ``bad_deal`` or ``void_deal``.
    """
    require_between_rounds(state)
    if not rules.has_shape(state, deal):
        raise Refusal("bad_deal")
    rule = rules.void_rule(deal)
    if rule:
        raise Refusal("void_deal", rules.refusals[rule], rule)

    def lot(seats: Sequence[int]) -> int:
        if lead is None or lead not in seats:
            raise Refusal("bad_deal")
        return lead

    return (_round_dealt(rules, state, deal, lot),)


def lot_from_shuffle(shuffle: Shuffle) -> Lot:
    """Return a lot from attempt 0 of the shuffle: the first index below the number of seats, which is uniform."""
    return lambda seats: next(seats[index] for index in shuffle(0) if index < len(seats))


def set_standing(rules: Rules, state: State, standing: Sequence[object], pot: int | None) -> tuple[Event, ...]:
    """Set the score between rounds, in the notation of the referee protocol; ``pot`` None keeps the pot.

    Raises ``Refusal`` ``round_running`` or ``bad_request``.
    """
    require_between_rounds(state)
    before = rules.pot(state)
    if len(standing) != len(state.standing) or (pot is not None and before is None):
        raise Refusal("bad_request")
    return (StandingSet(tuple(map(rules.read_standing, standing)), (before or 0) if pot is None else pot),)


def decide(rules: Rules, state: State, seat: int, move: Move, *, by: str = "") -> tuple[Event, ...]:
    """Return the events of a move: the move, then the end of the round and of the match if it ends them.

    ``by`` is ``clock`` after a timeout; moves of absent seats are always recorded as the bot's.
    Raises ``Refusal`` ``round_over``, ``not_your_turn`` or ``illegal_move`` (with a rule id).

    >>> from games.engine.evolve import start_state
    >>> from games.engine.variants import rules_for
    >>> rules = rules_for("gamezz")
    >>> state = start_state(new_match(rules, 4, {}))
    >>> for event in deal_round(rules, state, lambda attempt: range(28)):
    ...     state = evolve(state, event)
    >>> state.round.to_move, [rules.move_text(move) for move in rules.legal_moves(state)]
    (0, ['0-0'])
    >>> [type(event).__name__ for event in decide(rules, state, 0, rules.parse_move(state, "0-0"))]
    ['Played']
    """
    return apply_move(rules, state, seat, move, by=by)[0]


def apply_move(rules: Rules, state: State, seat: int, move: Move, *, by: str = "") -> tuple[tuple[Event, ...], State]:
    """Return the events of ``decide`` and the state after them. Raises ``Refusal`` like ``decide``."""
    require_running(state)
    if seat != state.round.to_move:
        raise Refusal("not_your_turn")
    if not rules.is_legal(state, move):
        rule = rules.broken_rule(state, move)
        raise Refusal("illegal_move", rules.refusals[rule], rule, _misfit(rules, state, move, rule))
    return advance(rules, state, seat, move, by=by)


def _misfit(rules: Rules, state: State, move: Move, rule: str) -> tuple[Tile, Layout] | None:
    """Return the tile of a refused placement and the layout if it is in the player's hand and fits nowhere."""
    layout, seat = state.round.layout, state.round.to_move
    if seat is None or not state.round.plays or not isinstance(move, Play) or rule != rules.turn_rule:
        return None
    return (move.tile, layout) if move.tile in state.hands[seat] and not layout.places(move.tile) else None


def advance(rules: Rules, state: State, seat: int, move: Move, *, by: str = "") -> tuple[tuple[Event, ...], State]:
    """Apply a move that is known to be legal; otherwise like ``apply_move``."""
    event = _move_event(rules, state, seat, move)
    by = BOT if seat in state.absent else CLOCK if by == CLOCK else ""
    if by:
        event = replace(event, by=by)
    after = evolve(state, event)
    if isinstance(event, Drew) or not rules.is_over(after, seat):
        return (event,), after
    last = replace(event, to_move=None)
    events, after = close_round(rules, evolve(state, last), seat)
    return (last, *events), after


def close_round(rules: Rules, state: State, seat: int) -> tuple[tuple[Event, ...], State]:
    """Score a round that a move of ``seat`` ended, and end the match if it is over.

    Returns the events and the state after them.
    """
    scored = rules.score_round(state, rules.ended_by(state, seat))
    after = evolve(state, scored)
    over = rules.match_end_after_round(after)
    return ((scored,), after) if over is None else ((scored, over), evolve(after, over))


def leave_match(rules: Rules, state: State, seat: int, reason: str) -> tuple[Event, ...]:
    """End the match because ``seat`` left (reason ``left``) or timed out (``timeout``).

    Raises ``Refusal`` ``bad_request``.
    """
    require_match(state)
    if reason not in LEAVE_REASONS:
        raise Refusal("bad_request")
    return (rules.leave(state, seat, reason),)


def stop_match(state: State, reason: str, seat: int | None = None) -> tuple[Event, ...]:
    """End the match without a result, for a reason of ``STOP_REASONS``. Raises ``Refusal`` ``bad_request``.

    ``seat`` is the last person if the reason is one of ``STOP_REASONS_WITH_SEAT``, else None.
    """
    require_match(state)
    if reason not in STOP_REASONS or (seat is not None and reason not in STOP_REASONS_WITH_SEAT):
        raise Refusal("bad_request")
    return (MatchEnded(reason, seat, "", (), (), ()),)


def hold_seat(state: State, seat: int, reason: str) -> tuple[Event, ...]:
    """Let a bot play for the person in a seat until they return. Raises ``Refusal`` ``bad_request``."""
    require_match(state)
    if seat not in range(state.setup.seats) or seat in state.absent or reason not in HOLD_REASONS:
        raise Refusal("bad_request")
    return (SeatHeld(seat, reason),)


def give_back_seat(state: State, seat: int) -> tuple[Event, ...]:
    """Give a held seat back to its person. Raises ``Refusal`` ``bad_request``."""
    require_match(state)
    if seat not in state.absent or seat in state.forfeited:
        raise Refusal("bad_request")
    return (SeatReturned(seat),)


def forfeit_seat(state: State, seat: int, reason: str) -> tuple[Event, ...]:
    """Give a seat to a bot for the rest of the match. Raises ``Refusal`` ``bad_request``."""
    require_match(state)
    if seat not in range(state.setup.seats) or seat in state.forfeited or reason not in FORFEIT_REASONS:
        raise Refusal("bad_request")
    return (SeatForfeited(seat, reason),)


def require_match(state: State) -> None:
    """Raise ``Refusal`` ``match_over`` if the match is over."""
    if state.match_over:
        raise Refusal("match_over")


def require_running(state: State) -> None:
    """Raise ``Refusal`` ``match_over`` or ``round_over`` unless a round is running."""
    require_match(state)
    if state.round.to_move is None:
        raise Refusal("round_over")


def require_between_rounds(state: State) -> None:
    """Raise ``Refusal`` ``match_over`` or ``round_running`` unless a round may be dealt."""
    require_match(state)
    if state.round.to_move is not None:
        raise Refusal("round_running")


def _move_event(rules: Rules, state: State, seat: int, move: Move) -> MoveEvent:
    points = rules.move_points(state, move)
    following = (seat + 1) % state.setup.seats
    if isinstance(move, Play):
        return Played(seat, move.tile, move.place, following, points, rules.tiles_revealed_by_play(state, move))
    if isinstance(move, Draw):
        return Drew(seat, state.boneyard[0], seat, points)
    return Passed(seat, following, points)


def _round_dealt(rules: Rules, state: State, deal: Deal, lot: Lot) -> RoundDealt:
    lots: list[int] = []

    def recorded_lot(seats: Sequence[int]) -> int:
        lots.extend(seats)
        return lot(seats)

    lead = rules.leader(state, deal, recorded_lot)
    return RoundDealt(
        round=state.round.number + 1,
        attempt=1,
        hands=deal.hands,
        boneyard=deal.boneyard,
        to_move=lead.seat,
        must_lead=lead.tiles,
        rule=lead.rule,
        standing=state.standing,
        pot=rules.pot(state) or 0,
        start=deal.start,
        aside=deal.aside,
        lots=tuple(lots),
    )
