"""Drawings that were asked for as PNGs: worked out behind the pages, the newest kept."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from games.errors import Refused
from games.workers.png import engrave
from games.workers.pool import thinkers
from infrastructure.limits import limits

KEPT = 100
WAITING = 10

_cards: OrderedDict[str, Future[bytes]] = OrderedDict()
_pools: list[ProcessPoolExecutor] = []
_lock = threading.Lock()


async def png(name: str, svg: str, style: str, address: str = "") -> bytes:
    """Return the drawing of that name as a PNG, for whoever asks from this address.

    Raises Refused ``too_fast`` while too many others wait, TooFast for those who ask for too many.
    """
    # Who asked first may go away while others still wait for the same drawing.
    return await asyncio.shield(asyncio.wrap_future(_begun(name, svg, style, address)))


def _begun(name: str, svg: str, style: str, address: str) -> Future[bytes]:
    with _lock:
        found = _cards.get(name)
        if found is None or (found.done() and found.exception()):
            if sum(not card.done() for card in _cards.values()) >= WAITING:
                raise Refused("too_fast")
            limits.require("cards", address=address)
            give_back = limits.hold("cards", address=address)
            found = _cards[name] = _submitted(svg, style)
            found.add_done_callback(lambda _done: give_back())
        _cards.move_to_end(name)
        while len(_cards) > KEPT:
            _cards.popitem(last=False)
        return found


def _submitted(svg: str, style: str) -> Future[bytes]:
    try:
        _pools[:] = _pools or [thinkers(1)]
        return _pools[0].submit(engrave, svg, style)
    except BrokenProcessPool:  # its process was ended from outside
        _pools[:] = [thinkers(1)]
        return _pools[0].submit(engrave, svg, style)
