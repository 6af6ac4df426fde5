"""The people on a page: those with names, each once, and the number of those without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

MAX_VISITORS_PER_ADDRESS = 30  # an address may be a school class, or one person with many browsers

# The id of a user, the name, and whether it is a guest's.
NamedPerson = tuple[int, str, bool]
# A network address, and a mark that distinguishes the browsers behind it.
Browser = tuple[str, str]


class Attendee(NamedTuple):
    """A person with an open page; a visitor has no ``user_id`` and is identified by the browser alone."""

    user_id: int | None
    name: str
    guest: bool
    browser: Browser


@dataclass(frozen=True, slots=True)
class People:
    """``named`` are ordered by name, each once; ``unnamed`` counts the rest."""

    named: tuple[NamedPerson, ...] = ()
    unnamed: int = 0

    @property
    def number(self) -> int:
        return len(self.named) + self.unnamed

    def limit_names(self, max_names: int) -> People:
        """Return the same people with at most ``max_names`` names."""
        return self if len(self.named) <= max_names else People(self.named[:max_names], self.number - max_names)


NOBODY = People()
# The people at each place, without places where nobody is.
PeopleByPlace = dict[str, People]


def make_people(named: Iterable[NamedPerson], unnamed: int) -> People:
    unique = {user_id: (user_id, name, guest) for user_id, name, guest in named}
    return People(tuple(sorted(unique.values(), key=lambda person: (person[1].casefold(), person[0]))), unnamed)


def merge_people(groups: Iterable[People]) -> People:
    """Combine the people of several places or processes, each person once."""
    groups = [group for group in groups if group.number]
    if len(groups) == 1:
        return groups[0]
    return make_people((person for group in groups for person in group.named), sum(group.unnamed for group in groups))


def people_of_attendees(attendees: Collection[Attendee]) -> People:
    """Return the people with these open pages. A person with several pages counts once."""
    if not attendees:
        return NOBODY
    named = [
        (attendee.user_id, attendee.name, attendee.guest) for attendee in attendees if attendee.user_id is not None
    ]
    return make_people(named, count_visitors(attendee.browser for attendee in attendees if attendee.user_id is None))


def count_visitors(browsers: Iterable[Browser]) -> int:
    """Return as how many visitors these browsers count."""
    per_address = Counter(address for address, _mark in set(browsers))
    return sum(min(number, MAX_VISITORS_PER_ADDRESS) for number in per_address.values())
