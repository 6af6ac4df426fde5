"""Endpoints of tournaments: reading them, and leading one as its host by the form and the services of the site."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from ninja import Router

from accounts.models import ApiToken
from games.api import schemas
from games.api.authentication import OPTIONAL_TOKEN, READ, ApiRequest, Token
from games.api.play_views import PLAY
from games.api.refusals import ERRORS
from games.errors import Refused
from games.lobby.forms import OPTION_PREFIX
from games.models import Tournament
from games.tournaments import announcing, entering, reading, selectors
from games.tournaments.content import Candidate, Heading, StandingLine, TableLine
from games.tournaments.forms import TournamentForm
from games.tournaments.views import find_tournament
from games.words import offered_variants
from infrastructure.limits import limits

HOST = Token(ApiToken.Scope.TOURNAMENT_HOST.value)

router = Router(tags=["tournaments"])


@router.get("tournaments", auth=READ, response={200: schemas.TournamentsOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def list_tournaments(request: ApiRequest) -> dict[str, Any]:
    """Return the public tournaments: those that run, those that come, and those of the last week."""
    lists = selectors.load_lists(timezone.now())
    return {
        name: [_heading_data(reading.heading_of(row)) for row in rows]
        for name, rows in (("running", lists.running), ("upcoming", lists.upcoming), ("finished", lists.finished))
    }


@router.get("tournaments/own", auth=HOST, response={200: list[schemas.TournamentHeadingOut], **ERRORS})
def list_own_tournaments(request: ApiRequest) -> list[dict[str, Any]]:
    """Return the 25 newest tournaments of the host."""
    return [_heading_data(reading.heading_of(row)) for row in selectors.hosted_tournaments(request.auth.user.pk)]


@router.post("tournaments", auth=HOST, response={200: schemas.TournamentOut, **ERRORS})
def open_tournament(request: ApiRequest, terms: schemas.TournamentIn) -> dict[str, Any]:
    """Announce a tournament, as with the form of the site."""
    form = _form(terms)
    if not form.is_valid():
        raise Refused(
            "invalid", "; ".join(f"{name}: {' '.join(map(str, faults))}" for name, faults in form.errors.items())
        )
    host = request.auth.user
    limits.enforce("tables", account=host.pk)
    row = announcing.announce_as_host(host=host, announcement=form.announcement, now=form.now)
    return _tournament_data(row, request)


@router.get(
    "tournament/{slug}", auth=READ, response={200: schemas.TournamentOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN
)
def get_tournament(request: ApiRequest, slug: str) -> dict[str, Any]:
    """Return a tournament with its standing and the tables that are played now."""
    return _tournament_data(find_tournament(slug), request)


@router.get("tournament/{slug}/entries", auth=HOST, response={200: schemas.EntriesOut, **ERRORS})
def list_entries(request: ApiRequest, slug: str) -> dict[str, Any]:
    """Return the entries of which the host can dispose: those that wait, and those that can be removed."""
    row = find_tournament(slug)
    if row.host_id != request.auth.user.pk:
        raise Refused("tournament_host")
    return {
        "asking": list(map(_entry_data, reading.load_asking(row))),
        "entered": list(map(_entry_data, reading.load_entrants(row))),
    }


@router.post("tournament/{slug}/accept", auth=HOST, response={204: None, **ERRORS})
def accept_entry(request: ApiRequest, slug: str, entry: schemas.EntryIn) -> tuple[int, None]:
    """Accept an entry that waits for the host."""
    row, now = find_tournament(slug), timezone.now()
    entering.approve(tournament=row, by=request.auth.user, entry_id=entry.entry, now=now)
    return 204, None


@router.post("tournament/{slug}/remove", auth=HOST, response={204: None, **ERRORS})
def remove_entry(request: ApiRequest, slug: str, entry: schemas.EntryIn) -> tuple[int, None]:
    """Refuse or remove an entry before the start, for good."""
    row, now = find_tournament(slug), timezone.now()
    entering.remove_entry(tournament=row, by=request.auth.user, entry_id=entry.entry, now=now)
    return 204, None


@router.post("tournament/{slug}/cancel", auth=HOST, response={204: None, **ERRORS})
def cancel_tournament(request: ApiRequest, slug: str) -> tuple[int, None]:
    """Cancel a tournament before its start."""
    announcing.cancel(tournament=find_tournament(slug), by=request.auth.user, now=timezone.now())
    return 204, None


@router.post("tournament/{slug}/enter", auth=PLAY, response={200: schemas.TournamentOut, **ERRORS})
def enter(request: ApiRequest, slug: str) -> dict[str, Any]:
    """Enter a tournament of bots."""
    row = find_tournament(slug)
    entering.enter(tournament=row, user=request.auth.user, now=timezone.now())
    return _tournament_data(find_tournament(slug), request)


@router.post("tournament/{slug}/withdraw", auth=PLAY, response={204: None, **ERRORS})
def withdraw(request: ApiRequest, slug: str) -> tuple[int, None]:
    """Leave a tournament."""
    entering.withdraw(tournament=find_tournament(slug), user=request.auth.user, now=timezone.now())
    return 204, None


def _form(terms: schemas.TournamentIn) -> TournamentForm:
    """Return the form of the site with these terms. Raises Refused ``bad_request`` for unknown games and options."""
    rules = offered_variants().get(terms.variant)
    if rules is None or not terms.options.keys() <= {option.name for option in rules.options}:
        raise Refused("bad_request")
    data = {name: str(value) for name, value in terms.form_fields().items()}
    return TournamentForm(
        rules,
        data
        | {OPTION_PREFIX + name: choice for name, choice in terms.options.items()}
        | {"stakes": "rated" if terms.rated else "casual", "entries": "asks" if terms.asks else "open"},
        now=timezone.now(),
    )


def _tournament_data(row: Tournament, request: ApiRequest) -> dict[str, Any]:
    """Return a tournament as the page shows it to this viewer."""
    shared = reading.load_shared(row)
    content, own = shared.content, reading.load_own(shared, request.auth.viewer, timezone.now())
    return _heading_data(content.heading) | {
        "standing": list(map(_standing_data, content.lines)),
        "tables": [_table_data(table, own.hidden_matches) for table in content.tables],
        "own": {"status": own.status, "match": own.match or None} if own.status else None,
    }


def _heading_data(heading: Heading) -> dict[str, Any]:
    return {
        "slug": heading.slug,
        "name": heading.name,
        "format": heading.format,
        "variant": heading.variant,
        "options": dict(heading.options),
        "seats": heading.seats,
        "people": heading.people,
        "clock": heading.clock,
        "rated": heading.rated,
        "visibility": "link" if heading.is_unlisted else "public",
        "host": heading.host,
        "stage": heading.stage,
        "starts_at": heading.starts_at,
        "minutes": heading.minutes,
        "round": heading.round,
        "rounds": heading.rounds,
        "parties": heading.parties,
        "asks": heading.asks,
        "needs_account": heading.needs_account,
        "bots_only": heading.bots_only,
        "min_rating": heading.min_rating,
        "max_rating": heading.max_rating,
        "min_matches": heading.min_matches,
        "club": heading.club,
        "commitment": heading.commitment,
    }


def _standing_data(line: StandingLine) -> dict[str, Any]:
    return {"place": line.rank or None, "names": line.names, "points": line.points, "gone": line.is_gone}


def _table_data(table: TableLine, hidden_matches: frozenset[str]) -> dict[str, Any]:
    match = None if table.slug in hidden_matches else table.slug or None
    return {"number": table.number, "sides": table.sides, "match": match}


def _entry_data(candidate: Candidate) -> dict[str, Any]:
    return {"entry": candidate.entry, "name": candidate.name}
