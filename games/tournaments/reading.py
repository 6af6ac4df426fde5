"""Reads the contents of the pages of tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from accounts.models import Block
from games import access
from games.match.moments import milliseconds, moment_of
from games.models import Entry, Match, Seat, Tournament, TournamentTable
from games.tournaments import board_results, opening, record, selectors
from games.tournaments.conditions import Conditions
from games.tournaments.content import Candidate, Content, EntrantNonce, Fact, Heading, Own, StandingLine, TableLine
from games.tournaments.core.decide import may_enter
from games.tournaments.core.events import (
    NEW_BOTS,
    Cancelled,
    Counted,
    Dropped,
    Ended,
    Entered,
    Event,
    Left,
    Paired,
    ResultChanged,
    Returned,
    RoundOver,
    SatOut,
    Started,
)
from games.tournaments.core.state import State

if TYPE_CHECKING:
    from games.access import Viewer

MAX_TABLES = 30
MAX_FACTS = 60
MAX_SECRET_EVENTS_PER_TABLE = 2  # its result, and that it is void
MAX_CANDIDATES = 50
ENTRY_COLUMNS = ("id", "user_id", "party", "status", "leaving", "nonce_commitment", "nonce")
NamesByParty = Mapping[str, tuple[str, ...]]
PARTY_FACTS: Mapping[type[Event], str] = {Entered: "entered", Left: "left", SatOut: "paused", Returned: "returned"}
TABLE_FACTS: Mapping[type[Event], str] = {Counted: "counted", Dropped: "dropped", ResultChanged: "changed"}
PLAIN_FACTS: Mapping[type[Event], str] = {Started: "started", Ended: "ended", Cancelled: "cancelled"}


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """What all readers of a revision share. What one of them sees needs queries only for a few.

    - ``entries``: the row with ``ENTRY_COLUMNS`` of each person.
    - ``lines``: each party's line in the standing. ``matches``: what each party plays now.
    - ``blocked``: the people whom somebody at a listed table has blocked.
    """

    row: Tournament
    state: State
    content: Content
    entries: Mapping[int, Any]
    lines: Mapping[str, StandingLine]
    matches: Mapping[str, str]
    blocked: frozenset[int]

    def needs_queries(self, viewer_id: int | None) -> bool:
        """Return True if the own part of this viewer is not in what all share."""
        if viewer_id is None:
            return False
        entry = self.entries.get(viewer_id)
        is_own_in_memory = entry is not None and entry.status == Entry.Status.ENTERED and not self.content.boards
        return not is_own_in_memory or viewer_id == self.row.host_id or viewer_id in self.blocked


def load_shared(row: Tournament) -> Shared:
    """Read what everybody sees, and in a few queries what each entrant does."""
    content, state = load_content(row), selectors.load_state(row)
    entries = row.entries.filter(user__isnull=False).values_list(*ENTRY_COLUMNS, named=True)
    slugs = [table.slug for table in content.tables if table.slug]
    people = Seat.objects.filter(match__slug__in=slugs, user__isnull=False).values("user")
    return Shared(
        row,
        state,
        content,
        {entry.user_id: entry for entry in entries},
        {line.party: line for line in content.lines},
        _current_matches(state),
        frozenset(Block.objects.filter(blocker__in=people).values_list("blocked", flat=True))
        if slugs
        else frozenset(),
    )


def _current_matches(state: State) -> dict[str, str]:
    """Return the match that each party plays in the tournament now."""
    tables = [table for table in state.current_tables if table.is_pending and table.match]
    matches = Match.objects.filter(slug__in=[table.match for table in tables], status__in=Match.UNFINISHED)
    slugs = set(matches.values_list("slug", flat=True)) if tables else set()
    return {party: table.match for table in tables if table.match in slugs for party in table.people}


def heading_of(row: Tournament, rounds: int = 0) -> Heading:
    """Return a tournament as lists show it. ``rounds`` are those of its terms, which count before the start."""
    conditions, club = Conditions.from_data(row.conditions), row.open_club
    return Heading(
        slug=row.slug,
        name=row.name,
        format=row.format,
        variant=row.variant,
        stage=row.stage,
        starts_at=row.starts_at,
        seats=row.seat_count,
        people=row.people,
        parties=row.parties,
        minutes=row.minutes,
        round=row.round,
        rounds=row.rounds or rounds,
        options=tuple(sorted(row.options.items())),
        clock=row.clock,
        rated=row.rated,
        is_unlisted=row.visibility != Tournament.Visibility.PUBLIC,
        asks=row.asks,
        needs_account=conditions.needs_account,
        bots_only=conditions.bots,
        min_rating=conditions.min_rating or 0,
        max_rating=conditions.max_rating or 0,
        min_matches=conditions.min_matches,
        host=str(row.host) if row.host else "",
        club=club.name if club else "",
        club_slug=club.slug if club else "",
        commitment=row.commitment,
    )


def load_content(row: Tournament) -> Content:
    """Read what everybody sees."""
    tables = _tables_at_play(row)
    first_tables = list(tables[:MAX_TABLES])
    names = _names_of(row, {party for table in first_tables for party in table.parties if party})
    rows = selectors.standing_rows(row)
    is_ranked = any(standing.line.points for standing in rows)
    return Content(
        heading=heading_of(row, selectors.load_terms(row).rounds),
        lines=tuple(_standing_line(standing, is_ranked=is_ranked) for standing in rows),
        tables=tuple(
            TableLine(
                table.number,
                tuple(names.get(party, ()) if party else () for party in table.parties),
                _slug_to_watch(table.match),
            )
            for table in first_tables
        ),
        table_count=tables.count(),
        boards=len(selectors.load_state(row).boards),
    )


def load_own(shared: Shared, viewer: Viewer, now: datetime) -> Own:
    """Return what only the viewer sees, without queries if none are needed."""
    row, content, state = shared.row, shared.content, shared.state
    entry = shared.entries.get(viewer.pk) if viewer.pk is not None else None
    is_host = viewer.pk is not None and row.host_id == viewer.pk
    is_announced = row.stage == Tournament.Stage.ANNOUNCED
    is_gone = entry is None or entry.status == Entry.Status.GONE
    party = state.entries.get(entry.party) if entry is not None else None
    is_open = not state.is_finished and may_enter(state, milliseconds(now)) and not opening.has_begun(row)
    can_enter = is_gone and is_open and not content.heading.bots_only
    return Own(
        is_host=is_host,
        can_cancel=is_announced and is_host,
        can_enter=can_enter,
        status=entry.status if entry is not None else "",
        is_removed=entry is not None and entry.leaving == "removed",
        sits_out=party is not None and party.sits_out,
        line=shared.lines.get(entry.party) if entry is not None else None,
        match=shared.matches.get(entry.party, "") if entry is not None and not is_gone else "",
        ending=_ending(state, party.party, now) if party is not None else "",
        asking=load_asking(row) if is_host else (),
        entrants=load_entrants(row) if is_host else (),
        partners=_partners(row, entry),
        has_blocks=can_enter and viewer.pk is not None and Block.objects.filter(blocker=viewer.pk).exists(),
        hidden_matches=_hidden_matches(content, viewer) if viewer.pk in shared.blocked else frozenset(),
        boards=board_results.comparisons(row, entry.party) if entry is not None and content.boards else (),
        nonce_stage=_nonce_stage(row, entry, can_enter=can_enter),
        nonce_commitment=entry.nonce_commitment if entry is not None else "",
    )


def load_asking(row: Tournament) -> tuple[Candidate, ...]:
    """Return the entries that wait for the host."""
    return _candidates(selectors.pending_entries(row)[:MAX_CANDIDATES])


def load_entrants(row: Tournament) -> tuple[Candidate, ...]:
    """Return the entries that the host may remove, before the start. Hosts withdraw their own."""
    if row.stage != Tournament.Stage.ANNOUNCED:
        return ()
    entries = row.entries.filter(status__in=(Entry.Status.ENTERED, Entry.Status.SEEKING), leaving="")
    return _candidates(entries.exclude(user=row.host_id).order_by("pk")[:MAX_CANDIDATES])


def _ending(state: State, party: str, now: datetime) -> str:
    if state.stage != "running" or state.has_next_table(party, milliseconds(now)):
        return ""
    return "played" if any(party in table.people for table in state.tables) else "unplayed"


def _nonce_stage(row: Tournament, entry: Any | None, *, can_enter: bool) -> str:
    if not row.commitment or row.stage != Tournament.Stage.ANNOUNCED:
        return ""
    if can_enter:
        return "enter"
    is_sealed = entry is not None and bool(entry.nonce_commitment) and not entry.nonce
    return "reveal" if is_sealed and opening.has_begun(row) else ""


def load_nonces(row: Tournament) -> tuple[EntrantNonce, ...]:
    """Read the nonces of the entrants in order of entry, once they are open."""
    start = record.start_event(row.pk) if row.commitment else None
    if start is None:
        return ()
    people = [person for entry in selectors.load_state(row).entries.values() for person in entry.people]
    names = dict(row.entries.values_list("key", "name"))
    return tuple(EntrantNonce(names[key], nonce) for key, nonce in zip(people, start.nonces, strict=False))


def load_facts(row: Tournament) -> tuple[Fact, ...]:
    """Read the last events, the newest first."""
    state = selectors.load_state(row)
    secrets = MAX_SECRET_EVENTS_PER_TABLE * len(state.current_tables) if state.is_board_open else 0
    latest = record.latest_events(row.pk, row.version, MAX_FACTS + secrets)
    events = [event for event in latest if not _is_secret(state, event)][-MAX_FACTS:]
    names = _names_of(row, {event.party for event in events if isinstance(event, Entered | Left | SatOut | Returned)})
    facts = (_fact(event, names, is_duplicate=state.is_duplicate) for event in reversed(events))
    return tuple(fact for fact in facts if fact is not None)


def _tables_at_play(row: Tournament) -> QuerySet[TournamentTable]:
    """Return the tables that are played. Those of an open board stay until all are over: nobody may know more."""
    state = selectors.load_state(row)
    if row.stage != Tournament.Stage.RUNNING:
        return row.tables.none()
    tables = selectors.current_tables(row)
    return tables if state.is_board_open else tables.exclude(stage=TournamentTable.Stage.OVER)


def _is_secret(state: State, event: Event) -> bool:
    """Return whether an event says how far a table on an open board is."""
    if not isinstance(event, Counted | Dropped | ResultChanged):
        return False
    return state.is_board_open and state.tables[event.table].round == state.round


def _standing_line(standing: selectors.StandingRow, *, is_ranked: bool) -> StandingLine:
    return StandingLine(
        standing.line.party,
        standing.line.rank if is_ranked else 0,
        tuple(person.name for person in standing.people),
        round(float(standing.line.points), 2),
        bool(standing.reason),
    )


def _names_of(row: Tournament, parties: set[str]) -> NamesByParty:
    people = selectors.people_by_party(row, parties)
    return {party: tuple(person.name for person in people[party]) for party in people}


def _slug_to_watch(match: Match | None) -> str:
    """Return the slug of a match that anybody may watch. Nobody may watch a board."""
    can_watch = match is not None and match.status != Match.Status.VOID and not match.source
    return match.slug if match is not None and can_watch else ""


def _hidden_matches(content: Content, viewer: Viewer) -> frozenset[str]:
    """Return the slugs of the listed matches that the viewer may not watch, because a player has blocked them."""
    slugs = frozenset(table.slug for table in content.tables if table.slug)
    restricted_id = access.restricted_viewer_id(viewer) if slugs else None
    if restricted_id is None:
        return frozenset()
    visible = Match.objects.filter(access.unblocked_matches(restricted_id), slug__in=slugs)
    return slugs.difference(visible.values_list("slug", flat=True))


def _candidates(entries: Iterable[Entry]) -> tuple[Candidate, ...]:
    return tuple(Candidate(entry.pk, entry.name) for entry in entries)


def _partners(row: Tournament, entry: Any | None) -> tuple[Candidate, ...]:
    """Return the people whom the viewer may ask. Those who have asked the viewer come first."""
    if entry is None or entry.status != Entry.Status.SEEKING:
        return ()
    seekers = selectors.partner_seekers(row).exclude(pk=entry.id)[:MAX_CANDIDATES]
    candidates = [Candidate(seeker.pk, seeker.name, seeker.partner_id == entry.id) for seeker in seekers]
    return tuple(sorted(candidates, key=lambda candidate: not candidate.asks_viewer))


def _fact(event: Event, names: NamesByParty, *, is_duplicate: bool) -> Fact | None:
    """Return an event for readers, None for one that says nothing new."""
    at = moment_of(event.at)
    if isinstance(event, Entered | Left | SatOut | Returned):
        return Fact(PARTY_FACTS[type(event)], at, names.get(event.party, ()))
    if isinstance(event, Counted | Dropped | ResultChanged):
        kind = "unfinished" if is_duplicate and isinstance(event, Dropped) else TABLE_FACTS[type(event)]
        return Fact(kind, at, number=event.table + 1)
    if isinstance(event, Paired):
        return Fact("paired", at, number=event.round) if event.round else None
    if isinstance(event, RoundOver):
        return Fact("round_over", at, number=event.round)
    if isinstance(event, Ended) and event.reason == NEW_BOTS:
        return Fact("ended_early", at)
    plain = PLAIN_FACTS.get(type(event))
    return Fact(plain, at) if plain else None
