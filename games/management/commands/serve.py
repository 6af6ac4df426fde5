"""``manage.py serve``: the whole site in one process: pages, sockets, the clock and the bots."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

FRAME_BYTES = 8192
HANDSHAKE_SECONDS = 60
# Twisted's 50 loses connections when a thousand browsers come back at once.
BACKLOG = 2048


class Command(BaseCommand):
    help = "Serve pages and sockets, with the clock and the bots in the same process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="localhost", help="address to listen at (default: localhost)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen at (default: 8000)")

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        # Installs Twisted's asyncio reactor, so not before it is wanted.
        from daphne.server import Server

        from domino_site.asgi import application

        Server(
            application=application,
            endpoints=[f"tcp:port={port}:interface={host}:backlog={BACKLOG}"],
            websocket_handshake_timeout=HANDSHAKE_SECONDS,
            websocket_max_message_size=FRAME_BYTES,
            websocket_max_frame_size=FRAME_BYTES,
            proxy_forwarded_address_header="X-Forwarded-For" if settings.BEHIND_PROXY else None,
            ready_callable=lambda: self.stdout.write(f"Dominoes online: http://{host}:{port}/ (stop with Ctrl-C)"),
            server_name="dominoes",
        ).run()
