"""Two worlds that one viewer cannot tell apart: the tiles that this viewer may not see have changed places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, islice, zip_longest
from random import Random
from typing import Any

from django.db.models import Max, Q

from games.caches import MatchCache
from games.engine.events import DealVoided, Drew, Event, RoundDealt
from games.engine.evolve import fold
from games.engine.notation import event_from_json, event_to_json
from games.engine.state import State
from games.engine.tiles import Tile
from games.models import Match, MatchEvent
from infrastructure.runtime import Runtime

# The new tile at a place of the deal, counted through the hands, the boneyard and the tiles set aside.
Swap = Mapping[int, Tile]


def folded_state(match: Match) -> State:
    """Fold the whole record, past every memory."""
    rows = MatchEvent.objects.filter(match=match).order_by("seq").values_list("kind", "data")
    return fold(event_from_json(kind, data) for kind, data in rows)


def hidden_tiles(state: State, seat: int | None) -> list[Tile]:
    """Return the tiles that this seat (None: no seat) may not see while a round is played, and whose like it sees not.

    There are games with two copies of a tile.
    """
    own = () if seat is None else state.hands[seat]
    laid = [play.tile for play in state.round.plays] + [
        placed[0] for text in state.round.start if (placed := state.round.layout.read(text))
    ]
    seen = {*own, *laid, *(tile for play in state.round.plays for tile in play.shown)}
    opponents_tiles = [tile for index, hand in enumerate(state.hands) if index != seat for tile in hand]
    return [tile for tile in (*opponents_tiles, *state.boneyard, *state.aside) if tile not in seen]


def dealt_tiles(dealt: RoundDealt) -> list[Tile]:
    """Return the tiles of a deal, place by place."""
    return [*sum(dealt.hands, ()), *dealt.boneyard, *dealt.aside]


def hidden_places(dealt: RoundDealt, state: State, seat: int | None) -> list[int]:
    """Return the places of the deal whose tiles this seat may not see."""
    owners: list[int | None] = [index for index, hand in enumerate(dealt.hands) for _ in hand]
    owners += [move.seat for move in state.round.moves if move.act == "draw"]
    revealed = {tile for play in state.round.plays for tile in play.shown}
    hands = [list(hand) for hand in state.hands]
    hidden = []
    for place, (tile, owner) in enumerate(zip_longest(dealt_tiles(dealt), owners)):
        if owner is not None:
            if tile not in hands[owner]:
                continue
            hands[owner].remove(tile)
        if owner is None or (owner != seat and tile not in revealed):
            hidden.append(place)
    return hidden


@contextmanager
def hidden_tiles_swapped(match: Match, seat: int | None, chance: Random) -> Iterator[None]:
    """Live where each tile hidden from ``seat`` is another one of them, and the secret another secret."""
    events = MatchEvent.objects.filter(match=match)
    deal = events.filter(kind="round_dealt").latest("seq")
    over = events.filter(kind="round_ended").aggregate(last=Max("seq"))["last"] or 0
    changed = Q(kind="deal_voided", seq__gt=over) | Q(kind__in=("round_dealt", "drew"), seq__gte=deal.seq)
    rows = list(events.filter(changed).order_by("seq"))
    dealt = event_from_json(deal.kind, deal.data)
    assert isinstance(dealt, RoundDealt)
    places = hidden_places(dealt, folded_state(match), seat)
    chance.shuffle(places)
    tiles = dealt_tiles(dealt)
    swap = {place: tiles[other] for place, other in zip(places, places[1:] + places[:1], strict=True)}
    drawn = count(len(sum(dealt.hands, ())))
    for row in rows:
        event = with_swapped_tiles(event_from_json(row.kind, row.data), swap, drawn)
        MatchEvent.objects.filter(pk=row.pk).update(data=event_to_json(event)[1])
    secret = Match.objects.values_list("secret", flat=True).get(pk=match.pk)
    Match.objects.filter(pk=match.pk).update(secret=chance.randbytes(32).hex())
    clear_match_caches()
    yield
    for row in rows:
        row.save()
    Match.objects.filter(pk=match.pk).update(secret=secret)
    clear_match_caches()


def with_swapped_tiles(event: Event, swap: Swap, drawn: Iterator[int]) -> Event:
    """Return the event as it was in the other world. What a void deal dealt is as secret."""
    if isinstance(event, RoundDealt):
        tiles = iter([swap.get(place, tile) for place, tile in enumerate(dealt_tiles(event))])
        hands = tuple(tuple(islice(tiles, len(hand))) for hand in event.hands)
        boneyard = tuple(islice(tiles, len(event.boneyard)))
        return replace(event, hands=hands, boneyard=boneyard, aside=tuple(tiles))
    if isinstance(event, Drew):
        return replace(event, tile=swap.get(next(drawn), event.tile))
    if isinstance(event, DealVoided):
        return replace(event, hands=event.hands[1:] + event.hands[:1], boneyard=event.boneyard[::-1])
    return event


def clear_match_caches() -> None:
    """Empty all caches of matches in this process."""
    for cache in match_caches():
        cache.values.clear()


def match_caches() -> list[MatchCache[Any]]:
    """Return the caches of matches in this process."""
    return [entry for entry in Runtime.current.objects.values() if isinstance(entry, MatchCache)]
