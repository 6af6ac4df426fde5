"""Everybody who may look at a table, and everything that the site's pages say to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from games.engine.options import LENGTH
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile, tile_text
from games.engine.variants import rules_for
from games.lobby import tables as lobby_tables
from games.models import Match
from games.terms.terms import Terms
from tests.engine.matches import last_choices
from tests.games import tables
from tests.worlds import hidden_from

DRAWN_BY_LOT = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")\w{64}|(?<=X-CSRFToken": ")\w{64}')
ABOUT_THE_PROCESS = {"metrics", "healthz"}
"""Pages whose content is the process and its time."""
UNDRAWN = {"If-None-Match": "*"}
"""Asks for the name of a picture only, which is a fingerprint of all that it is drawn from."""


@dataclass(frozen=True)
class Viewer:
    """Who looks, from which seat (None: from outside)."""

    name: str
    client: Client
    user: User | None = None
    seat: int | None = None


def viewer(name: str, user: User | None = None, seat: int | None = None) -> Viewer:
    client = Client()
    if user is not None:
        client.force_login(user)
    return Viewer(name, client, user, seat)


def table_of(rules: Rules, seats: int) -> Match:
    """Return a running match of that many people, with the last choice of every option that a rated match has."""
    options = {name: choice for name, choice in last_choices(rules, seats).items() if name != LENGTH.name}
    host, *others = (tables.person(f"Person {seat}") for seat in range(seats))
    match = lobby_tables.open_table(host=host, terms=Terms(rules.key, seats, options, clock="relaxed", rated=True))
    for user in others:
        lobby_tables.sit(match=match, user=user)
    return lobby_tables.start(match=match, by=host)


def everybody(match: Match) -> list[Viewer]:
    """Return each seat and those outside, the staff among them."""
    seated = [viewer(f"seat {seat.index}", seat.user, seat.index) for seat in match.seats.order_by("index")]
    spectator, moderator = tables.person("Spectator"), tables.person("Moderator")
    moderator.is_staff = True
    moderator.save()
    moderator.groups.add(*Group.objects.all())
    root = User.objects.create(username="root", name="Root", is_staff=True, is_superuser=True)
    outside = {"spectator": spectator, "moderator": moderator, "administrator": root}
    return [*seated, viewer("anonymous"), *(viewer(name, user) for name, user in outside.items())]


def told(viewer: Viewer, addresses: Iterable[str]) -> dict[str, bytes]:
    """Return what the site's pages say to the viewer, by address."""
    return {address: said_at(viewer, address) for address in addresses}


def said_at(viewer: Viewer, address: str) -> bytes:
    """Return the status and what is said at an address; of a picture its name, which costs no drawing."""
    is_picture = address.endswith(".png")
    response = viewer.client.get(address, headers=UNDRAWN if is_picture else None)
    said = response.headers.get("ETag", "").encode() if is_picture else body(response)
    return b"%d " % response.status_code + said


def answers(viewer: Viewer, match: Match, state: State) -> dict[str, bytes]:
    """Return what the table answers to vain choices and tries, by address."""
    page, move_page = (reverse(name, args=[match.slug]) for name in ("match", "match-move"))
    said = told(viewer, [f"{page}?tile={tile_text(tile)}" for tile in tiles_to_try(state, viewer.seat)])
    for move in tries(state, viewer.seat):
        data = {"type": "move", "move": move, "v": match.version}
        said[f"{move_page} {move}"] = body(viewer.client.post(move_page, data, follow=True))
    return said


def body(response: Iterable[bytes]) -> bytes:
    """Return what came back, without what is drawn by lot for every answer."""
    return DRAWN_BY_LOT.sub(b"", b"".join(response))


def tiles_to_try(state: State, seat: int | None) -> list[Tile]:
    """Return tiles that this viewer does not hold: of another hand, of the boneyard or the last hand, of the table.

    Who does not play is refused whatever it is, so one tile will do.
    """
    hidden = hidden_from(state, seat)
    if seat is None:
        return hidden[:1]
    laid = [play.tile for play in state.round.plays if play.tile not in state.hands[seat]]
    return [*dict.fromkeys([*hidden[:1], *hidden[-1:], *laid[:1]])]


def tries(state: State, seat: int | None) -> list[str]:
    """Return moves that this viewer cannot make: these tiles where they would fit, and nonsense."""
    layout = state.round.layout
    return ["nonsense", *(layout.text(tile, (*layout.places(tile), "")[0]) for tile in tiles_to_try(state, seat))]


def pages(match: Match) -> list[str]:
    """Return every address that can be written with the match and its variant."""
    parts = {"slug": match.slug, "variant": match.variant}
    return [
        reverse(name, kwargs={key: parts[key] for key in keys})
        for name, keys in patterns(get_resolver())
        if keys <= parts.keys() and name not in ABOUT_THE_PROCESS and not name.startswith("admin:")
    ]


def pages_of(match: Match) -> list[str]:
    """Return the addresses that name the match, that of television among them."""
    on_television = f"{reverse('tv')}?on={match.slug}"
    return [*(address for address in pages(match) if match.slug in address), on_television]


def admin_pages(match: Match, models: Iterable[type[Model]]) -> Iterator[str]:
    """Yield the lists of the admin with the newest rows, and searches and orders in those about matches."""
    tile = tile_text(rules_for(match.variant).tile_set[-2])
    yield reverse("admin:index")
    for model in models:
        listed = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        yield listed
        if model._meta.app_label == match._meta.app_label:
            yield from (f"{listed}?q={tile}", f"{listed}?o=1.2.3", f"{listed}?data__contains={tile}")
        yield from row_pages(model)


def row_pages(model: type[Model]) -> Iterator[str]:
    """Yield the pages of the newest row of every kind, such as the newest draw of the record, and a history."""
    base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    newest = {getattr(row, "kind", ""): row.pk for row in model._default_manager.order_by("pk")}
    yield from (reverse(f"{base}_change", args=[key]) for key in newest.values())
    yield from (reverse(f"{base}_history", args=[key]) for key in [*newest.values()][:1])


def patterns(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the name of every address with the names of its parts."""
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each, f"{space}{each.namespace}:" if each.namespace else space)
        elif isinstance(each, URLPattern) and each.name:
            yield f"{space}{each.name}", frozenset(each.pattern.regex.groupindex)
