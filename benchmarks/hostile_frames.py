"""Hostile frames, drawn by chance: every act of every socket, odd in its values, its coding and its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote

from benchmarks import hostile
from benchmarks.players import MOVE, TILE, VERSION
from benchmarks.wire import BINARY, CLOSE, CONTINUATION, PING, TEXT, frame
from infrastructure.server.websocket import MESSAGE_BYTES

BROKEN = 0.005  # the share of frames after which the server closes the socket
NAMES = ("move", "v", "tile", "text", "hints", "at", "as", "nonce", "headers", "HEADERS", "type", "room")
SAID = ("hello", "a" * 280, "a" * 281, "\u0301" * 200, "\u202e", " \n\t ", "<b>x</b>")


@dataclass(frozen=True, slots=True)
class Place:
    """Which socket, whose session, and what it is in words."""

    path: str
    session: str
    what: str
    has_table: bool


class Frames:
    """Sockets to open and frames to send on them, without end; the same chance draws the same."""

    def __init__(self, world: Mapping[str, Any], chance: Random) -> None:
        self.world, self.chance = world, chance
        self.kinds = ("visitor", *world["sessions"], "player", "player", "player")

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def place(self) -> Place:
        """Return where to go: mostly to a table, from which most can be asked."""
        status = self.chance.choice(list(self.world["slugs"]))
        slug = self.chance.choice(self.world["slugs"][status])
        kind = self.chance.choice(self.kinds)
        sessions = self.world["players"][slug] if kind == "player" else self.world["sessions"].get(kind, [""])
        room = self.chance.choices(("match", "review", "lobby", "odd"), (80, 12, 5, 3))[0]
        odd = quote(hostile.text(self.chance)[:200], errors="surrogatepass")
        paths = {
            "match": f"/ws/match/{slug}/",
            "review": f"/ws/review/{slug}/",
            "lobby": f"/ws/lobby/?game={odd}",
            "odd": self.chance.choice((f"/ws/match/{odd}/", f"/ws/{odd}/", f"/ws/review/{'a' * 120}/", "/ws/", "/")),
        }
        path = paths[room]
        if self.often(0.2):
            path += f"{'&' if '?' in path else '?'}{hostile.query(self.chance, self.world['queries'])}"
        return Place(path, self.chance.choice(sessions or [""]), f"{room} {status} as {kind}", room == "match")

    def burst(self, count: int, table: str) -> list[bytes]:
        """Return frames, most of them whole messages; ``table`` is the last frame with the table."""
        return [self.broken(table) if self.often(BROKEN) else self.whole(table) for _ in range(count)]

    def whole(self, table: str) -> bytes:
        data = self.message(table).encode("utf-8", "surrogatepass")[:MESSAGE_BYTES]
        draw = self.chance.random()
        if draw < 0.03:
            return frame(data, BINARY)
        if draw < 0.08:
            return self.fragments(data)
        if draw < 0.11:
            return frame(hostile.mangled(data, self.chance).decode("utf-8", "replace").encode())
        if draw < 0.12:
            return frame(b"x" * 100, PING) + frame(data)
        return frame(data)

    def fragments(self, data: bytes) -> bytes:
        """Return one message in pieces, with a ping among them."""
        cuts = sorted(self.chance.randrange(len(data) + 1) for _ in range(self.chance.randrange(1, 5)))
        pieces = [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        frames = [
            frame(piece, TEXT if number == 0 else CONTINUATION, last=number == len(pieces) - 1)
            for number, piece in enumerate(pieces)
        ]
        frames.insert(self.chance.randrange(1, len(frames) + 1), frame(b"", PING))
        return b"".join(frames)

    def broken(self, table: str) -> bytes:
        """Return what no browser sends: the server closes."""
        data = self.message(table).encode("utf-8", "surrogatepass")
        return self.chance.choice(
            (
                frame(data, CONTINUATION),
                frame(data, reserved=self.chance.randrange(1, 8)),
                frame(data, self.chance.choice((3, 7, 11, 15))),
                frame(data[:50], PING, last=False),
                frame(b"x" * 200, PING),
                frame(b"\xff\xfe\xed\xa0\x80"),
                frame(b"x" * 9000),
                frame(data, last=False) + frame(data),
                frame(self.chance.randbytes(self.chance.randrange(3)), CLOSE),
                frame((self.chance.choice((0, 999, 1005, 1006, 4401, 65535))).to_bytes(2) + b"\xff", CLOSE),
                self.chance.randbytes(40),
                b"GET / HTTP/1.1\r\n\r\n",
            )
        )

    def message(self, table: str) -> str:
        draw = self.chance.random()
        if draw < 0.08:
            return hostile.as_json(self.sensible(table))
        if draw < 0.25:
            return hostile.as_json(self.odd(table))
        if draw < 0.6:
            return hostile.as_json(hostile.value(self.chance))
        return hostile.text(self.chance)[:4500]

    def sensible(self, table: str) -> dict[str, Any]:
        """Return what a page could send now, in any order: matches go on meanwhile."""
        version = int((VERSION.findall(table) or ["0"])[0])
        moves, tiles = MOVE.findall(table) or ["6-4"], TILE.findall(table) or ["6-4"]
        kind = self.chance.choice(self.world["acts"])
        data = {"type": kind, "v": version, "at": 1, "as": "open", "hints": "on", "text": self.chance.choice(SAID)}
        return data | {"move": self.chance.choice(moves), "tile": self.chance.choice(tiles)}

    def odd(self, table: str) -> dict[str, Any]:
        data = self.sensible(table)
        for name in self.some((*NAMES, *data)):
            data[name] = hostile.value(self.chance)
        if self.often(0.9):
            data["type"] = self.chance.choice(self.world["acts"])
        for name in self.some(list(data)):
            if self.often(0.3):
                del data[name]
        return data

    def some(self, names: Sequence[str]) -> list[str]:
        return self.chance.sample(names, self.chance.randrange(min(4, len(names))))
