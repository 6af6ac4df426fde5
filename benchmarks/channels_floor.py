"""The floor (benchmarks/floor.py) on this site's stack: Django, Channels and Daphne, used as their guides show.

The same game for the same people: a consumer checks a move, saves a row with the ORM in a thread, and sends to a group
of the channel layer in memory, whose consumers send each their frame. ``python benchmarks/channels_floor.py`` prints
the ratio. So much of the site's distance to the floor is that of the stack alone, without rules and rendering.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from twisted.internet import asyncioreactor

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.floor import Floor, Site, Table  # noqa: E402

FRAME = 2000
"""Bytes of a frame, about as many as the site sends a player for a move."""
PAIRS = 3


class ChannelsFloor(Floor):
    """The server, started and stopped."""

    program = __file__


def serve(folder: Path, port: int, own: int) -> None:
    """Serve for ever."""
    asyncioreactor.install(asyncio.new_event_loop())
    import django
    from django.conf import settings

    settings.configure(
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": folder / "channels.sqlite3",
                "OPTIONS": {"init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL"},
            }
        },
        CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    )
    django.setup()
    from channels.db import database_sync_to_async
    from channels.generic.websocket import AsyncWebsocketConsumer
    from daphne.server import Server
    from django.db import connection, models

    class Move(models.Model):
        match = models.CharField(max_length=64)
        version = models.IntegerField()
        move = models.CharField(max_length=16)

        objects: ClassVar[models.Manager[Any]] = models.Manager()

        class Meta:
            app_label = "floor"
            unique_together = (("match", "version"),)

        def __str__(self) -> str:
            return f"{self.match} {self.version}"

    with connection.schema_editor() as editor:
        editor.create_model(Move)
    site = Site(folder, own, 0)

    class TableConsumer(AsyncWebsocketConsumer):
        async def connect(self) -> None:
            self.table: Table = site.table(self.scope["path"].rstrip("/").rpartition("/")[2])
            cookies = dict(self.scope["headers"]).get(b"cookie", b"").decode()
            self.seat = int(cookies.partition("=")[2])
            await self.channel_layer.group_add(self.table.slug, self.channel_name)
            await self.accept()
            await self.table_changed({})

        async def disconnect(self, code: int) -> None:
            await self.channel_layer.group_discard(self.table.slug, self.channel_name)

        async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
            table = self.table
            if not (move := table.move_of(self.seat, json.loads(text_data or "{}"))):
                return
            table.play(move, site.chance)
            row = {"match": table.slug, "version": table.version, "move": move}
            await database_sync_to_async(Move.objects.create)(**row)
            await self.channel_layer.group_send(table.slug, {"type": "table.changed"})

        async def table_changed(self, event: dict[str, Any]) -> None:
            await self.send(text_data=site.frame(self.table, self.seat))

    consumer = TableConsumer.as_asgi()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await consumer(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    Server(application, endpoints=[f"tcp:port={port}:interface=127.0.0.1"], signal_handlers=False).run()


def compare(tables: int, seats: int, seconds: float) -> None:
    """Print what a move costs on both, in turn, and the ratio."""
    from benchmarks.live import measure, ratio, say

    costs: dict[type[Floor], list[float]] = {Floor: [], ChannelsFloor: []}
    for _pair in range(PAIRS):
        for kind, found in costs.items():
            with TemporaryDirectory(prefix="dominoes-floor-") as folder, kind(Path(folder), own=FRAME) as floor:
                figures = asyncio.run(measure(floor, floor.seed(tables, seats), seconds=seconds))
            found.append(figures.cpu_ms)
            say(f"{tables} tables x {seats} sockets, {kind.__name__}", figures)
    pairs = [stack / least for stack, least in zip(costs[ChannelsFloor], costs[Floor], strict=True)]
    ratio(f"CPU a move with {seats} seats ({min(pairs):.1f} to {max(pairs):.1f})", median(pairs), "the floor")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("serve", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--own", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--shared", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        folder, port = given.serve
        serve(Path(folder), int(port), given.own)
        return
    for seats in (2, 4):
        compare(given.tables, seats, given.seconds)


if __name__ == "__main__":
    main()
