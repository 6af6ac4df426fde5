"""Random hostile frames: every message of every socket, with odd values, encodings and orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote

from benchmarks import hostile
from benchmarks.players import MOVE_PATTERN, TILE_PATTERN, VERSION_PATTERN
from benchmarks.wire import BINARY, CLOSE, CONTINUATION, PING, TEXT, encode_frame
from infrastructure.server.websocket import MAX_MESSAGE_BYTES

INVALID_FRAMES_SHARE = 0.005  # the share of frames after which the server closes the socket
FIELD_NAMES = ("move", "v", "tile", "text", "hints", "at", "as", "nonce", "headers", "HEADERS", "type", "room")
CHAT_TEXTS = ("hello", "a" * 280, "a" * 281, "\u0301" * 200, "\u202e", " \n\t ", "<b>x</b>")


@dataclass(frozen=True, slots=True)
class SocketTarget:
    """A socket to open, with the session of the visitor and a description."""

    path: str
    session: str
    description: str
    has_table: bool


class FrameGenerator:
    """Sockets to open and frames to send on them, without end; equal seeds draw the same."""

    def __init__(self, world: Mapping[str, Any], rng: Random) -> None:
        self.world, self.rng = world, rng
        self.kinds = ("visitor", *world["sessions"], "player", "player", "player")

    def happens(self, share: float) -> bool:
        return self.rng.random() < share

    def next_target(self) -> SocketTarget:
        """Return a random socket, mostly at a table, where most messages are possible."""
        status = self.rng.choice(list(self.world["slugs"]))
        slug = self.rng.choice(self.world["slugs"][status])
        kind = self.rng.choice(self.kinds)
        sessions = self.world["players"][slug] if kind == "player" else self.world["sessions"].get(kind, [""])
        page = self.rng.choices(("match", "review", "lobby", "odd"), (80, 12, 5, 3))[0]
        odd = quote(hostile.random_text(self.rng)[:200], errors="surrogatepass")
        paths = {
            "match": f"/ws/match/{slug}/",
            "review": f"/ws/review/{slug}/",
            "lobby": f"/ws/lobby/?game={odd}",
            "odd": self.rng.choice((f"/ws/match/{odd}/", f"/ws/{odd}/", f"/ws/review/{'a' * 120}/", "/ws/", "/")),
        }
        path = paths[page]
        if self.happens(0.2):
            path += f"{'&' if '?' in path else '?'}{hostile.random_query(self.rng, self.world['queries'])}"
        return SocketTarget(path, self.rng.choice(sessions or [""]), f"{page} {status} as {kind}", page == "match")

    def burst(self, count: int, table: str) -> list[bytes]:
        """Return frames, most of them whole messages; ``table`` is the last frame with the table."""
        return [
            self.invalid_frame(table) if self.happens(INVALID_FRAMES_SHARE) else self.valid_frame(table)
            for _ in range(count)
        ]

    def valid_frame(self, table: str) -> bytes:
        data = self.random_message(table).encode("utf-8", "surrogatepass")[:MAX_MESSAGE_BYTES]
        draw = self.rng.random()
        if draw < 0.03:
            return encode_frame(data, BINARY)
        if draw < 0.08:
            return self.fragmented_message(data)
        if draw < 0.11:
            return encode_frame(hostile.mangle(data, self.rng).decode("utf-8", "replace").encode())
        if draw < 0.12:
            return encode_frame(b"x" * 100, PING) + encode_frame(data)
        return encode_frame(data)

    def fragmented_message(self, data: bytes) -> bytes:
        """Return one message in pieces, with a ping among them."""
        cuts = sorted(self.rng.randrange(len(data) + 1) for _ in range(self.rng.randrange(1, 5)))
        pieces = [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        frames = [
            encode_frame(piece, TEXT if number == 0 else CONTINUATION, last=number == len(pieces) - 1)
            for number, piece in enumerate(pieces)
        ]
        frames.insert(self.rng.randrange(1, len(frames) + 1), encode_frame(b"", PING))
        return b"".join(frames)

    def invalid_frame(self, table: str) -> bytes:
        """Return a frame that no browser sends. The server closes the socket after it."""
        data = self.random_message(table).encode("utf-8", "surrogatepass")
        return self.rng.choice(
            (
                encode_frame(data, CONTINUATION),
                encode_frame(data, reserved=self.rng.randrange(1, 8)),
                encode_frame(data, self.rng.choice((3, 7, 11, 15))),
                encode_frame(data[:50], PING, last=False),
                encode_frame(b"x" * 200, PING),
                encode_frame(b"\xff\xfe\xed\xa0\x80"),
                encode_frame(b"x" * 9000),
                encode_frame(data, last=False) + encode_frame(data),
                encode_frame(self.rng.randbytes(self.rng.randrange(3)), CLOSE),
                encode_frame((self.rng.choice((0, 999, 1005, 1006, 4401, 65535))).to_bytes(2) + b"\xff", CLOSE),
                self.rng.randbytes(40),
                b"GET / HTTP/1.1\r\n\r\n",
            )
        )

    def random_message(self, table: str) -> str:
        draw = self.rng.random()
        if draw < 0.08:
            return hostile.encode_json(self.plausible_message(table))
        if draw < 0.25:
            return hostile.encode_json(self.odd_message(table))
        if draw < 0.6:
            return hostile.encode_json(hostile.random_value(self.rng))
        return hostile.random_text(self.rng)[:4500]

    def plausible_message(self, table: str) -> dict[str, Any]:
        """Return a message that a page could send now. Matches go on meanwhile, so it may be outdated."""
        version = int((VERSION_PATTERN.findall(table) or ["0"])[0])
        moves, tiles = MOVE_PATTERN.findall(table) or ["6-4"], TILE_PATTERN.findall(table) or ["6-4"]
        kind = self.rng.choice(self.world["acts"])
        data = {"type": kind, "v": version, "at": 1, "as": "open", "hints": "on", "text": self.rng.choice(CHAT_TEXTS)}
        return data | {"move": self.rng.choice(moves), "tile": self.rng.choice(tiles)}

    def odd_message(self, table: str) -> dict[str, Any]:
        data = self.plausible_message(table)
        for name in self.sample((*FIELD_NAMES, *data)):
            data[name] = hostile.random_value(self.rng)
        if self.happens(0.9):
            data["type"] = self.rng.choice(self.world["acts"])
        for name in self.sample(list(data)):
            if self.happens(0.3):
                del data[name]
        return data

    def sample(self, names: Sequence[str]) -> list[str]:
        return self.rng.sample(names, self.rng.randrange(min(4, len(names))))
