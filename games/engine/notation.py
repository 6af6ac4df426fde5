"""Events and whole matches as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from games.engine.events import Event, MatchStarted, Standing
from games.engine.tiles import tile_text
from games.engine.variants import UnknownVariant, rules_for

# Format 1 has events only, as ``playout`` prints them; format 2 also has ``ABOUT_FIELDS``. Both stay readable.
FORMATS = (1, 2)
# Players, result and cost of the choices: for readers, never verified (docs/records.md).
ABOUT_FIELDS = ("players", "result", "report")

write_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def read_number(text: str) -> float:
    """Read a number with a point or an exponent. ``1.0`` is the integer 1, as in a browser."""
    value = float(text)
    return int(value) if value.is_integer() else value


JSON_DECODER = json.JSONDecoder(parse_float=read_number)
read_json = JSON_DECODER.decode


class BadRecord(ValueError):
    """The data is not a valid event or match."""


class Codec(NamedTuple):
    """Converters from values of one type to JSON data and back."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


PLAIN_CODEC = Codec(lambda value: value, lambda data: data)  # values that JSON has, too


class TileHint:
    """Replaces ``Tile`` in type hints: the alias is equal to a plain tuple."""


def codec_of(hint: Any) -> Codec:
    """Return the codec of a type: a tile, a tuple, a dataclass, one of these or None, or plain data."""
    if hint is TileHint:
        return Codec(tile_text, lambda text: tuple(map(int, text.split("-"))))
    if is_dataclass(hint):
        return dataclass_codec(hint)
    if get_origin(hint) is tuple:
        return tuple_codec(get_args(hint))
    if get_origin(hint) is UnionType:
        (inner,) = (codec_of(member) for member in get_args(hint) if member is not NoneType)
        return Codec(
            lambda value: None if value is None else inner.write(value),
            lambda data: None if data is None else inner.read(data),
        )
    return PLAIN_CODEC


def tuple_codec(hints: tuple[Any, ...]) -> Codec:
    """Return the codec of a tuple whose items all have one type."""
    if hints[0] in (int, str):
        return Codec(lambda value: value, tuple)
    item = codec_of(hints[0])
    return Codec(lambda value: list(map(item.write, value)), lambda data: tuple(map(item.read, data)))


def dataclass_codec(cls: Any) -> Codec:
    """Return the codec of a dataclass. Fields that have their default are omitted."""
    hints = get_type_hints(cls, localns={"Tile": TileHint})
    rows = [(field.name, field.default, codec_of(hints[field.name])) for field in fields(cls)]
    writers = [(name, default, None if codec is PLAIN_CODEC else codec.write) for name, default, codec in rows]
    readers = {name: codec.read for name, _, codec in rows}

    def write(value: Any) -> dict[str, Any]:
        data = {}
        for name, default, write_field in writers:
            content = getattr(value, name)
            if default is MISSING or content != default:
                data[name] = write_field(content) if write_field else content
        return data

    def read(data: Mapping[str, Any]) -> Any:
        return cls(**{name: readers[name](content) for name, content in data.items()})

    return Codec(write, read)


def event_kind(cls: type) -> str:
    """Return the name of an event type: ``round_dealt``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


EVENT_TYPES: tuple[type[Event], ...] = get_args(Event)
EVENT_KINDS: Mapping[type[Event], str] = MappingProxyType({cls: event_kind(cls) for cls in EVENT_TYPES})
CODECS: Mapping[str, Codec] = MappingProxyType({event_kind(cls): codec_of(cls) for cls in EVENT_TYPES})
STANDING_CODEC = codec_of(tuple[Standing, ...])


def event_to_data(event: Event) -> tuple[str, dict[str, Any]]:
    """Return the kind of an event and its fields as JSON data."""
    kind = EVENT_KINDS[type(event)]
    data: dict[str, Any] = CODECS[kind].write(event)
    return kind, data


def event_from_data(kind: str, data: Mapping[str, Any]) -> Event:
    """Raises ``BadRecord``."""
    try:
        event: Event = CODECS[kind].read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord(f"No event of kind {kind!r} has such fields and values.") from error
    return event


def event_to_json(event: Event) -> tuple[str, str]:
    """Return the kind of an event and its fields as JSON text.

    >>> from games.engine.events import Passed
    >>> event_to_json(Passed(2, 3))
    ('passed', '{"seat":2,"to_move":3}')
    """
    kind, data = event_to_data(event)
    return kind, write_json(data)


def event_from_json(kind: str, text: str) -> Event:
    """Raises ``BadRecord``."""
    try:
        data = read_json(text)
    except ValueError as error:
        raise BadRecord("This is not JSON.") from error
    return event_from_data(kind, data)


def standing_to_json(standing: tuple[Standing, ...]) -> str:
    """Return the JSON text of an event with this field only."""
    return write_json({"standing": STANDING_CODEC.write(standing)})


def standing_from_json(text: str) -> tuple[Standing, ...]:
    """Return the ``standing`` of an event, without reading its other fields. Raises ``BadRecord``."""
    try:
        standing: tuple[Standing, ...] = STANDING_CODEC.read(read_json(text)["standing"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord("The event tells no standing.") from error
    return standing


def export_match(
    event_rows: Iterable[tuple[int, Event, str]], about: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a match as JSON data. Rows are the number of an event, the event, and its time or "".

    ``about`` are the values of ``ABOUT_FIELDS``; without them the format is 1.
    ``tiles`` is the set in the order of the shuffle's indices (docs/fair-dealing.md).
    Raises ``BadRecord`` unless the first event is ``MatchStarted``.
    """
    event_rows = list(event_rows)
    head = _head([event for _seq, event, _at in event_rows])
    if not head:
        raise BadRecord("A match begins with MatchStarted.")
    first, second = FORMATS
    fields = {name: about[name] for name in ABOUT_FIELDS if name in about} if about else {}
    return {
        "format": second if fields else first,
        **head,
        **fields,
        "events": [_row_data(*event_row) for event_row in event_rows],
    }


def import_match(data: Mapping[str, Any]) -> tuple[Event, ...]:
    """Return the events of an exported match of either format. Raises ``BadRecord``."""
    try:
        if data["format"] not in FORMATS:
            raise BadRecord("The format is unknown.")
        event_rows: Sequence[Mapping[str, Any]] = data["events"]
        events = tuple(map(_row_event, event_rows))
        if any(data.get(name, content) != content for name, content in _head(events).items()):
            raise BadRecord("The head says something else than the start of the match.")
    except (KeyError, TypeError, UnknownVariant) as error:
        raise BadRecord("Fields of a match are missing or wrong.") from error
    if [event_row["seq"] for event_row in event_rows] != list(range(1, len(event_rows) + 1)):
        raise BadRecord("The events are not numbered 1, 2, ...")
    return events


def _head(events: Sequence[Event]) -> dict[str, Any]:
    """Return the head of an exported match, {} unless the events begin with ``MatchStarted``."""
    start = events[0] if events else None
    if not isinstance(start, MatchStarted):
        return {}
    tiles = list(map(tile_text, rules_for(start.variant).tile_set))
    return {"rules_version": start.rules_version, "match": start.match, "tiles": tiles}


def _row_data(seq: int, event: Event, at: str) -> dict[str, Any]:
    kind, data = event_to_data(event)
    return {"seq": seq, "kind": kind, **({"at": at} if at else {}), **data}


def _row_event(row: Mapping[str, Any]) -> Event:
    return event_from_data(row["kind"], {name: row[name] for name in row if name not in ("seq", "kind", "at")})
