"""Renders social previews as PNGs in a worker process, and caches the newest."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from functools import partial

from games.caches import MAX_SOCIAL_PREVIEWS
from games.sharing.png import svg_to_png
from games.workers.jobs import Jobs
from games.workers.pool import Workers
from infrastructure.runtime import PerProcess

MAX_WAITING_PREVIEWS = 10

_workers = PerProcess(partial(Workers, 1))
_jobs: PerProcess[Jobs[str, Future[bytes]]] = PerProcess(
    partial(Jobs, "cards", max_unfinished=MAX_WAITING_PREVIEWS, max_cached=MAX_SOCIAL_PREVIEWS)
)


async def render_png(name: str, svg: str, style: str, address: str = "") -> bytes:
    """Return a drawing, cached under ``name``, as a PNG for a visitor from this address.

    Raises Refused ``too_fast`` if the queue is full, LimitExceeded for a client over its limit.
    """
    job = _jobs().get_or_start(name, partial(_workers().submit, svg_to_png, svg, style), address=address)
    # The caller that asked first may be cancelled while others still wait.
    return await asyncio.shield(asyncio.wrap_future(job))
