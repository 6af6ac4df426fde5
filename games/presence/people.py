"""The people on a page: those with names, each once, and how many without. Used for tables and shared reviews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

# Visitors counted at one address: behind it may be a class, or one person with many browsers.
MAX_VISITORS_PER_ADDRESS = 30

# The id of a user, the name, and whether it is a guest's.
Named = tuple[int, str, bool]
# A network address, and a mark that distinguishes the browsers behind it.
Browser = tuple[str, str]


class Attendee(NamedTuple):
    """Somebody who has a page open; a visitor has no ``user_id`` and is known by the browser alone."""

    user_id: int | None
    name: str
    guest: bool
    browser: Browser


@dataclass(frozen=True, slots=True)
class People:
    """``named`` are ordered by name, each once; ``unnamed`` counts the rest."""

    named: tuple[Named, ...] = ()
    unnamed: int = 0

    @property
    def number(self) -> int:
        return len(self.named) + self.unnamed

    def shortened(self, most: int) -> People:
        """Return them with at most ``most`` names."""
        return self if len(self.named) <= most else People(self.named[:most], self.number - most)


NOBODY = People()
# The people at each place, without places where nobody is.
Places = dict[str, People]


def people(named: Iterable[Named], unnamed: int) -> People:
    unique = {user_id: (user_id, name, guest) for user_id, name, guest in named}
    return People(tuple(sorted(unique.values(), key=lambda person: (person[1].casefold(), person[0]))), unnamed)


def merged(groups: Iterable[People]) -> People:
    """Return the people of several places or processes together, each person once."""
    groups = [group for group in groups if group.number]
    if len(groups) == 1:
        return groups[0]
    return people((person for group in groups for person in group.named), sum(group.unnamed for group in groups))


def counted(attendees: Collection[Attendee]) -> People:
    """Return these people. A person with several pages open counts once."""
    if not attendees:
        return NOBODY
    named = [(one.user_id, one.name, one.guest) for one in attendees if one.user_id is not None]
    return people(named, visitors(one.browser for one in attendees if one.user_id is None))


def visitors(browsers: Iterable[Browser]) -> int:
    """Return how many visitors these browsers count as."""
    per_address = Counter(address for address, _mark in set(browsers))
    return sum(min(number, MAX_VISITORS_PER_ADDRESS) for number in per_address.values())
