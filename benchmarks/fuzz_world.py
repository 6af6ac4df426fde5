"""The people, tables and addresses that benchmarks/fuzz.py attacks, printed as one JSON object.

The database is that of the environment. What can be asked for is read from the site itself (addresses by the URLconf,
fields from templates and forms, acts from the sockets), so additions to the site are fuzzed without a change here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
os.environ["NONCE_SECONDS"] = "0"
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.admin.sites import site as administration  # noqa: E402
from django.db import transaction  # noqa: E402
from django.forms import BaseForm  # noqa: E402
from django.urls import URLResolver, get_resolver  # noqa: E402

from accounts.login.guests import create_guest  # noqa: E402
from accounts.models import User  # noqa: E402
from benchmarks.seed import random_move, seated, session  # noqa: E402
from games.engine.variants import rules_for  # noqa: E402
from games.lobby import tables as lobby_tables  # noqa: E402
from games.match import match_rows  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.services import play  # noqa: E402
from games.services.moves import make_moves  # noqa: E402
from games.sockets.routing import websocket_urlpatterns  # noqa: E402
from games.terms.terms import Terms  # noqa: E402
from games.words import offered  # noqa: E402

PEOPLE = 30  # of each kind; some are logged out or deleted on the way
TABLES = 3  # running tables of each variant
MAX_MOVES = 600
PASSWORD = "correct horse battery"
LATE = {"login", "seats", "stakes", "v"}  # fields that forms add at runtime
NAMED = re.compile(r'name="([a-z]\w{0,40})"')
ASKED = re.compile(r'GET(?:\.get\(|\.getlist\(|\[)"(\w+)"')
ADMINISTRATION = ["q", "o", "p", "e", "all", "_popup", "_to_field", "_changelist_filters", "id", "pk__in", "action"]
# Lookups of a field that a list page of the administration may receive.
LOOKUPS = ("", "__exact", "__year", "__gte", "__lt", "__range", "__in", "__isnull", "__regex", "__date", "__id__range")


def guests() -> list[User]:
    return [create_guest(name=f"Guest {number}", colour="red") for number in range(PEOPLE)]


def accounts(kind: str, **columns: bool) -> list[User]:
    names = [f"{kind}{number}" for number in range(PEOPLE)]
    mail = "example.org"
    return [User.objects.create_user(name, f"{name}@{mail}", PASSWORD, name=name, **columns) for name in names]


def fresh(count: int) -> list[User]:
    """Return people who sit nowhere yet."""
    first = User.objects.count()
    return [create_guest(name=f"Player {first + number}", colour="blue") for number in range(count)]


def open_table(variant: str, visibility: str, delay: str) -> Match:
    seats = max(rules_for(variant).seat_counts)
    terms = Terms(variant, seats, clock=Match.Clock.NONE, visibility=visibility, delay=delay)
    return lobby_tables.open_table(host=fresh(1)[0], terms=terms)


def running(variant: str) -> Match:
    return seated(variant, fresh(max(rules_for(variant).seat_counts)))


def play_to_the_end(ids: Sequence[int]) -> None:
    """Play at random until all are over, or have gone on for long and stay as they are."""
    for _ in range(MAX_MOVES):
        with transaction.atomic():
            rows = match_rows.lock_rows(ids) if ids else {}
        ids = [pk for pk in ids if rows[pk].status == Match.Status.RUNNING]
        for pk in ids:
            if rows[pk].to_move is None:
                go_on(pk)
        if moves := [random_move(rows[pk]) for pk in ids if rows[pk].to_move is not None]:
            make_moves(moves)


def go_on(match_id: int) -> None:
    for user_id in Seat.objects.filter(match_id=match_id).values_list("user_id", flat=True):
        play.mark_ready(match_id=match_id, user_id=user_id)


def tables() -> dict[str, list[str]]:
    """Return the slugs of tables by their status."""
    shapes = [(Match.Visibility.PUBLIC, "none"), (Match.Visibility.LINK, "none"), (Match.Visibility.PUBLIC, "round")]
    variants = list(offered())
    opened = [open_table(variant, *shape) for variant in variants for shape in shapes]
    played = [running(variant) for variant in variants for _ in range(TABLES)]
    over = [running(variant) for variant in variants]
    play_to_the_end([match.pk for match in over])
    groups = {"open": opened, "running": played, "over": over}
    return {name: [match.slug for match in matches] for name, matches in groups.items()}


def players(slugs: Sequence[str]) -> dict[str, list[str]]:
    """Return the sessions of those who sit at tables."""
    seats = Seat.objects.filter(match__slug__in=slugs, user__isnull=False).select_related("user", "match")
    sessions: dict[str, list[str]] = {slug: [] for slug in slugs}
    for seat in seats:
        assert seat.user
        sessions[seat.match.slug].append(session(seat.user))
    return sessions


def addresses(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """Return every address that has a name, as a pattern for ``%`` with the names of its captures."""
    for name in resolver.reverse_dict:
        if isinstance(name, str):
            for possibilities, *_rest in resolver.reverse_dict.getlist(name):
                yield from ((prefix + pattern, captures) for pattern, captures in possibilities)
    for inner, below in resolver.namespace_dict.values():
        yield from addresses(below, prefix + inner)


def fields() -> list[str]:
    """Return the field names that forms of the site send."""
    drawn = [*(settings.BASE_DIR / "templates").rglob("*.html"), *(settings.BASE_DIR / "games").rglob("*.py")]
    named = {name for path in drawn for name in NAMED.findall(path.read_text())} | LATE
    forms = list(subclasses(BaseForm))
    named |= {name for form in forms for name in getattr(form, "base_fields", {})}
    named |= {field.name for model in administration._registry for field in model._meta.fields}
    return sorted(named - {"csrfmiddlewaretoken"})


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


def queries() -> list[str]:
    ours = [path.read_text() for app in ("accounts", "games") for path in (settings.BASE_DIR / app).rglob("*.py")]
    return sorted({name for text in ours for name in ASKED.findall(text)} | set(ADMINISTRATION) | set(fields()))


def admin_queries() -> list[str]:
    """Return the parameters that list pages of the administration could read."""
    fields = {field.name for model in administration._registry for field in model._meta.fields}
    return [*ADMINISTRATION, *sorted(f"{name}{lookup}" for name in fields for lookup in LOOKUPS)]


def admin_actions() -> list[str]:
    """Return the names of the actions that list pages of the administration offer."""
    named = {
        action if isinstance(action, str) else action.__name__
        for model_admin in administration._registry.values()
        for action in model_admin.actions or ()
    }
    return sorted(named | {"delete_selected"})


def acts() -> list[str]:
    """Return the message types that sockets accept."""
    named = set()
    for pattern in websocket_urlpatterns:
        socket = object.__new__(pattern.callback.consumer_class)
        socket.joined = True
        named |= set(socket.handlers())
    return sorted(named)


def main() -> None:
    people = {
        "guest": guests(),
        "account": accounts("account"),
        "staff": accounts("staff", is_staff=True, is_superuser=True),
    }
    slugs = tables()
    world = {
        "sessions": {kind: [session(user) for user in users] for kind, users in people.items()},
        "ids": [user.pk for users in people.values() for user in users],
        "names": [user.username for user in people["account"]],
        "password": PASSWORD,
        "slugs": slugs,
        "players": players(slugs["open"] + slugs["running"] + slugs["over"]),
        "variants": list(offered()),
        "addresses": sorted(dict(addresses(get_resolver())).items()),
        "fields": fields(),
        "queries": queries(),
        "admin_queries": admin_queries(),
        "admin_actions": admin_actions(),
        "acts": acts(),
    }
    print(json.dumps(world))


if __name__ == "__main__":
    main()
