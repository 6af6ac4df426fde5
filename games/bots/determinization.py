"""Knowledge of hidden tiles that follows from a view, and random positions that agree with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass
from random import Random

from games.engine.events import Played
from games.engine.evolve import starting_layout
from games.engine.moves import Play
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.view import View

TRIES = 20  # attempts to deal the unseen tiles so that every group gets tiles it can hold


@dataclass(slots=True)
class Group:
    """``count`` face-down tiles of a seat, all of them among ``tiles``."""

    count: int
    tiles: frozenset[Tile]


def groups_of(rules: Rules, view: View) -> dict[int, list[Group]]:
    """Return the groups of tiles in every hidden hand, oldest groups first.

    If seats that can play must, a seat that drew or passed had no tile that fitted. Revealed tiles are in the hand.
    """
    everything = frozenset(rules.tile_set)
    groups_by_seat = {}
    for seat in view.seats:
        if seat.hand is None:
            acts = [move.act for move in view.round.moves if move.seat == seat.seat]
            groups_by_seat[seat.seat] = [Group(seat.count + acts.count("play") - acts.count("draw"), everything)]
    plays, unfit = iter(view.round.plays), _unfit(rules, view, groups_by_seat) if rules.must_play_rule else {}
    for number, move in enumerate(view.round.moves):
        play = next(plays) if move.act == "play" else None
        groups = groups_by_seat.get(move.seat, [])
        if play is not None and groups:
            _add_play(groups, play)
        if number in unfit:
            for group in groups:
                group.tiles &= unfit[number]
        if move.act == "draw" and groups:
            _add_draw(groups, everything)
    return {seat: [group for group in groups if group.count] for seat, groups in groups_by_seat.items()}


def _unfit(rules: Rules, view: View, seats: Container[int]) -> dict[int, frozenset[Tile]]:
    """Return the tiles that did not fit when one of these seats drew or passed, by index of the move."""
    layout, plays = starting_layout(rules, view.round.start), iter(view.round.plays)
    by_move, pending, unfit = {}, list[Played](), frozenset[Tile]()
    for number, move in enumerate(view.round.moves):
        if move.act == "play":
            pending.append(next(plays))
        elif move.seat in seats:
            for play in pending:
                layout = layout.place(play.tile, play.place)
            if pending or not unfit:
                unfit = frozenset([tile for tile in dict.fromkeys(rules.tile_set) if not layout.places(tile)])
            pending.clear()
            by_move[number] = unfit
    return by_move


def _add_draw(groups: list[Group], everything: frozenset[Tile]) -> None:
    if groups[-1].tiles == everything:
        groups[-1].count += 1
    else:
        groups.append(Group(1, everything))


def _add_play(groups: list[Group], play: Played) -> None:
    """Remove the tile from its group. Tiles that the move revealed become groups of their own."""
    _take(groups, play.tile)
    for tile in play.shown:
        _take(groups, tile)
        groups.insert(0, Group(1, frozenset({tile})))


def _take(groups: list[Group], tile: Tile) -> None:
    """Remove a tile from the oldest group that can contain it. Newer groups allow more tiles, so this is safe."""
    next(group for group in groups if group.count and tile in group.tiles).count -= 1


def determinizations(rules: Rules, view: View, random: Random) -> Iterator[State]:
    """Yield random positions that the viewer cannot distinguish from the real one, without end."""
    seen = [tile for tile, _ in filter(None, map(rules.layout.read, view.round.start))]
    seen += (play.tile for play in view.round.plays)
    for seat in view.seats:
        seen += seat.hand or ()
    unseen = list((Counter(rules.tile_set) - Counter(seen)).elements())
    groups = [(index, group) for index, groups in groups_of(rules, view).items() for group in groups]
    groups.sort(key=lambda entry: len(entry[1].tiles))
    while True:
        yield _position(rules, view, *_deal_unseen(view, groups, unseen, random))


def _deal_unseen(
    view: View, groups: list[tuple[int, Group]], unseen: list[Tile], random: Random
) -> tuple[list[list[Tile]], list[Tile]]:
    """Return random hands and the rest of the unseen tiles. Groups with the fewest choices come first.

    In rare cases no attempt gives every group tiles that it allows; the last attempt then counts.
    """
    for _ in range(TRIES):
        unseen.sort(key=lambda _tile: random.random())  # a shuffle, in a quarter of the time
        hands, rest, fitted = _hands(view, groups, unseen)
        if fitted:
            break
    return hands, rest


def _hands(
    view: View, groups: list[tuple[int, Group]], unseen: list[Tile]
) -> tuple[list[list[Tile]], list[Tile], bool]:
    """Deal the tiles in order. The third result is True if every group got tiles that it allows."""
    rest, fitted, whole = list(unseen), True, len(set(view.rules.tile_set))
    hands = [list(seat.hand or ()) for seat in view.seats]
    for seat, group in groups:
        if len(group.tiles) == whole:
            hands[seat] += rest[: group.count]
            del rest[: group.count]
            continue
        fitting = [tile for tile in rest if tile in group.tiles]
        picked = (fitting + [tile for tile in rest if tile not in group.tiles])[: group.count]
        fitted = fitted and len(fitting) >= group.count
        for tile in picked:
            rest.remove(tile)
        hands[seat] += picked
    return hands, rest, fitted


def _position(rules: Rules, view: View, hands: list[list[Tile]], rest: list[Tile]) -> State:
    """Return a state with this view and these hands; ``rest`` are the boneyard and the tiles set aside."""
    standing = dict(zip(view.setup.sides, (seat.standing for seat in view.seats), strict=True))
    return State(
        setup=view.setup,
        round=view.round,
        standing=tuple(standing[side] for side in sorted(standing)),
        hands=tuple(map(tuple, hands)),
        boneyard=tuple(rest[: view.boneyard]),
        aside=tuple(rest[view.boneyard :]),
        must_lead=tuple(move.tile for move in view.legal if isinstance(move, Play)) if view.lead_rule else (),
        lead_rule=view.lead_rule,
        rounds=view.rounds,
    )
