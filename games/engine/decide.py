"""Judging: the facts that a request leads to, or why it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from games.engine.events import (
    CAUSED,
    LEAVES,
    STOPS,
    DealVoided,
    Drew,
    Event,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    RoundDealt,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
    StandingSet,
)
from games.engine.evolve import evolve
from games.engine.moves import Draw, Move, Play
from games.engine.refusal import Refusal
from games.engine.rules import Deal, Lot, Rules
from games.engine.state import State

CLOCK, BOT = "clock", "bot"
"""Who makes a move if not the player of the seat."""
HELD = ("timeout", "gone")
FORFEITED = ("left", "held")
Shuffle = Callable[[int], Sequence[int]]
"""A permutation of the set's indices for each attempt 1, 2, ...; attempt 0 is for lots."""


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
) -> MatchStarted:
    """Start a match; missing options take their defaults. Raises ``Refusal`` ``bad_request``.

    >>> from games.engine.variants import rules_for
    >>> new_match(rules_for("kozel"), 4, {}).options
    (('fish', 'all'),)
    """
    known = {option.name for option in rules.options}
    if type(seats) is not int or seats not in rules.seat_counts or not known.issuperset(options):
        raise Refusal("bad_request")
    chosen = {option.name: options.get(option.name, option.default) for option in rules.options}
    for option in rules.options:
        free = not option.seats or seats in option.seats
        if chosen[option.name] not in (option.choices if free else (option.default,)):
            raise Refusal("bad_request")
    return MatchStarted(
        variant=rules.key,
        seats=seats,
        options=_written(rules, chosen),
        rules_version=rules.rules_version,
        match=match,
        commitment=commitment,
        nonces=tuple(nonces),
        nonce_commitments=tuple(nonce_commitments),
        bots=tuple(bots),
    )


