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

MAX_DEAL_ATTEMPTS = 20  # attempts to deal the unseen tiles so that every group gets tiles it can hold


@dataclass(slots=True)
class TileGroup:
    """``count`` face-down tiles of a seat, all of them among ``tiles``."""

    count: int
    tiles: frozenset[Tile]


def hidden_tile_groups(rules: Rules, view: View) -> dict[int, list[TileGroup]]:
    """Return the groups of tiles in every hidden hand, oldest groups first.

    If seats that can play must, a seat that drew or passed had no tile that fitted. Revealed tiles are in the hand.
    """
    all_tiles = frozenset(rules.tile_set)
    groups_by_seat = {}
    for seat in view.seats:
        if seat.hand is None:
            acts = [move.act for move in view.round.moves if move.seat == seat.seat]
            groups_by_seat[seat.seat] = [TileGroup(seat.count + acts.count("play") - acts.count("draw"), all_tiles)]
    plays = iter(view.round.plays)
    unfit = _unfitting_tiles(rules, view, groups_by_seat) if rules.must_play_rule else {}
    for number, move in enumerate(view.round.moves):
        play = next(plays) if move.act == "play" else None
        groups = groups_by_seat.get(move.seat, [])
        if play is not None and groups:
            _record_play(groups, play)
        if number in unfit:
            for group in groups:
                group.tiles &= unfit[number]
        if move.act == "draw" and groups:
            _record_draw(groups, all_tiles)
    return {seat: [group for group in groups if group.count] for seat, groups in groups_by_seat.items()}


def _unfitting_tiles(rules: Rules, view: View, seats: Container[int]) -> dict[int, frozenset[Tile]]:
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


def _record_draw(groups: list[TileGroup], all_tiles: frozenset[Tile]) -> None:
    if groups[-1].tiles == all_tiles:
        groups[-1].count += 1
    else:
        groups.append(TileGroup(1, all_tiles))


def _record_play(groups: list[TileGroup], play: Played) -> None:
    """Remove the tile from its group. Tiles that the move revealed become groups of their own."""
    _remove_tile(groups, play.tile)
    for tile in play.shown:
        _remove_tile(groups, tile)
        groups.insert(0, TileGroup(1, frozenset({tile})))


def _remove_tile(groups: list[TileGroup], tile: Tile) -> None:
    """Remove a tile from the oldest group that can contain it. Newer groups allow more tiles, so this is safe."""
    next(group for group in groups if group.count and tile in group.tiles).count -= 1


def sample_determinizations(rules: Rules, view: View, random: Random) -> Iterator[State]:
    """Yield random positions that the viewer cannot distinguish from the real one, without end."""
    visible_tiles = [tile for tile, _ in filter(None, map(rules.layout.read, view.round.start))]
    visible_tiles += (play.tile for play in view.round.plays)
    for seat in view.seats:
        visible_tiles += seat.hand or ()
    unseen = list((Counter(rules.tile_set) - Counter(visible_tiles)).elements())
    groups = [(index, group) for index, groups in hidden_tile_groups(rules, view).items() for group in groups]
    groups.sort(key=lambda entry: len(entry[1].tiles))
    while True:
        yield _state_with_hands(rules, view, *_deal_unseen(view, groups, unseen, random))


def _deal_unseen(
    view: View, groups: list[tuple[int, TileGroup]], unseen: list[Tile], random: Random
) -> tuple[list[list[Tile]], list[Tile]]:
    """Return random hands and the rest of the unseen tiles. Groups with the fewest choices come first.

    In rare cases no attempt gives every group tiles that it allows; the last attempt then counts.
    """
    for _ in range(MAX_DEAL_ATTEMPTS):
        unseen.sort(key=lambda _tile: random.random())  # a shuffle, in a quarter of the time
        hands, rest, fits_all = _deal_in_order(view, groups, unseen)
        if fits_all:
            break
    return hands, rest


def _deal_in_order(
    view: View, groups: list[tuple[int, TileGroup]], unseen: list[Tile]
) -> tuple[list[list[Tile]], list[Tile], bool]:
    """Deal the tiles in order. The third result is True if every group got tiles that it allows."""
    rest, fits_all, tile_kind_count = list(unseen), True, len(set(view.rules.tile_set))
    hands = [list(seat.hand or ()) for seat in view.seats]
    for seat, group in groups:
        if len(group.tiles) == tile_kind_count:
            hands[seat] += rest[: group.count]
            del rest[: group.count]
            continue
        fitting = [tile for tile in rest if tile in group.tiles]
        picked = (fitting + [tile for tile in rest if tile not in group.tiles])[: group.count]
        fits_all = fits_all and len(fitting) >= group.count
        for tile in picked:
            rest.remove(tile)
        hands[seat] += picked
    return hands, rest, fits_all


def _state_with_hands(rules: Rules, view: View, hands: list[list[Tile]], rest: list[Tile]) -> State:
    """Return a state with this view and these hands; ``rest`` are the boneyard and the tiles set aside."""
    side_standing = dict(zip(view.setup.sides, (seat.standing for seat in view.seats), strict=True))
    return State(
        setup=view.setup,
        round=view.round,
        standing=tuple(side_standing[side] for side in sorted(side_standing)),
        hands=tuple(map(tuple, hands)),
        boneyard=tuple(rest[: view.boneyard_size]),
        aside=tuple(rest[view.boneyard_size :]),
        must_lead=tuple(move.tile for move in view.legal if isinstance(move, Play)) if view.lead_rule else (),
        lead_rule=view.lead_rule,
        rounds=view.rounds,
    )
