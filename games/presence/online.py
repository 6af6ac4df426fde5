"""The people online over all processes: in the lobby, at tables, in shared reviews, and with a page in sight.

Each process has one row with the people on its pages. It writes the row when they changed, at most every two seconds
(``games.sockets.presence_exchange``), and renews it regularly. The row of a process that was killed expires.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from accounts.push import subscriptions
from games.broadcast import announcements, groups
from games.broadcast.announcements import LOBBY
from games.models import Match, Presence, Seat
from games.presence.pages import Census, Pages, Sight, pages
from games.presence.people import NOBODY, Attendee, People, Places, counted, merged, people

RENEWED = timedelta(seconds=20)
# An older row belongs to a process that was killed.
LEASE = timedelta(seconds=45)


def exchange(here: Pages, now: datetime) -> Places:
    """Report the pages of this process, and return the people on the pages of all processes.

    If nothing changed this only reads. Rows of processes that were killed are deleted.
    """
    census = here.census(now)
    is_due = here.reported_at is None or here.reported_at <= now - RENEWED
    if census != here.reported or (census and is_due):
        _report(here.process, census, before=here.reported.people, now=now)
        here.reported, here.reported_at = census, now
    rows = list(Presence.objects.exclude(process=here.process))
    for row in rows:
        if row.at <= now - LEASE and Presence.objects.filter(process=row.process, at=row.at).delete()[0]:
            _announce(_people_of(row), {})
    return _by_place([census.people, *(_people_of(row) for row in rows if row.at > now - LEASE)])


@transaction.atomic
def _report(process: str, census: Census, *, before: Places, now: datetime) -> None:
    if census:
        by_place = {place: [there.named, there.unnamed] for place, there in census.people.items()}
        row = Presence(process=process, people=by_place, in_sight=_subscribed(census.in_sight), at=now)
        columns = ["people", "in_sight", "at"]
        Presence.objects.bulk_create([row], update_conflicts=True, unique_fields=["process"], update_fields=columns)
    else:
        Presence.objects.filter(process=process).delete()
    _announce(before, census.people)


def _subscribed(sights: Iterable[Sight]) -> list[Sight]:
    """Return what is in sight of people who get push notifications. Nothing is stored of others."""
    subscribed = subscriptions.subscribed({user_id for user_id, _match_id in sights}) if sights else ()
    return [sight for sight in sights if sight[0] in subscribed]


def _announce(before: Places, after: Places) -> None:
    """Announce other people to the shared reviews, and to the lobby another number there or at a public match."""
    changed = {place for place in before | after if before.get(place) != after.get(place)}
    announcements.touch_reviews(place for place in changed if place.startswith(groups.REVIEW))
    numbers = {place for place in changed if before.get(place, NOBODY).number != after.get(place, NOBODY).number}
    slugs = [place.removeprefix(groups.MATCH) for place in numbers if place.startswith(groups.MATCH)]
    public = Match.objects.filter(slug__in=slugs, visibility=Match.Visibility.PUBLIC)
    if LOBBY in numbers or (slugs and public.exists()):
        announcements.touch_lobby()


def everybody(now: datetime) -> Places:
    """Return the people at each place, over all processes."""
    return _by_place([pages().people(), *_elsewhere(now)])


def people_at(place: str, now: datetime) -> People:
    """Return the people at one place, over all processes."""
    return merged([pages().people_at(place), *(places.get(place, NOBODY) for places in _elsewhere(now))])


def number_here(now: datetime, *asking: Attendee) -> int:
    """Count everybody who is here, and those who ask."""
    return merged([_in_play(now), counted(asking)]).number


def people_here(now: datetime) -> frozenset[int]:
    """Return the ids of everybody with a name who is here."""
    return frozenset(user_id for user_id, _name, _guest in _in_play(now).named)


def pages_in_sight(now: datetime) -> dict[int | None, set[int | None]]:
    """Return by person what pages show that are in sight: the table of a match, or (None) something else.

    Only people who get push notifications are included.
    """
    by_person: defaultdict[int | None, set[int | None]] = defaultdict(set)
    for sights in Presence.objects.filter(at__gt=now - LEASE).values_list("in_sight", flat=True):
        for user_id, match_id in sights:
            by_person[user_id].add(match_id)
    return by_person


def _in_play(now: datetime) -> People:
    """Return the people in the lobby, at tables and watching; a shared review does not count."""
    places = {place: there for place, there in everybody(now).items() if not place.startswith(groups.REVIEW)}
    return merged([*places.values(), _seated()])


def _seated() -> People:
    """Read the people at tables whose pages are open, as far as the site knows.

    With a delay they are not counted: the number would reveal at once that somebody left or that the match is over.
    """
    there = Seat.objects.filter(user__isnull=False, bot="", away=False, last_seen__isnull=False)
    seats = there.filter(match__status__in=Match.UNFINISHED, match__delay=Match.Delay.NONE)
    return people(seats.values_list("user_id", "name", "user__is_guest"), 0)


def _elsewhere(now: datetime) -> list[Places]:
    """Read the people at the other processes."""
    rows = Presence.objects.exclude(process=pages().process).filter(at__gt=now - LEASE)
    return [_people_of(row) for row in rows]


def _people_of(row: Presence) -> Places:
    return {
        place: People(tuple((user_id, name, guest) for user_id, name, guest in named), unnamed)
        for place, (named, unnamed) in row.people.items()
    }


def _by_place(processes: Iterable[Places]) -> Places:
    groups_of: defaultdict[str, list[People]] = defaultdict(list)
    for places in processes:
        for place, there in places.items():
            groups_of[place].append(there)
    return {place: merged(there) for place, there in groups_of.items()}
