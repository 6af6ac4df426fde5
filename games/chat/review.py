"""The chat of a match between the steps of its review, and the chat of reviewers."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from datetime import datetime

from games.enums import ChatRoom
from games.match import selectors
from games.match.table import ChatLine, Muted, visible_lines
from games.review.match_steps import ChatByStep, MatchSteps


def chat_by_step(
    match_id: int, match_steps: MatchSteps, number: int, *, until: datetime | None, muted: Muted
) -> ChatByStep:
    """Return the chat in the round of a step by step, up to a time (None: to its end).

    Lines before the first step belong to it.
    """
    steps = match_steps.steps_of_round(number)
    times = [step.at for step in steps if step.at is not None]
    since = times[0] if steps[0].number > 1 else None
    end = match_steps.step(steps[-1].number + 1).at if steps[-1].number < match_steps.last_number else None
    lines: dict[int, list[ChatLine]] = defaultdict(list)
    for at, line in selectors.dated_lines(match_id, since, until):
        if end is not None and at >= end:
            break
        if visible_lines((line,), muted):
            lines[steps[max(0, bisect_right(times, at) - 1)].number].append(line)
    return lines


def review_chat_lines(match_id: int, muted: Muted) -> tuple[ChatLine, ...]:
    """Return the last lines of the review chat, oldest first."""
    return visible_lines(selectors.chat_lines(match_id, room=ChatRoom.REVIEW), muted)