def _written(rules: Rules, chosen: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the options as a record has them, without the defaults that it leaves out."""
    implied = {(option.name, option.default) for option in rules.options if option.implied}
    return tuple(choice for choice in chosen.items() if choice not in implied)


def deal_round(rules: Rules, state: State, shuffle: Shuffle, *, commitment: str = "") -> tuple[Event, ...]:
    """Deal the next round until no rule voids the deal. Raises ``Refusal`` ``match_over`` or ``round_running``.

    ``commitment`` is SHA-256 of the round's key. Every void deal is a fact too.
    """
    require_between_rounds(state)
    number = state.round.number + 1
    events: list[Event] = []
    for attempt in count(1):
        deal = rules.deal(state, shuffle(attempt))
        rule = rules.void_rule(deal)
        if not rule:
            dealt = _dealt(rules, state, deal, lot_of(shuffle), attempt=attempt, commitment=commitment)
            return (*events, dealt)
        events.append(DealVoided(number, attempt, deal.hands, deal.boneyard, rule, commitment, deal.start, deal.aside))
    raise AssertionError("unreachable")


def deal_given(rules: Rules, state: State, deal: Deal, *, lead: int | None = None) -> tuple[Event, ...]:
    """Start the next round with exactly this deal; ``lead`` is used where the rules draw lots.

    Raises ``Refusal`` ``match_over``, ``round_running``, ``bad_deal`` or ``void_deal``.
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

    return (_dealt(rules, state, deal, lot, attempt=1, commitment=""),)


def lot_of(shuffle: Shuffle) -> Lot:
    """Draw lots by the shuffle's attempt 0: the first index below the number of seats is uniform among them."""
    return lambda seats: next(seats[index] for index in shuffle(0) if index < len(seats))


def set_standing(rules: Rules, state: State, standing: Sequence[object], pot: int | None) -> tuple[Event, ...]:
    """Set the score between rounds, as the referee protocol writes it; ``pot`` None leaves the pot alone.

    Raises ``Refusal`` ``match_over``, ``round_running`` or ``bad_request``.
    """
    require_between_rounds(state)
    before = rules.pot(state)
    if len(standing) != len(state.standing) or (pot is not None and before is None):
        raise Refusal("bad_request")
    read = tuple(rules.read_standing(data) for data in standing)
    return (StandingSet(read, (before or 0) if pot is None else pot),)


def decide(rules: Rules, state: State, seat: int, move: Move, *, by: str = "") -> tuple[Event, ...]:
    """Return the facts that a move leads to: the move, and the end of the round and of the match if they follow.

    ``by`` is ``clock`` for a move that the clock makes; in an absent seat every move is the bot's.
    Raises ``Refusal`` ``match_over``, ``round_over``, ``not_your_turn`` or ``illegal_move`` (with the rule id).

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
    return make_move(rules, state, seat, move, by=by)[0]


def make_move(rules: Rules, state: State, seat: int, move: Move, *, by: str = "") -> tuple[tuple[Event, ...], State]:
    """Return the facts of ``decide`` and the state after them, without which the end of a round cannot be judged.

    Raises ``Refusal`` as ``decide`` does.
    """
    require_running(state)
    if seat != state.round.to_move:
        raise Refusal("not_your_turn")
    if not rules.is_legal(state, move):
        rule = rules.broken_rule(state, move)
        raise Refusal("illegal_move", rules.refusals[rule], rule)
    return advance(rules, state, seat, move, by=by)


def advance(rules: Rules, state: State, seat: int, move: Move, *, by: str = "") -> tuple[tuple[Event, ...], State]:
    """Do the same for a move that was just chosen among the legal ones: whether it is one is not asked again."""
    event = _move_made(rules, state, seat, move)
    by = BOT if seat in state.absent else CLOCK if by == CLOCK else ""
    if by:
        event = replace(event, by=by)
    after = evolve(state, event)
    if isinstance(event, Drew):  # it leaves the table as it is and the turn where it is
        return (event,), after
    if not rules.is_over(after, seat):
        return (event,), after
    last = replace(event, to_move=None)
    facts, after = round_closed(rules, evolve(state, last), seat)
    return (last, *facts), after


def round_closed(rules: Rules, state: State, seat: int) -> tuple[tuple[Event, ...], State]:
    """Return the facts that follow from the move by which ``seat`` ended the round, and the state after them."""
    scored = rules.score_round(state, rules.ended_by(state, seat))
    after = evolve(state, scored)
    over = rules.finish(after)
    return ((scored,), after) if over is None else ((scored, over), evolve(after, over))


def leave(rules: Rules, state: State, seat: int, reason: str) -> tuple[Event, ...]:
    """End the match because ``seat`` left (``left``) or ran out of time (``timeout``).

    Raises ``Refusal`` ``match_over``, ``bad_request``.
    """
    require_match(state)
    if reason not in LEAVES:
        raise Refusal("bad_request")
    return (rules.leave(state, seat, reason),)


def stop(state: State, reason: str, seat: int | None = None) -> tuple[Event, ...]:
    """End the match without winners or losers, for a reason of ``STOPS``.

    ``seat`` is the last person, who left only bots behind or was away too long; None where no single person was the
    cause. Raises ``Refusal`` ``match_over``, ``bad_request``.
    """
    require_match(state)
    if reason not in STOPS or (seat is not None and reason not in CAUSED):
        raise Refusal("bad_request")
    return (MatchEnded(reason, seat, "", (), (), ()),)


def hold(state: State, seat: int, reason: str) -> tuple[Event, ...]:
    """Let a bot play for the person in a seat until they come back.

    Raises ``Refusal`` ``match_over``, ``bad_request``.
    """
    require_match(state)
    if seat not in range(state.setup.seats) or seat in state.absent or reason not in HELD:
        raise Refusal("bad_request")
    return (SeatHeld(seat, reason),)


def take_back(state: State, seat: int) -> tuple[Event, ...]:
    """Let the person in a seat that is held play on. Raises ``Refusal`` ``match_over``, ``bad_request``."""
    require_match(state)
    if seat not in state.absent or seat in state.forfeited:
        raise Refusal("bad_request")
    return (SeatReturned(seat),)


def forfeit(state: State, seat: int, reason: str) -> tuple[Event, ...]:
    """Give a seat to a bot for good. Raises ``Refusal`` ``match_over``, ``bad_request``."""
    require_match(state)
    if seat not in range(state.setup.seats) or seat in state.forfeited or reason not in FORFEITED:
        raise Refusal("bad_request")
    return (SeatForfeited(seat, reason),)


def require_match(state: State) -> None:
    """Raises ``Refusal`` ``match_over`` if the match is over."""
    if state.match_over:
        raise Refusal("match_over")


def require_running(state: State) -> None:
    """Raises ``Refusal`` ``match_over`` or ``round_over`` unless a round is being played."""
    require_match(state)
    if state.round.to_move is None:
        raise Refusal("round_over")


def require_between_rounds(state: State) -> None:
    """Raises ``Refusal`` ``match_over`` or ``round_running`` unless a round may be dealt."""
    require_match(state)
    if state.round.to_move is not None:
        raise Refusal("round_running")


def _move_made(rules: Rules, state: State, seat: int, move: Move) -> Played | Drew | Passed:
    points = rules.move_points(state, move)
    following = (seat + 1) % state.setup.seats
    if isinstance(move, Play):
        return Played(seat, move.tile, move.place, following, points, rules.shown(state, move))
    if isinstance(move, Draw):
        return Drew(seat, state.boneyard[0], seat, points)
    return Passed(seat, following, points)


def _dealt(rules: Rules, state: State, deal: Deal, lot: Lot, *, attempt: int, commitment: str) -> RoundDealt:
    lots: list[int] = []

    def drawn(seats: Sequence[int]) -> int:
        lots.extend(seats)
        return lot(seats)

    lead = rules.leader(state, deal, drawn)
    return RoundDealt(
        round=state.round.number + 1,
        attempt=attempt,
        hands=deal.hands,
        boneyard=deal.boneyard,
        to_move=lead.seat,
        must_lead=lead.tiles,
        rule=lead.rule,
        standing=state.standing,
        pot=rules.pot(state) or 0,
        start=deal.start,
        aside=deal.aside,
        commitment=commitment,
        lots=tuple(lots),
    )
