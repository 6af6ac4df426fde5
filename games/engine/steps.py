"""Group the events of a record into steps: an action with its immediate consequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine.events import DealVoided, Event, MatchEnded, Passed, Played, RoundDealt, RoundEnded


def split_into_steps(events: Sequence[Event]) -> Iterator[tuple[int, tuple[Event, ...]]]:
    """Yield the number of each step's first event, counted from 1, and the events of the step.

    The end of a round belongs to the move before it, the end of a match to the end of its round, and a void deal to
    the deal after it.

    >>> first, second = Passed(0, 1), Passed(1, None)
    >>> ended = RoundEnded(1, "blocked", None, "", (), (), (), (), 0, None)
    >>> [(number, len(step)) for number, step in split_into_steps([first, second, ended])]
    [(1, 1), (2, 2)]
    """
    step: list[Event] = []
    for number, event in enumerate(events, 1):
        if step and not _belongs_to_step(step[-1], event):
            yield number - len(step), tuple(step)
            step = []
        step.append(event)
    if step:
        yield len(events) + 1 - len(step), tuple(step)


def _belongs_to_step(before: Event, event: Event) -> bool:
    if isinstance(event, RoundEnded):
        return isinstance(before, Played | Passed)
    if isinstance(event, MatchEnded):
        return isinstance(before, RoundEnded) and event.reason == "finished"
    return isinstance(before, DealVoided) and isinstance(event, DealVoided | RoundDealt)
