"""Two worlds that one viewer cannot tell apart: the tiles that this viewer may not see have changed places."""

from __future__ import annotations

import gc
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from django.db.models import Q

from games.engine.events import DealVoided, Drew, Event, RoundDealt
from games.engine.evolve import fold
from games.engine.notation import event_from_json, event_to_json
from games.engine.state import State
from games.engine.tiles import Tile
from games.models import Match, MatchEvent
from games.newest import Newest

Swap = Mapping[Tile, Tile]


def state_now(match: Match) -> State:
    """Fold the whole record, past every memory."""
    rows = MatchEvent.objects.filter(match=match).order_by("seq").values_list("kind", "data")
    return fold(event_from_json(kind, data) for kind, data in rows)


def hidden_from(state: State, seat: int | None) -> list[Tile]:
    """Return the tiles that this seat (None: no seat) may not see while a round is played."""
    shown = {tile for play in state.plays for tile in play.shown}
    others = [tile for index, hand in enumerate(state.hands) if index != seat for tile in hand if tile not in shown]
    return [*others, *state.boneyard, *state.aside]


@contextmanager
def another_world(match: Match, seat: int | None, chance: Random) -> Iterator[None]:
    """Live where each tile hidden from ``seat`` is another one of them, and the secret another secret."""
    hidden = hidden_from(state_now(match), seat)
    chance.shuffle(hidden)
    swap = dict(zip(hidden, hidden[1:] + hidden[:1], strict=True))
    events = MatchEvent.objects.filter(match=match)
    dealt = events.filter(kind="round_dealt").latest("seq").seq
    rows = list(events.filter(Q(kind="deal_voided") | Q(kind__in=("round_dealt", "drew"), seq__gte=dealt)))
    for row in rows:
        event = exchanged(event_from_json(row.kind, row.data), swap)
        MatchEvent.objects.filter(pk=row.pk).update(data=event_to_json(event)[1])
    secret = Match.objects.values_list("secret", flat=True).get(pk=match.pk)
    Match.objects.filter(pk=match.pk).update(secret=secrets.token_hex(32))
    forget_everything()
    yield
    for row in rows:
        row.save()
    Match.objects.filter(pk=match.pk).update(secret=secret)
    forget_everything()


def exchanged(event: Event, swap: Swap) -> Event:
    """Return the event as it was in the other world. What a void deal dealt is as secret."""
    if isinstance(event, RoundDealt):
        return replace(
            event,
            hands=tuple(tuple(swap.get(tile, tile) for tile in hand) for hand in event.hands),
            boneyard=tuple(swap.get(tile, tile) for tile in event.boneyard),
            aside=tuple(swap.get(tile, tile) for tile in event.aside),
        )
    if isinstance(event, Drew):
        return replace(event, tile=swap.get(event.tile, event.tile))
    if isinstance(event, DealVoided):
        return replace(event, hands=event.hands[1:] + event.hands[:1], boneyard=event.boneyard[::-1])
    return event


def forget_everything() -> None:
    """Empty every memory that the process has of matches."""
    for memory in gc.get_objects():
        if type(memory) is Newest:
            memory.values.clear()
