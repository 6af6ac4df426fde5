"""Entering tournaments, leaving them, and waiting in them. Each is a transaction that locks the tournament."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When

from accounts.addresses import address_hash
from accounts.models import User
from accounts.names.confusables import look_alike
from games.broadcast import announcements
from games.conduct import ledger
from games.enums import TournamentFormat
from games.errors import Refused
from games.match.moments import milliseconds
from games.models import Entry, Tournament
from games.services import seating
from games.tournaments import commits, notices, opening
from games.tournaments.commits import LockedTournament
from games.tournaments.conditions import Conditions, require_fit, require_member
from games.tournaments.core import commands
from games.tournaments.core.decide import may_enter
from games.tournaments.waiting import SEEN_FOR_ARENA

FINAL_REASON = "removed"  # people who were removed may not enter again


@transaction.atomic
def enter(
    *, tournament: Tournament, user: User, now: datetime, address: str = "", nonce: tuple[str, str] = ("", "")
) -> Entry:
    """Enter a tournament. ``address`` is the network address of the person.

    ``nonce`` is the person's part in the deals of boards: the commitment, or the nonce itself.

    The entry may wait for the host (``ASKED``), or for a partner (``SEEKING``).

    Raises Refused ``already_entered``, ``tournament_full``, ``too_late``, ``tournament_over``, ``entry_refused``,
    ``entry_name``, ``entry_club``, ``starting``, ``suspended``, ``paused``, and as ``conditions.require_fit`` does.
    """
    locked = commits.lock(tournament.pk)
    seating.lock_person(user)
    row = locked.row
    if row.rated:
        ledger.require_no_pause(user.pk)
    require_fit(Conditions.from_data(row.conditions), user, row.variant, now)
    require_member(row.open_club, user.pk)
    _require_open(locked, now)
    _require_own_name(locked, user)
    entry = _new_entry(locked, user, now)
    if row.format == TournamentFormat.DUPLICATE and row.stage == Tournament.Stage.ANNOUNCED:
        opening.set_nonce(entry, *nonce)
    entry.address = address_hash(address, f"tournament.{row.pk}") if row.rated else ""
    entry.status = Entry.Status.ASKED if row.asks and row.host_id != user.pk else Entry.Status.SEEKING
    entry.save()
    if entry.status == Entry.Status.SEEKING:
        _admit(locked, entry, now)
    locked.touch()
    return entry


@transaction.atomic
def approve(*, tournament: Tournament, by: User, entry_id: int, now: datetime) -> None:
    """Accept the entry of a person who asked, and has not left the club since.

    Raises Refused ``tournament_host``, ``not_entered``, ``entry_club``, as ``enter``.
    """
    locked = _lock_as_host(tournament, by)
    entry = locked.row.entries.filter(pk=entry_id, status=Entry.Status.ASKED, leaving="").first()
    if entry is None:
        raise Refused("not_entered")
    require_member(locked.row.open_club, entry.user_id)
    Entry.objects.filter(pk=entry.pk).update(status=Entry.Status.SEEKING)
    _admit(locked, entry, now)
    locked.touch()


@transaction.atomic
def remove_entry(*, tournament: Tournament, by: User, entry_id: int, now: datetime) -> None:
    """Refuse or remove an entry, for good, as the host before the start.

    Moderators do it by ``moderation.tournament_acts``.

    Raises Refused ``tournament_host``, ``not_entered``, ``tournament_stale`` after the start.
    """
    locked = _lock_as_host(tournament, by)
    if locked.row.stage != Tournament.Stage.ANNOUNCED:
        raise Refused("tournament_stale")
    entry = locked.row.entries.exclude(status=Entry.Status.GONE).filter(pk=entry_id).first()
    if entry is None:
        raise Refused("not_entered")
    take_out(locked, entry, FINAL_REASON, now)
    locked.touch()
    notices.send_removal(entry)


@transaction.atomic
def withdraw(*, tournament: Tournament, user: User, now: datetime) -> None:
    """Leave a tournament, with one's party. What was played stays. Raises Refused ``not_entered``."""
    locked = commits.lock(tournament.pk)
    take_out(locked, _entry_of(locked, user), "left", now)
    locked.touch()


