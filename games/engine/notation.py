"""Events as JSON for the record, and whole matches as JSON for export."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from games.engine import events
from games.engine.events import Event, MatchStarted, Standing
from games.engine.tiles import Tile, tile_text
from games.engine.variants import UnknownVariant, rules_for

FORMATS = (1, 2)
"""1 has the events alone, as ``playout`` prints them; 2 also has ``ABOUT``. Both are always readable."""
ABOUT = ("players", "result", "report")
"""Whose match it was, how it ended, and what its choices cost: for people, and checked by nobody (docs/records.md)."""

write_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def read_number(text: str) -> float:
    """Read a number with a point or an exponent. ``1.0`` is the integer 1, as it is in a browser."""
    value = float(text)
    return int(value) if value.is_integer() else value


JSON_DECODER = json.JSONDecoder(parse_float=read_number)
read_json = JSON_DECODER.decode


class BadRecord(ValueError):
    """The data is not a valid event or match."""


class Codec(NamedTuple):
    """How a value of one type is written as JSON data and read back."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


PLAIN = Codec(lambda value: value, lambda data: data)
"""Of what JSON has too."""


class TileHint:
    """Stands for ``Tile`` while type hints are read: an alias of a plain tuple could not be told apart from one."""


def read_tile(text: str) -> Tile:
    """Read ``6-4`` as it stands. Raises ``ValueError``."""
    return tuple(map(int, text.split("-")))


def codec_of(hint: Any) -> Codec:
    """Return the codec of a type: a tile, a tuple, a dataclass, one of these or None, or plain data."""
    if hint is TileHint:
        return Codec(tile_text, read_tile)
    if is_dataclass(hint):
        return dataclass_codec(hint)
    if get_origin(hint) is tuple:
        return tuple_codec(get_args(hint))
    if get_origin(hint) is UnionType:
        (inner,) = (codec_of(each) for each in get_args(hint) if each is not NoneType)
        return Codec(
            lambda value: None if value is None else inner.write(value),
            lambda data: None if data is None else inner.read(data),
        )
    return PLAIN


def tuple_codec(hints: tuple[Any, ...]) -> Codec:
    """Return the codec of a tuple: all its items are of one type here."""
    if hints[0] in (int, str):
        return Codec(lambda value: value, tuple)
    item = codec_of(hints[0])
    return Codec(
        lambda value: [item.write(each) for each in value], lambda data: tuple(item.read(each) for each in data)
    )


def dataclass_codec(cls: Any) -> Codec:
    """Return the codec of a dataclass: an object with its fields, except those that have their default."""
    hints = get_type_hints(cls, localns={"Tile": TileHint})
    rows = [(field.name, field.default, codec_of(hints[field.name])) for field in fields(cls)]
    writers = [(name, default, None if codec is PLAIN else codec.write) for name, default, codec in rows]
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


def kind_of(cls: type[Event]) -> str:
    """Return the name of a kind of event: ``round_dealt``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


EVENT_TYPES: tuple[type[Event], ...] = get_args(events.Event)
KINDS: Mapping[type[Event], str] = MappingProxyType({cls: kind_of(cls) for cls in EVENT_TYPES})
CODECS: Mapping[str, Codec] = MappingProxyType({kind_of(cls): codec_of(cls) for cls in EVENT_TYPES})
STANDING = codec_of(tuple[Standing, ...])


def event_to_data(event: Event) -> tuple[str, dict[str, Any]]:
    """Return the kind of the event and its fields as JSON data."""
    kind = KINDS[type(event)]
    data: dict[str, Any] = CODECS[kind].write(event)
    return kind, data


def event_from_data(kind: str, data: Mapping[str, Any]) -> Event:
    """Return the event. Raises ``BadRecord``."""
    try:
        event: Event = CODECS[kind].read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord(f"No event of kind {kind!r} has such fields and values.") from error
    return event


def event_to_json(event: Event) -> tuple[str, str]:
    """Return the kind of the event and its fields as JSON text.

    >>> event_to_json(events.Passed(2, 3))
    ('passed', '{"seat":2,"to_move":3}')
    """
    kind, data = event_to_data(event)
    return kind, write_json(data)


def event_from_json(kind: str, text: str) -> Event:
    """Return the event. Raises ``BadRecord``."""
    try:
        data = read_json(text)
    except ValueError as error:
        raise BadRecord("This is not JSON.") from error
    return event_from_data(kind, data)


def standing_to_json(standing: tuple[Standing, ...]) -> str:
    """Return the part of an event that ``standing_from_json`` reads."""
    return write_json({"standing": STANDING.write(standing)})


def standing_from_json(text: str) -> tuple[Standing, ...]:
    """Return the ``standing`` of an event without reading its tiles. Raises ``BadRecord``."""
    try:
        standing: tuple[Standing, ...] = STANDING.read(read_json(text)["standing"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord("The event tells no standing.") from error
    return standing


def export_match(rows: Iterable[tuple[int, Event, str]], about: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a match as JSON data. A row is the number of the event, the event, and its time or "".

    ``about`` is what is said by ``ABOUT``; without it the match is written in format 1.
    ``tiles`` is the set in the order to which the indices of the shuffle refer (docs/fair-dealing.md).
    Raises ``BadRecord`` unless the first event is ``MatchStarted``.
    """
    written = list(rows)
    head = _head([event for _seq, event, _at in written])
    if not head:
        raise BadRecord("A match begins with MatchStarted.")
    first, second = FORMATS
    said = {name: about[name] for name in ABOUT if name in about} if about else {}
    return {"format": second if said else first, **head, **said, "events": [_row_data(*row) for row in written]}


def import_match(data: Mapping[str, Any]) -> tuple[Event, ...]:
    """Return the events of an exported match of either format. Raises ``BadRecord``."""
    try:
        if data["format"] not in FORMATS:
            raise BadRecord("The format is unknown.")
        rows: Sequence[Mapping[str, Any]] = data["events"]
        found = tuple(_row_event(row) for row in rows)
        told = _head(found)
        if any(data.get(name, content) != content for name, content in told.items()):
            raise BadRecord("The head says something else than the start of the match.")
    except (KeyError, TypeError, UnknownVariant) as error:
        raise BadRecord("Fields of a match are missing or wrong.") from error
    if [row["seq"] for row in rows] != list(range(1, len(rows) + 1)):
        raise BadRecord("The events are not numbered 1, 2, ...")
    return found


def _head(found: Sequence[Event]) -> dict[str, Any]:
    """Return the head of an exported match, empty if the events do not begin with its start."""
    started = found[0] if found else None
    if not isinstance(started, MatchStarted):
        return {}
    tiles = [tile_text(tile) for tile in rules_for(started.variant).tile_set]
    return {"rules_version": started.rules_version, "match": started.match, "tiles": tiles}


def _row_data(seq: int, event: Event, at: str) -> dict[str, Any]:
    kind, data = event_to_data(event)
    return {"seq": seq, "kind": kind, **({"at": at} if at else {}), **data}


def _row_event(row: Mapping[str, Any]) -> Event:
    return event_from_data(row["kind"], {name: row[name] for name in row if name not in ("seq", "kind", "at")})
