"""Cutting a record into steps: each action together with everything that followed from it at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine.events import DealVoided, Event, MatchEnded, Passed, Played, RoundDealt, RoundEnded


def cut(events: Sequence[Event]) -> Iterator[tuple[int, tuple[Event, ...]]]:
    """Yield the facts of each step with the number of the first, from 1.

    The end of a round belongs to the move before it, the end of a match to the end of its round, and a void deal to
    the deal after it.

    >>> first, second = Passed(0, 1), Passed(1, None)
    >>> ended = RoundEnded(1, "blocked", None, "", (), (), (), (), 0, None)
    >>> [(number, len(facts)) for number, facts in cut([first, second, ended])]
    [(1, 1), (2, 2)]
    """
    facts: list[Event] = []
    for number, event in enumerate(events, 1):
        if facts and not _follows(facts[-1], event):
            yield number - len(facts), tuple(facts)
            facts = []
        facts.append(event)
    if facts:
        yield len(events) + 1 - len(facts), tuple(facts)


def _follows(before: Event, event: Event) -> bool:
    if isinstance(event, RoundEnded):
        return isinstance(before, Played | Passed)
    if isinstance(event, MatchEnded):
        return isinstance(before, RoundEnded) and event.reason == "finished"
    return isinstance(before, DealVoided) and isinstance(event, DealVoided | RoundDealt)
