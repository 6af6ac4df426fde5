"""Limits the processor time of calls in worker processes. The time in which a busy machine lets them wait is free."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from types import FrameType

P = ParamSpec("P")
T = TypeVar("T")


def within_processor_time(seconds: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of the call. Raises TimeoutError once it has used this many seconds.

    It must run in the main thread, as calls in worker processes do.
    """
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return function(*args, **kwargs)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError
