"""What a viewer can work out about hidden tiles, and random positions that agree with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass
from random import Random

from games.engine.events import Played
from games.engine.evolve import laid_out
from games.engine.moves import Play
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.view import View

TRIES = 20
"""How often the tiles are handed out again if a seat is left with one that it cannot hold."""


@dataclass(slots=True)
class Group:
    """``count`` face-down tiles of a seat, all of them among ``tiles``."""

    count: int
    tiles: frozenset[Tile]


def groups_of(rules: Rules, view: View) -> dict[int, list[Group]]:
    """Return what is known about each hand that the viewer does not see, the narrowest choice first.

    Where a seat that can play has to, a seat that drew or passed held no tile that fitted at the time. A tile that was
    shown is in the hand.
    """
    everything = frozenset(rules.tile_set)
    found = {}
    for seat in view.seats:
        if seat.hand is None:
            acts = [move.act for move in view.round.moves if move.seat == seat.seat]
            found[seat.seat] = [Group(seat.count + acts.count("play") - acts.count("draw"), everything)]
    plays, unfit = iter(view.round.plays), _unfit(rules, view, found) if rules.must_play_rule else {}
    for number, move in enumerate(view.round.moves):
        play = next(plays) if move.act == "play" else None
        groups = found.get(move.seat, [])
        if play is not None and groups:
            _played(groups, play)
        if number in unfit:
            for group in groups:
                group.tiles &= unfit[number]
        if move.act == "draw" and groups:
            _drawn(groups, everything)
    return {seat: [group for group in groups if group.count] for seat, groups in found.items()}


def _unfit(rules: Rules, view: View, seats: Container[int]) -> dict[int, frozenset[Tile]]:
    """Return the tiles that did not fit when one of these seats drew or passed, by the number of the move."""
    layout, plays = laid_out(rules, view.round.start), iter(view.round.plays)
    found, laid, unfit = {}, list[Played](), frozenset[Tile]()
    for number, move in enumerate(view.round.moves):
        if move.act == "play":
            laid.append(next(plays))
        elif move.seat in seats:
            for play in laid:
                layout = layout.place(play.tile, play.place)
            if laid or not unfit:
                unfit = frozenset([tile for tile in dict.fromkeys(rules.tile_set) if not layout.places(tile)])
            laid.clear()
            found[number] = unfit
    return found


def _drawn(groups: list[Group], everything: frozenset[Tile]) -> None:
    """Add a tile that may be any."""
    if groups[-1].tiles == everything:
        groups[-1].count += 1
    else:
        groups.append(Group(1, everything))


def _played(groups: list[Group], play: Played) -> None:
    """Take the tile out of what is known; one that was shown for it is known from now on."""
    _take(groups, play.tile)
    for tile in play.shown:
        _take(groups, tile)
        groups.insert(0, Group(1, frozenset({tile})))


def _take(groups: list[Group], tile: Tile) -> None:
    """Attribute a tile that the seat played or showed to the oldest group it can have come from.

    A newer group allows all tiles of an older one and more, so no group becomes narrower than is certain.
    """
    next(group for group in groups if group.count and tile in group.tiles).count -= 1


def determinizations(rules: Rules, view: View, random: Random) -> Iterator[State]:
    """Yield, without end, random positions that the viewer cannot tell from the real one."""
    seen = [tile for tile, _ in filter(None, map(rules.layout.read, view.round.start))]
    seen += (play.tile for play in view.round.plays)
    groups: list[tuple[int, Group]] = []
    for seat, known in groups_of(rules, view).items():
        groups += ((seat, group) for group in known)
    for each in view.seats:
        seen += each.hand or ()
    unseen = list((Counter(rules.tile_set) - Counter(seen)).elements())
    groups.sort(key=lambda entry: len(entry[1].tiles))
    while True:
        yield _position(rules, view, *_handed_out(view, groups, unseen, random))


def _handed_out(
    view: View, groups: list[tuple[int, Group]], unseen: list[Tile], random: Random
) -> tuple[list[list[Tile]], list[Tile]]:
    """Return hands and what is left of the unseen tiles: to the groups at random, the narrowest choice first.

    If earlier groups keep taking what a later one needs, which is rare, any tile will do.
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
    """Hand the tiles out in their order; return, too, whether every group got what it can hold."""
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
    """Return the state that looks like the view and has these hands; what is left is boneyard, then set aside."""
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
