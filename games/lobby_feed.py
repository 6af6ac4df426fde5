"""The lists of the lobby, rendered once for all sockets of this process that ask at about the same time."""

from __future__ import annotations

import asyncio

from games import lobby_rendering
from games.offload import in_database

GATHER_SECONDS = 0.05
"""So long the first one waits for others: one change, or a server that came back, makes many ask together."""

_gathering: dict[str, asyncio.Task[str]] = {}


async def frame(language: str) -> str:
    """Return the frame, never older than the question: nothing is kept, since nobody may be there to hear a change."""
    task = _gathering.get(language)
    if task is None or task.done() or task.get_loop().is_closed():
        task = _gathering[language] = asyncio.ensure_future(_render(language))
    return await asyncio.shield(task)


async def _render(language: str) -> str:
    try:
        await asyncio.sleep(GATHER_SECONDS)
    finally:
        _gathering.pop(language, None)
    return await in_database(lobby_rendering.frame, language)