@transaction.atomic
def ask_partner(*, tournament: Tournament, user: User, entry_id: int, now: datetime) -> Entry:
    """Ask a person who seeks a partner, or agree with one who has asked: then both have entered.

    Raises Refused ``not_entered``, ``starting``, and as ``enter``.
    """
    locked = commits.lock(tournament.pk)
    own = _entry_of(locked, user)
    other = locked.row.entries.filter(pk=entry_id, status=Entry.Status.SEEKING, leaving="").exclude(pk=own.pk).first()
    if other is None or own.status != Entry.Status.SEEKING:
        raise Refused("not_entered")
    own.partner = other
    own.save(update_fields=["partner"])
    if other.partner_id == own.pk:
        _enter_party(locked, [other, own], now)
    locked.touch()
    own.refresh_from_db()
    return own


@transaction.atomic
def sit_out(*, tournament: Tournament, user: User, now: datetime) -> None:
    """Pause: for the next round, in an arena until ``come_back``. Raises Refused ``not_entered``."""
    locked = commits.lock(tournament.pk)
    party = _entered_party(locked, user)
    if not locked.state.entries[party].sits_out:
        locked.carry_out(commands.SitOut(party), now)


@transaction.atomic
def come_back(*, tournament: Tournament, user: User, now: datetime) -> None:
    """End a pause. Raises Refused ``not_entered``."""
    locked = commits.lock(tournament.pk)
    party = _entered_party(locked, user)
    if locked.state.entries[party].sits_out:
        locked.carry_out(commands.Return(party), now)


def note_seen(*, tournament_id: int, user_id: int, now: datetime) -> bool:
    """Note that a page of the tournament is open: called by every heartbeat, every page, and by "I am here".

    Return False for a person who has not entered.
    """
    return _update_seen(Entry.objects.filter(tournament=tournament_id, user=user_id), now) > 0


def note_program_seen(*, user_id: int, now: datetime) -> None:
    """Note that the program of a bot runs, which waits for the tables of all its tournaments."""
    _update_seen(Entry.objects.filter(tournament__stage__in=Tournament.UNFINISHED, user=user_id), now)


def note_program_gone(*, user_id: int, seen_at: datetime) -> None:
    """Note that a stream of a bot has ended, as ``note_gone`` does for a page."""
    rows = Tournament.objects.filter(stage__in=Tournament.UNFINISHED, entries__user=user_id)
    for slug in rows.values_list("slug", flat=True):
        note_gone(slug=slug, user_id=user_id, seen_at=seen_at)


def _update_seen(entries: QuerySet[Entry], now: datetime) -> int:
    is_new = Q(seen_at=None) | Q(seen_at__lt=now - SEEN_FOR_ARENA)
    waits_since = Case(When(is_new, then=Value(now)), default=F("waits_since"))
    return entries.exclude(status=Entry.Status.GONE).update(waits_since=waits_since, seen_at=now)


def note_gone(*, slug: str, user_id: int, seen_at: datetime) -> None:
    """Note that a page of the tournament was closed, which was last in sight at ``seen_at``.

    If another page was in sight since, the person is still here. Other open pages are asked (``note_still_seen``).
    """
    if Entry.objects.filter(tournament__slug=slug, user=user_id, seen_at__lte=seen_at).update(seen_at=None):
        announcements.ask_tournament_pages(user_id, slug)


def note_still_seen(*, slug: str, user_id: int, now: datetime) -> None:
    """Note that a page is open after another was closed: the person has waited without a break."""
    Entry.objects.filter(tournament__slug=slug, user=user_id, seen_at=None).update(seen_at=now)


