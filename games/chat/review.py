"""What was said at a table between the steps of a round, and what those say who review it together."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from datetime import datetime

from games.enums import Room
from games.match import selectors
from games.match.table import ChatLine, Muted, visible_lines
from games.review.past import Past, Said


def said_in_round(match_id: int, past: Past, number: int, *, until: datetime | None, muted: Muted) -> Said:
    """Return what was said in the round of a step, up to a moment (None: to its end).

    What was said before the first step belongs to it.
    """
    within = past.round_of(number)
    moments = [step.at for step in within if step.at is not None]
    since = moments[0] if within[0].number > 1 else None
    end = past.step(within[-1].number + 1).at if within[-1].number < past.last else None
    found: dict[int, list[ChatLine]] = defaultdict(list)
    for at, line in selectors.said(match_id, since, until):
        if end is not None and at >= end:
            break
        if visible_lines((line,), muted):
            found[within[max(0, bisect_right(moments, at) - 1)].number].append(line)
    return found


def among_reviewers(match_id: int, muted: Muted) -> tuple[ChatLine, ...]:
    """Return the last lines of those who review a match, oldest first."""
    return visible_lines(selectors.messages(match_id, room=Room.REVIEW), muted)
