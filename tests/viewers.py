"""Everybody who may look at a table, and everything that the site's pages say to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from games.models import Match, MatchEvent, Seat
from games.services import lobby
from tests.games import tables

DRAWN_BY_LOT = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")\w{64}|(?<=X-CSRFToken": ")\w{64}')
ABOUT_THE_PROCESS = {"metrics", "healthz"}
"""Pages whose content is the process and its time."""


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
    """Return a running match of that many people."""
    host, *others = (tables.person(f"Person {seat}") for seat in range(seats))
    match = lobby.create_table(
        host=host, variant=rules.key, seats=seats, options={}, clock="relaxed", visibility="public", rated=True
    )
    for user in others:
        lobby.sit(match=match, user=user)
    return lobby.start(match=match, by=host)


def everybody(match: Match) -> list[Viewer]:
    """Return each seat and those outside, the staff among them."""
    seated = [viewer(f"seat {seat.index}", seat.user, seat.index) for seat in Seat.objects.filter(match=match)]
    spectator, moderator = tables.person("Spectator"), tables.person("Moderator")
    moderator.is_staff = True
    moderator.save()
    moderator.groups.add(*Group.objects.all())
    root = User.objects.create(username="root", name="Root", is_staff=True, is_superuser=True)
    outside = {"spectator": spectator, "moderator": moderator, "administrator": root}
    return [*seated, viewer("anonymous"), *(viewer(name, user) for name, user in outside.items())]


def told(viewer: Viewer, match: Match, state: State) -> dict[str, bytes]:
    """Return what the site's pages say to the viewer, and the answer to vain tries, by address.

    What is not about the match is the same for every seat, so only one of them asks for it.
    """
    addresses = [*pages(match)]
    if viewer.seat:
        addresses = [address for address in addresses if match.slug in address]
    if viewer.user and viewer.user.is_staff:
        addresses += admin_pages(match)
    said = {address: body(viewer.client.get(address)) for address in addresses}
    address = reverse("match-move", args=[match.slug])
    for move in tries(state, viewer.seat):
        data = {"type": "move", "move": move, "v": match.version}
        said[f"{address} {move}"] = body(viewer.client.post(address, data, follow=True))
    return said


def body(response: object) -> bytes:
    """Return what came back, without what is drawn by lot for every answer."""
    return DRAWN_BY_LOT.sub(b"", response.getvalue())


def tries(state: State, seat: int | None) -> list[str]:
    """Return moves that this viewer cannot make: with tiles of others, of the boneyard, of the table, and nonsense."""
    rules = rules_for(state.variant)
    tiles = [tile for tile in rules.tile_set if seat is None or tile not in state.hands[seat]]
    places = sorted({place for tile in tiles for place in state.layout.places(tile)})
    return ["nonsense", *(state.layout.text(tile, places[-1]) for tile in tiles[::6])]


def pages(match: Match) -> Iterator[str]:
    """Yield every address that can be written with the match and its variant."""
    parts = {"slug": match.slug, "variant": match.variant}
    for name, keys in patterns(get_resolver()):
        if keys <= parts.keys() and name not in ABOUT_THE_PROCESS and not name.startswith("admin:"):
            yield reverse(name, kwargs={key: parts[key] for key in keys})


def admin_pages(match: Match) -> Iterator[str]:
    """Yield the lists of the admin, searches in them, and rows."""
    tile = tile_text(rules_for(match.variant).tile_set[-2])
    yield reverse("admin:index")
    yield reverse("admin:games_matchevent_changelist") + f"?data__contains={tile}"
    for model in admin.site._registry:
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        listed = reverse(f"{base}_changelist")
        yield from (listed, f"{listed}?q={tile}", f"{listed}?o=1.2.3")
        newest = 8 if model is MatchEvent else 2
        for key in model.objects.order_by("-pk").values_list("pk", flat=True)[:newest]:
            yield from (reverse(f"{base}_{page}", args=[key]) for page in ("change", "history"))


def patterns(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the name of every address with the names of its parts."""
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each, f"{space}{each.namespace}:" if each.namespace else space)
        elif isinstance(each, URLPattern) and each.name:
            yield f"{space}{each.name}", frozenset(each.pattern.regex.groupindex)
