"""``manage.py serve``: serve the whole site from one process: pages, sockets, the clock and the bots."""

from __future__ import annotations

import asyncio
import resource
import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING, Any

import structlog
from channels.routing import get_default_application
from django.core.management.base import BaseCommand, CommandError

from games.broadcast.database_threads import finish_work
from games.heartbeat import Heartbeat
from games.scheduler import PeriodicTask, Scheduler
from games.services import demo
from games.sockets.presence_exchange import PresenceExchange, presence_exchange
from infrastructure.garbage import reduce_garbage_collections
from infrastructure.startup import check_database, check_shared_services, check_static_files
from infrastructure.version import publish_build_info

if TYPE_CHECKING:
    from daphne.server import Server

    from infrastructure.server.daphne_server import BoundedServer

log = structlog.get_logger()
# Applies to sent messages too: the end of a match is longer than any inbound message (``MAX_MESSAGE_BYTES``).
OUTBOUND_BYTES = 2**20
HANDSHAKE_SECONDS = 60
# For spectators of a lively match, who send nothing; players send heartbeats more often.
PING_SECONDS = 60
# Twisted's 50 loses connections when a thousand browsers come back at once.
BACKLOG = 2048
# A move makes about fifteen queries to PostgreSQL. After each, with Python's default, its thread would wait 5 ms for a
# busy event loop.
SWITCH_SECONDS = 0.0005
DEMO_TASK: PeriodicTask = (15.0, lambda now: demo.ensure_bot_matches())


class Command(BaseCommand):
    help = "Serve pages and sockets, with the clock and the bots in the same process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="localhost", help="address to listen at (default: localhost)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen at (default: 8000)")
        parser.add_argument("--demo", action="store_true", help="always run a match of bots of each game to watch")
        parser.add_argument("--no-clock", action="store_true", help="only serve: manage.py clock runs elsewhere")

    def handle(self, *, host: str, port: int, demo: bool, no_clock: bool, **options: Any) -> None:
        if no_clock:
            check_shared_services()
        check_database()
        check_static_files()
        publish_build_info()
        address = f"http://{host}:{port}/"
        server = create_web_server(
            host, port, lambda: self.stdout.write(f"Dominoes online: {address} (stop with Ctrl-C)")
        )
        server.after_applications.append(finish_work)
        close_sockets_with_code(server)
        tasks = (DEMO_TASK,) if demo else ()
        run_with_server(server, presence_exchange())
        run_with_server(
            server, Heartbeat("web") if no_clock else Scheduler(*tasks, heartbeat=Heartbeat("web", "clock"))
        )
        reduce_garbage_collections()
        sys.setswitchinterval(SWITCH_SECONDS)
        raise_descriptor_limit()
        server.run()
        if not server.listening_addresses:
            raise CommandError(f"Cannot listen at {address}: is another program listening there?")


def raise_descriptor_limit() -> None:
    """Allow this process as many open files and connections as the system permits; the usual limit is 1,024."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def create_web_server(host: str, port: int, ready: Any) -> BoundedServer:
    # Imported here because it installs Twisted's asyncio reactor.
    from infrastructure.server.daphne_server import BoundedServer
    from infrastructure.server.websocket import MAX_MESSAGE_BYTES

    return BoundedServer(
        application=get_default_application(),
        endpoints=[f"tcp:port={port}:interface={host}:backlog={BACKLOG}"],
        websocket_handshake_timeout=HANDSHAKE_SECONDS,
        websocket_max_message_size=OUTBOUND_BYTES,
        ping_interval=PING_SECONDS,
        websocket_max_frame_size=MAX_MESSAGE_BYTES,
        ready_callable=ready,
        # Small parts of large bodies would stay in the process's memory after they were freed.
        request_buffer_size=2**20,
        server_name="dominoes",
    )


def close_sockets_with_code(server: Server) -> None:
    """Close sockets with a code, such as 1009 (too big). Browsers would reconnect after a cut connection."""
    from twisted.internet import reactor

    reactor.callWhenRunning(lambda: server.ws_factory.setProtocolOptions(failByDrop=False))


def run_with_server(server: Server, background: Scheduler | Heartbeat | PresenceExchange) -> None:
    """Run a task in the event loop of the server while the server runs. If the task ends, the server stops too."""
    from twisted.internet import defer, reactor

    def start_task() -> None:
        task = asyncio.get_event_loop().create_task(background.run())
        task.add_done_callback(on_task_done)
        # An interface of Zope: mypy takes the first argument for ``self``.
        reactor.addSystemEventTrigger("before", "shutdown", stop_task, task)  # type: ignore[arg-type]

    def on_task_done(task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            log.critical("loop_ended", exc_info=task.exception())
            server.stop()

    def stop_task(task: asyncio.Task[None]) -> defer.Deferred[Any]:
        task.cancel()
        return defer.Deferred.fromFuture(asyncio.gather(task, return_exceptions=True))

    reactor.callWhenRunning(start_task)
