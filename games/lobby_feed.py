"""The lists of the lobby, rendered once a change and language in this process."""

from __future__ import annotations

import asyncio

from games import lobby_rendering
from games.offload import in_database

_frames: dict[str, asyncio.Task[str]] = {}
_marks: list[str] = [""]


def expire(mark: str) -> None:
    """Forget what was rendered before the change with this mark, of which every socket hears."""
    if _marks[0] != mark:
        _marks[0] = mark
        _frames.clear()


async def frame(language: str) -> str:
    """Return the frame; who asks while it is being made waits for the same one."""
    task = _frames.get(language)
    if task is None or (task.done() and (task.cancelled() or task.exception())) or task.get_loop().is_closed():
        task = _frames[language] = asyncio.ensure_future(in_database(lobby_rendering.frame, language))
    return await asyncio.shield(task)
