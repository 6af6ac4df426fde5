"""Who watches a match: people by name, each once, and visitors without one. Plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

Named = tuple[int, str, bool]
"""The number of a user, the name, and whether it is a guest's."""


@dataclass(frozen=True, slots=True)
class Watchers:
    """``people`` are ordered by name, each once; ``visitors`` is how many others there are."""

    people: tuple[Named, ...] = ()
    visitors: int = 0

    @property
    def number(self) -> int:
        return len(self.people) + self.visitors


NOBODY = Watchers()
MOST_VISITORS = 30
"""So many of those without a name one address may count as: a class watches, or one person pretends to be one."""

Browser = tuple[str, str]
"""An address, and what tells the browsers behind it apart."""


def visitors(browsers: Iterable[Browser]) -> int:
    """Return how many people without a name these windows are."""
    behind = Counter(address for address, _mark in set(browsers))
    return sum(min(number, MOST_VISITORS) for number in behind.values())


def watchers(people: Iterable[Named], visitors: int) -> Watchers:
    """Return those who watch; who came several times is one."""
    each = {named[0]: named for named in people}
    return Watchers(tuple(sorted(each.values(), key=lambda named: (named[1].casefold(), named[0]))), visitors)


def together(one: Watchers, other: Watchers) -> Watchers:
    """Return as one what two processes count."""
    if not one.number or not other.number:
        return one if one.number else other
    return watchers(one.people + other.people, one.visitors + other.visitors)
