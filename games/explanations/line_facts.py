"""Facts of games in which tiles are played on open ends: Kozel, Classic goat and All Fives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.bots import bot_for_variant
from games.engine.tiles import Tile, is_double, pips
from games.engine.variants.kozel import ACCOUNT_OPENING_POINTS, hand_points
from games.explanations.fact import Fact
from games.explanations.standpoint import Aftermath

MIN_OWN_DIFFERENCE = 2  # tiles of the hand that fit
MIN_HIDDEN_DIFFERENCE = 3  # hidden tiles that fit
MIN_HIDDEN_RATIO = 1.5
MAX_OPENERS = 2  # tiles that can open a number for a double
MIN_PIPS_DIFFERENCE = 4


def line_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield the facts of a position on a line."""
    if not better.open_numbers:
        return
    yield from _closing_facts(better, worse)
    if better.closes_round or worse.closes_round:
        return
    yield from _opponent_facts(better, worse)
    yield from _hand_pips_facts(better, worse)
    yield from _hand_facts(better, worse)


def _closing_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield which move closes the round, with the pips that stay in hand (``kozel.fish``, ``gamezz.score_block``)."""
    if better.closes_round == worse.closes_round:
        return
    closing = better if better.closes_round else worse
    if better.before.rules.key == "gamezz":
        yield Fact("blocks", better.closes_round)
    else:
        yield Fact("closes", better.closes_round, (sum(map(pips, closing.hand)),))


def _opponent_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield what opponents cannot follow, from the draws and passes of the round (``must_play_rule``)."""
    if better.stuck_seat is not None and worse.stuck_seat is None:
        kind = "must_draw" if better.before.view.boneyard_size else "must_pass"
        yield Fact(kind, True, (better.stuck_seat,))
    elif lacking := _new_lack(better, worse):
        yield Fact("lacks", True, lacking)
    if numbers := better.numbers_only_own_hand_fits - worse.numbers_only_own_hand_fits:
        yield Fact("own_end", True, (better.before.seat, min(numbers)))
    few, many = better.hidden_fitting, worse.hidden_fitting
    if many - few >= MIN_HIDDEN_DIFFERENCE and many >= MIN_HIDDEN_RATIO * few:
        yield Fact("few_fit", True, (few, many))


def _new_lack(better: Aftermath, worse: Aftermath) -> tuple[int, int] | None:
    """Return an opponent and a number that only the better move leaves and the opponent does not have."""
    for seat in better.before.opponents:
        lacking, lacking_worse = better.numbers_lacking(seat), worse.numbers_lacking(seat)
        if len(lacking) > len(lacking_worse):
            return seat, min(lacking - lacking_worse)
    return None


def _hand_pips_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield what the pips in hand mean in games of the goat (``kozel.remember``, ``kozel.goat``, ``gamezz.end``)."""
    rules, view = better.before.rules, better.before.view
    if not rules.are_points_bad or view.target is None:
        return
    standing = view.seats[better.before.seat].standing
    count = hand_points if rules.key == "kozel" else _pips_of
    light, heavy = count(better.hand), count(worse.hand)
    if not standing.opened and light < ACCOUNT_OPENING_POINTS <= heavy:
        yield Fact("remembered", True, (light, heavy, ACCOUNT_OPENING_POINTS))
    elif standing.points + light < view.target <= standing.points + heavy:
        yield Fact("below_limit", True, (standing.points + light, standing.points + heavy, view.target))


def _hand_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield what the moves do to the own hand."""
    if better.tile is None or worse.tile is None or not worse.hand:
        return
    if (number := _kept_number(better, worse)) is not None:
        yield Fact("keeps", True, (number,))
    own_better, own_worse = better.hand_fitting, worse.hand_fitting
    if own_better and not own_worse:
        yield Fact("none_fits", False)
    elif own_better - own_worse >= MIN_OWN_DIFFERENCE:
        yield Fact("more_fit", True, (own_better, own_worse))
    if (opener_count := _count_openers(better, worse)) is not None and opener_count <= MAX_OPENERS:
        number = better.tile[0]
        if opener_count:
            yield Fact("strands", False, (opener_count, number, *better.tile))
        else:
            yield Fact("dead_double", False, (number, *better.tile))
    if bot_for_variant(better.before.rules.key).plays_heavy_tiles_early:
        heavy, light = pips(better.tile), pips(worse.tile)
        if heavy - light >= MIN_PIPS_DIFFERENCE:
            yield Fact("heavy", True, (heavy, light))


def _kept_number(better: Aftermath, worse: Aftermath) -> int | None:
    """Return a number of which the worse move plays the only tile, while the better one loses fewer numbers.

    A number that is open after the better move comes first, then the one that most hidden tiles have.
    """
    numbers, numbers_worse = _numbers(better.hand), _numbers(worse.hand)
    if len(numbers) <= len(numbers_worse):
        return None
    hidden = {number: sum(number in tile for tile in better.hidden) for number in numbers}
    candidates = [
        number
        for number in numbers - numbers_worse
        if number not in (better.tile or ()) and (hidden[number] or number in better.open_numbers)
    ]
    return max(candidates, key=lambda number: (number in better.open_numbers, hidden[number], -number), default=None)


def _count_openers(better: Aftermath, worse: Aftermath) -> int | None:
    """Return how many tiles can open a number for the double that only the better move plays.

    None if it plays no double or the number stays open.
    """
    tile = better.tile
    if tile is None or tile == worse.tile or not is_double(tile) or tile[0] in worse.open_numbers:
        return None
    return sum(tile[0] in other and other != tile for other in (*worse.hidden, *worse.hand))


def _numbers(tiles: Sequence[Tile]) -> set[int]:
    return {number for tile in tiles for number in tile}


def _pips_of(hand: Sequence[Tile]) -> int:
    return sum(map(pips, hand))
