"""The people on a page: those with names, each once, and how many without. Used for tables and shared reviews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

MOST_VISITORS = 30
"""Visitors that one address counts as at most: it may be a class, or one person with many browsers."""

Named = tuple[int, str, bool]
"""The id of a user, the name, and whether it is a guest's."""
Browser = tuple[str, str]
"""A network address, and a mark that tells browsers behind it apart."""


class Attendee(NamedTuple):
    """Somebody who has a page open; a visitor has no ``user_id`` and is known by the browser alone."""

    user_id: int | None
    name: str
    guest: bool
    browser: Browser


@dataclass(frozen=True, slots=True)
class People:
    """``named`` are ordered by name, each once; ``others`` is how many more there are."""

    named: tuple[Named, ...] = ()
    others: int = 0

    @property
    def number(self) -> int:
        return len(self.named) + self.others

    def __or__(self, other: People) -> People:
        """Return the people counted by two processes together, each person once."""
        if not self.number or not other.number:
            return self if self.number else other
        return people(self.named + other.named, self.others + other.others)

    def shortened(self, most: int) -> People:
        """Return them with at most ``most`` names."""
        return self if len(self.named) <= most else People(self.named[:most], self.number - most)


NOBODY = People()


def people(named: Iterable[Named], others: int) -> People:
    unique = {user_id: (user_id, name, guest) for user_id, name, guest in named}
    return People(tuple(sorted(unique.values(), key=lambda one: (one[1].casefold(), one[0]))), others)


def counted(attendees: Iterable[Attendee]) -> People:
    """Return these people. A person with several pages open counts once."""
    attendees = list(attendees)
    named = [(one.user_id, one.name, one.guest) for one in attendees if one.user_id is not None]
    return people(named, visitors(one.browser for one in attendees if one.user_id is None))


def visitors(browsers: Iterable[Browser]) -> int:
    """Return how many visitors these browsers count as."""
    behind = Counter(address for address, _mark in set(browsers))
    return sum(min(number, MOST_VISITORS) for number in behind.values())


def people_from_json(names: Iterable[Sequence[Any]], number: int) -> People:
    """Read people from JSON."""
    named = tuple((user_id, name, guest) for user_id, name, guest in names)
    return People(named, number - len(named))
