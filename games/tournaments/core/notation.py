"""The events of a tournament as JSON data, by the codecs of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

from games.engine.notation import Codec, codec_of, event_kind
from games.tournaments.core.events import Event

EVENT_TYPES: tuple[type[Event], ...] = get_args(Event)
CODECS: Mapping[str, Codec] = MappingProxyType({event_kind(cls): codec_of(cls) for cls in EVENT_TYPES})


def event_to_data(event: Event) -> tuple[str, dict[str, Any]]:
    """Return the kind of an event and its fields. Fields with their default are omitted.

    >>> from games.tournaments.core.events import Begun
    >>> event_to_data(Begun(3, "quiet-river", 1000))
    ('begun', {'table': 3, 'match': 'quiet-river', 'at': 1000})
    """
    kind = event_kind(type(event))
    return kind, CODECS[kind].write(event)


def event_from_data(kind: str, data: Mapping[str, Any]) -> Event:
    """Raises ``KeyError`` or ``TypeError`` for data that ``event_to_data`` does not write."""
    event: Event = CODECS[kind].read(data)
    return event
