"""The people online in all processes: in the lobby, at tables, in shared reviews, and with a visible page.

Each process has one row with the people on its pages. It writes the row when they changed, at most every two seconds
(``games.sockets.presence_exchange``), and renews it regularly. The row of a killed process expires.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from accounts.push import subscriptions
from games.broadcast import announcements, groups
from games.broadcast.announcements import LOBBY_GROUP
from games.models import Match, Presence, Seat
from games.presence.pages import Pages, ProcessPresence, VisiblePage, pages
from games.presence.people import (
    NOBODY,
    Attendee,
    People,
    PeopleByPlace,
    make_people,
    merge_people,
    people_of_attendees,
)

RENEWAL_INTERVAL = timedelta(seconds=20)
PROCESS_LEASE = timedelta(seconds=45)  # an older row belongs to a process that was killed


def exchange_presence(own_pages: Pages, now: datetime) -> PeopleByPlace:
    """Report the pages of this process, and return the people on the pages of all processes.

    If nothing changed this only reads. Rows of processes that were killed are deleted.
    """
    presence = own_pages.current_presence(now)
    is_due = own_pages.reported_at is None or own_pages.reported_at <= now - RENEWAL_INTERVAL
    if presence != own_pages.reported_presence or (presence and is_due):
        _save_presence(own_pages.process, presence, before=own_pages.reported_presence.people, now=now)
        own_pages.reported_presence, own_pages.reported_at = presence, now
    rows = list(Presence.objects.exclude(process=own_pages.process))
    for row in rows:
        if row.at <= now - PROCESS_LEASE and Presence.objects.filter(process=row.process, at=row.at).delete()[0]:
            _announce_changes(_people_of_row(row), {})
    return _merge_by_place([presence.people, *(_people_of_row(row) for row in rows if row.at > now - PROCESS_LEASE)])


@transaction.atomic
def _save_presence(process: str, presence: ProcessPresence, *, before: PeopleByPlace, now: datetime) -> None:
    if presence:
        by_place = {place: [people.named, people.unnamed] for place, people in presence.people.items()}
        row = Presence(
            process=process, people=by_place, in_sight=_pages_of_subscribers(presence.visible_pages), at=now
        )
        columns = ["people", "in_sight", "at"]
        Presence.objects.bulk_create([row], update_conflicts=True, unique_fields=["process"], update_fields=columns)
    else:
        Presence.objects.filter(process=process).delete()
    _announce_changes(before, presence.people)


def _pages_of_subscribers(visible_pages: Iterable[VisiblePage]) -> list[VisiblePage]:
    """Return the visible pages of people who get push notifications. Nothing is stored about others."""
    subscribers = (
        subscriptions.subscribed_ids({user_id for user_id, _match_id in visible_pages}) if visible_pages else ()
    )
    return [page for page in visible_pages if page[0] in subscribers]


def _announce_changes(before: PeopleByPlace, after: PeopleByPlace) -> None:
    """Announce changed people to shared reviews, and changed numbers of people (public matches only) to the lobby."""
    changed = {place for place in before | after if before.get(place) != after.get(place)}
    announcements.touch_reviews(place for place in changed if place.startswith(groups.REVIEW_PREFIX))
    changed_counts = {
        place for place in changed if before.get(place, NOBODY).number != after.get(place, NOBODY).number
    }
    slugs = [
        place.removeprefix(groups.MATCH_PREFIX) for place in changed_counts if place.startswith(groups.MATCH_PREFIX)
    ]
    public_matches = Match.objects.filter(slug__in=slugs, visibility=Match.Visibility.PUBLIC)
    if LOBBY_GROUP in changed_counts or (slugs and public_matches.exists()):
        announcements.touch_lobby()


def people_by_place(now: datetime) -> PeopleByPlace:
    """Return the people at each place in all processes."""
    return _merge_by_place([pages().people_by_place(), *_people_at_other_processes(now)])


def people_at(place: str, now: datetime) -> People:
    """Return the people at one place in all processes."""
    return merge_people(
        [pages().people_at(place), *(places.get(place, NOBODY) for places in _people_at_other_processes(now))]
    )


def count_online(now: datetime, *askers: Attendee) -> int:
    """Count everybody who is online, including those who ask."""
    return merge_people([_people_online(now), people_of_attendees(askers)]).number


def online_user_ids(now: datetime) -> frozenset[int]:
    """Return the ids of everybody with a name who is online."""
    return frozenset(user_id for user_id, _name, _guest in _people_online(now).named)


def visible_pages_by_person(now: datetime) -> dict[int | None, set[int | None]]:
    """Return what the visible pages of each person show: the table of a match, or (None) something else.

    Only people who get push notifications are included.
    """
    by_person: defaultdict[int | None, set[int | None]] = defaultdict(set)
    for pages_of_process in Presence.objects.filter(at__gt=now - PROCESS_LEASE).values_list("in_sight", flat=True):
        for user_id, match_id in pages_of_process:
            by_person[user_id].add(match_id)
    return by_person


def _people_online(now: datetime) -> People:
    """Return the players, the spectators and the people in the lobby. Shared reviews do not count."""
    places = {
        place: people for place, people in people_by_place(now).items() if not place.startswith(groups.REVIEW_PREFIX)
    }
    return merge_people([*places.values(), _seated_people()])


def _seated_people() -> People:
    """Read the people at tables whose pages are open, as far as the site knows.

    Players of matches with a delay are not counted: the number would reveal that one of them left or that the match
    is over.
    """
    connected = Seat.objects.filter(user__isnull=False, bot="", away=False, last_seen__isnull=False)
    seats = connected.filter(match__status__in=Match.UNFINISHED, match__delay=Match.Delay.NONE)
    return make_people(seats.values_list("user_id", "name", "user__is_guest"), 0)


def _people_at_other_processes(now: datetime) -> list[PeopleByPlace]:
    """Read the people of the other processes."""
    rows = Presence.objects.exclude(process=pages().process).filter(at__gt=now - PROCESS_LEASE)
    return [_people_of_row(row) for row in rows]


def _people_of_row(row: Presence) -> PeopleByPlace:
    return {
        place: People(tuple((user_id, name, guest) for user_id, name, guest in named), unnamed)
        for place, (named, unnamed) in row.people.items()
    }


def _merge_by_place(processes: Iterable[PeopleByPlace]) -> PeopleByPlace:
    groups_by_place: defaultdict[str, list[People]] = defaultdict(list)
    for places in processes:
        for place, people in places.items():
            groups_by_place[place].append(people)
    return {place: merge_people(people) for place, people in groups_by_place.items()}
