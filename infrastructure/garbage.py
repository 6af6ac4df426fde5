"""How often a process that serves collects garbage."""

from __future__ import annotations

import gc

# With Python's defaults there would be two full collections while a thousand spectators arrive, each of which stops
# every table for 100 ms. A thousand closed sockets leave 17 MB until the next one. To look through the youngest
# objects after every 700 took six hundredths of the processor time of moves.
COLLECT = 10_000, 10, 14


def search_seldom() -> None:
    """Collect garbage rarely, and not in what is loaded by now, which stopped every table for 60 ms."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)
