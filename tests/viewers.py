"""The viewers of a table, and the responses of the site's pages to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import ApiToken, User
from accounts.tokens.issuing import create_token
from games.api.endpoints import API
from games.engine.options import LENGTH_OPTION
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile, tile_text
from games.engine.variants import rules_for
from games.lobby import tables as lobby_tables
from games.models import Match
from games.terms.terms import Terms
from tests.engine.matches import last_choices
from tests.games import tables
from tests.worlds import hidden_tiles

RANDOM_TOKENS = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")\w{64}|(?<=X-CSRFToken": ")\w{64}')
PARAMETER = re.compile(r"{(?:\w+:)?(\w+)}")
# Pages about the process and its time.
PROCESS_PAGES = {"metrics", "healthz"}
# Requests only the fingerprint of a picture, which covers everything that it is drawn from.
FINGERPRINT_HEADERS = {"If-None-Match": "*"}
# Pages of a match that take forms: a GET has an empty response (tests/test_leaks.py proves it in the first game).
FORM_NAMES = (
    *("sit", "invite", "uninvite", "name", "stand", "fill", "nonce", "start", "rematch", "move", "ready", "vote"),
    *("leave", "chat", "mute", "analysis", "review-invite", "review-chat"),
)


@dataclass(frozen=True)
class Viewer:
    """A viewer of a table, who has a seat or (None) is outside."""

    name: str
    client: Client
    user: User | None = None
    seat: int | None = None


def new_viewer(name: str, user: User | None = None, seat: int | None = None) -> Viewer:
    client = Client()
    if user is not None:
        client.force_login(user)
    return Viewer(name, client, user, seat)


def start_rated_match(rules: Rules, seats: int) -> Match:
    """Return a running match of that many people, with the last choice of every option that a rated match has."""
    options = {name: choice for name, choice in last_choices(rules, seats).items() if name != LENGTH_OPTION.name}
    host, *guests = (tables.person(f"Person {seat}") for seat in range(seats))
    match = lobby_tables.open_table(host=host, terms=Terms(rules.key, seats, options, clock="relaxed", rated=True))
    for user in guests:
        lobby_tables.sit(match=match, user=user)
    return lobby_tables.start_or_agree(match=match, by=host)


def all_viewers(match: Match) -> list[Viewer]:
    """Return the players and viewers of every kind outside, including staff."""
    seated = [new_viewer(f"seat {seat.index}", seat.user, seat.index) for seat in match.seats.order_by("index")]
    spectator, moderator = tables.person("Spectator"), tables.person("Moderator")
    moderator.is_staff = True
    moderator.save()
    moderator.groups.add(*Group.objects.all())
    root = User.objects.create(username="root", name="Root", is_staff=True, is_superuser=True)
    outside = {"spectator": spectator, "moderator": moderator, "administrator": root}
    return [*seated, new_viewer("anonymous"), *(new_viewer(name, user) for name, user in outside.items())]


def responses(viewer: Viewer, addresses: Iterable[str]) -> dict[str, bytes]:
    """Return the responses of pages to the viewer, by address."""
    return {address: response_at(viewer, address) for address in addresses}


def response_at(viewer: Viewer, address: str) -> bytes:
    """Return the status and content of a page; for a picture its fingerprint, without drawing it."""
    is_picture = address.endswith(".png")
    response = viewer.client.get(address, headers=FINGERPRINT_HEADERS if is_picture else None)
    content = response.headers.get("ETag", "").encode() if is_picture else content_without_tokens(response)
    return b"%d " % response.status_code + content


def refusal_responses(viewer: Viewer, match: Match, state: State) -> dict[str, bytes]:
    """Return the responses of the table to illegal choices and moves, by address."""
    page, move_page = (reverse(name, args=[match.slug]) for name in ("match", "match-move"))
    texts = responses(viewer, [f"{page}?tile={tile_text(tile)}" for tile in tiles_to_try(state, viewer.seat)])
    for move in impossible_moves(state, viewer.seat):
        data = {"type": "move", "move": move, "v": match.version}
        texts[f"{move_page} {move}"] = content_without_tokens(viewer.client.post(move_page, data, follow=True))
    return texts


def content_without_tokens(response: Iterable[bytes]) -> bytes:
    """Return the content of a response without its random tokens."""
    return RANDOM_TOKENS.sub(b"", b"".join(response))


def tiles_to_try(state: State, seat: int | None) -> list[Tile]:
    """Return tiles that this viewer does not hold: of another hand, of the boneyard or the last hand, of the table.

    Viewers outside are refused whatever the tile is, so one is enough for them.
    """
    hidden = hidden_tiles(state, seat)
    if seat is None:
        return hidden[:1]
    laid = [play.tile for play in state.round.plays if play.tile not in state.hands[seat]]
    return [*dict.fromkeys([*hidden[:1], *hidden[-1:], *laid[:1]])]


def impossible_moves(state: State, seat: int | None) -> list[str]:
    """Return moves that this viewer cannot make: these tiles where they would fit, and an invalid one."""
    layout = state.round.layout
    return ["nonsense", *(layout.text(tile, (*layout.places(tile), "")[0]) for tile in tiles_to_try(state, seat))]


def page_addresses(match: Match) -> list[str]:
    """Return all addresses that can be built from the match and its variant."""
    parts = {"slug": match.slug, "variant": match.variant}
    return [
        reverse(name, kwargs={key: parts[key] for key in keys})
        for name, keys in named_url_patterns(get_resolver())
        if keys <= parts.keys() and name not in PROCESS_PAGES and not name.startswith("admin:")
        if not ("slug" in keys and name.startswith(("tournament", "club")))  # such a slug names no match
    ]


def match_addresses(match: Match) -> list[str]:
    """Return the addresses that name the match, including that of television."""
    on_television = f"{reverse('tv')}?on={match.slug}"
    return [*(address for address in page_addresses(match) if match.slug in address), on_television]


def api_addresses(match: Match, tournament: str = "") -> list[str]:
    """Return the addresses of all endpoints that read, of the match, its first person, its game and a tournament."""
    parts = {
        "slug": match.slug,
        "variant": match.variant,
        "person_id": str(match.seats.filter(user__isnull=False).values_list("user", flat=True)[0]),
    }
    paths = [path for path, methods in API.get_openapi_schema()["paths"].items() if "get" in methods]
    return [
        PARAMETER.sub(lambda name: tournament if "/tournament/" in path else parts[name[1]], path)  # noqa: B023
        for path in paths
        if "/stream/" not in path
    ]


def api_responses(viewer: Viewer, addresses: Iterable[str]) -> dict[str, bytes]:
    """Return the responses of endpoints to the viewer, who has a token for everything."""
    headers = {}
    if viewer.user is not None:
        ApiToken.objects.filter(user=viewer.user).delete()
        secret = create_token(user=viewer.user, name="leaks", scopes=list(ApiToken.Scope))
        headers["authorization"] = f"Bearer {secret}"
    client = Client()
    return {address: client.get(address, headers=headers).content for address in addresses}


def form_addresses(match: Match) -> set[str]:
    """Return the addresses that take forms."""
    return {reverse(f"match-{name}", args=[match.slug]) for name in FORM_NAMES}


def admin_addresses(match: Match, models: Iterable[type[Model]]) -> Iterator[str]:
    """Yield the lists of the admin and the newest rows, and searches and orders in the lists about matches."""
    tile = tile_text(rules_for(match.variant).tile_set[-2])
    yield reverse("admin:index")
    for model in models:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        yield address
        if model._meta.app_label == match._meta.app_label:
            yield from (f"{address}?q={tile}", f"{address}?o=1.2.3", f"{address}?data__contains={tile}")
        yield from row_addresses(model)


def row_addresses(model: type[Model]) -> Iterator[str]:
    """Yield the pages of the newest row of every kind, such as the last draw of a record, and a history."""
    base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    newest = {getattr(row, "kind", ""): row.pk for row in model._default_manager.order_by("pk")}
    yield from (reverse(f"{base}_change", args=[key]) for key in newest.values())
    yield from (reverse(f"{base}_history", args=[key]) for key in [*newest.values()][:1])


def named_url_patterns(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the name and the parameters of every URL pattern."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from named_url_patterns(entry, f"{space}{entry.namespace}:" if entry.namespace else space)
        elif isinstance(entry, URLPattern) and entry.name:
            yield f"{space}{entry.name}", frozenset(entry.pattern.regex.groupindex)