def take_out_marked(locked: LockedTournament, now: datetime) -> None:
    """Take out the people whose accounts were deleted or suspended."""
    for entry in locked.row.entries.exclude(leaving="").exclude(status=Entry.Status.GONE):
        entry.refresh_from_db()  # a partner may have gone with the one before
        if entry.status != Entry.Status.GONE:
            take_out(locked, entry, entry.leaving, now)


def _require_open(locked: LockedTournament, now: datetime) -> None:
    state = locked.state
    if state.is_finished:
        raise Refused("tournament_over")
    if not may_enter(state, milliseconds(now)):
        raise Refused("too_late")
    if len(state.active) >= state.terms.max_parties:
        raise Refused("tournament_full")


def _require_own_name(locked: LockedTournament, user: User) -> None:
    """Players of a table have names that nobody confuses, so those of a tournament have, too."""
    entries = locked.row.entries.exclude(user=user).exclude(status=Entry.Status.GONE)
    if any(look_alike(name, str(user)) for name in entries.values_list("name", flat=True)):
        raise Refused("entry_name")


def _new_entry(locked: LockedTournament, user: User, now: datetime) -> Entry:
    """Return a new entry of the person, or the one before the person left."""
    entry = locked.row.entries.filter(user=user).first()
    if entry is None:
        key = str(locked.row.entries.count() + 1)
        entry = Entry(tournament=locked.row, user=user, name=str(user), key=key, party=key, seen_at=now)
        entry.reminded = locked.row.starts_at <= now + notices.REMINDER
        return entry
    if entry.status != Entry.Status.GONE:
        raise Refused("already_entered")
    if entry.leaving == FINAL_REASON:
        raise Refused("entry_refused")
    entry.party, entry.name, entry.leaving, entry.partner, entry.seen_at = entry.key, str(user), "", None, now
    entry.nonce_commitment = entry.nonce = ""
    return entry


def _admit(locked: LockedTournament, entry: Entry, now: datetime) -> None:
    """Enter a person who plays alone. One who needs a partner seeks one."""
    if locked.row.people == 1:
        _enter_party(locked, [entry], now)
        entry.refresh_from_db()


def _enter_party(locked: LockedTournament, entries: Sequence[Entry], now: datetime) -> None:
    if opening.has_begun(locked.row):
        raise Refused("starting")
    people = tuple(entry.key for entry in entries)
    locked.carry_out(commands.Enter("+".join(people), people, opening.commitments_of(entries)), now)


def _lock_as_host(tournament: Tournament, by: User) -> LockedTournament:
    locked = commits.lock(tournament.pk)
    if locked.row.host_id != by.pk:
        raise Refused("tournament_host")
    return locked


def _entry_of(locked: LockedTournament, user: User) -> Entry:
    entry = locked.row.entries.filter(user=user).exclude(status=Entry.Status.GONE).first()
    if entry is None:
        raise Refused("not_entered")
    return entry


def _entered_party(locked: LockedTournament, user: User) -> str:
    entry = _entry_of(locked, user)
    if entry.status != Entry.Status.ENTERED:
        raise Refused("not_entered")
    return entry.party


def take_out(locked: LockedTournament, entry: Entry, reason: str, now: datetime) -> None:
    """Take out the party of a person, or a person whose entry does not count yet.

    Before the start a partner who stays seeks another.
    """
    is_announced = locked.row.stage == Tournament.Stage.ANNOUNCED
    if entry.status == Entry.Status.ENTERED:
        by = "" if reason == "left" else "site"
        locked.carry_out(commands.Leave(entry.party, reason, by), now)
        partners = locked.row.entries.filter(party=entry.party).exclude(pk=entry.pk)
        if is_announced:
            partners.update(status=Entry.Status.SEEKING, party=F("key"), leaving="")
    party = entry.key if is_announced else entry.party  # tables name it
    Entry.objects.filter(pk=entry.pk).update(status=Entry.Status.GONE, leaving=reason, partner=None, party=party)
