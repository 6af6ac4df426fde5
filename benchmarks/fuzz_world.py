"""The people, tables and addresses that benchmarks/fuzz.py attacks, printed as one JSON object.

Uses the database of the environment. All that requests can name is read from the site itself (addresses from the
URLconf, fields from templates and forms, message types from the sockets), so new ones are fuzzed too.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import cycle
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
from django.utils import timezone  # noqa: E402

from accounts import bots as accounts_bots  # noqa: E402
from accounts.login.guests import create_guest  # noqa: E402
from accounts.models import ApiToken, User  # noqa: E402
from accounts.tokens.issuing import create_token  # noqa: E402
from benchmarks.seed import log_in, random_move, start_match  # noqa: E402
from games.api.endpoints import API  # noqa: E402
from games.engine.variants import rules_for  # noqa: E402
from games.lobby import bot_tables  # noqa: E402
from games.lobby import tables as lobby_tables  # noqa: E402
from games.match import match_rows  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.services import play  # noqa: E402
from games.services.moves import make_moves  # noqa: E402
from games.sockets.routing import websocket_urlpatterns  # noqa: E402
from games.terms.terms import Terms  # noqa: E402
from games.words import offered_variants  # noqa: E402

PEOPLE_PER_KIND = 30  # of each kind; some are logged out or deleted during the run
RUNNING_TABLES_PER_VARIANT = 3  # running tables of each variant
MAX_MOVES = 600
BOT_OWNERS = 20
BOT_NAMES = ("Roller", "Tumbler")
RUNNING_SHARE = 0.7
ALL_SCOPES = tuple(ApiToken.Scope.values)
PASSWORD = "correct horse battery"
RUNTIME_FIELDS = {"login", "seats", "stakes", "v"}  # fields that forms add at runtime
FIELD_NAME_PATTERN = re.compile(r'name="([a-z]\w{0,40})"')
QUERY_NAME_PATTERN = re.compile(r'GET(?:\.get\(|\.getlist\(|\[)"(\w+)"')
ADMIN_PARAMETERS = ["q", "o", "p", "e", "all", "_popup", "_to_field", "_changelist_filters", "id", "pk__in", "action"]
# Lookups of a field that a list page of the administration may receive.
LOOKUPS = ("", "__exact", "__year", "__gte", "__lt", "__range", "__in", "__isnull", "__regex", "__date", "__id__range")


def create_guests() -> list[User]:
    return [create_guest(name=f"Guest {number}", colour="red") for number in range(PEOPLE_PER_KIND)]


def create_accounts(kind: str, **columns: bool) -> list[User]:
    names = [f"{kind}{number}" for number in range(PEOPLE_PER_KIND)]
    mail = "example.org"
    return [User.objects.create_user(name, f"{name}@{mail}", PASSWORD, name=name, **columns) for name in names]


def create_players(count: int) -> list[User]:
    """Return new people without a seat."""
    first = User.objects.count()
    return [create_guest(name=f"Player {first + number}", colour="blue") for number in range(count)]


def open_table(variant: str, visibility: str, delay: str) -> Match:
    seats = max(rules_for(variant).seat_counts)
    terms = Terms(variant, seats, clock=Match.Clock.NONE, visibility=visibility, delay=delay)
    return lobby_tables.open_table(host=create_players(1)[0], terms=terms)


def start_full_match(variant: str) -> Match:
    return start_match(variant, create_players(max(rules_for(variant).seat_counts)))


def play_to_end(ids: Sequence[int]) -> None:
    """Play at random until all matches are over, but at most ``MAX_MOVES`` moves each."""
    for _ in range(MAX_MOVES):
        with transaction.atomic():
            rows = match_rows.lock_rows(ids) if ids else {}
        ids = [pk for pk in ids if rows[pk].status == Match.Status.RUNNING]
        for pk in ids:
            if rows[pk].to_move is None:
                start_next_round(pk)
        if moves := [random_move(rows[pk]) for pk in ids if rows[pk].to_move is not None]:
            make_moves(moves)


def start_next_round(match_id: int) -> None:
    for user_id in Seat.objects.filter(match_id=match_id).values_list("user_id", flat=True):
        play.mark_ready(match_id=match_id, user_id=user_id)


def create_tables() -> dict[str, list[str]]:
    """Return the slugs of tables by their status."""
    shapes = [(Match.Visibility.PUBLIC, "none"), (Match.Visibility.LINK, "none"), (Match.Visibility.PUBLIC, "round")]
    variants = list(offered_variants())
    open_tables = [open_table(variant, *shape) for variant in variants for shape in shapes]
    running = [start_full_match(variant) for variant in variants for _ in range(RUNNING_TABLES_PER_VARIANT)]
    finished = [start_full_match(variant) for variant in variants]
    play_to_end([match.pk for match in finished])
    groups = {"open": open_tables, "running": running, "over": finished}
    return {name: [match.slug for match in matches] for name, matches in groups.items()}


def sessions_by_table(slugs: Sequence[str]) -> dict[str, list[str]]:
    """Return the sessions of the people at each table."""
    seats = Seat.objects.filter(match__slug__in=slugs, user__isnull=False).select_related("user", "match")
    sessions: dict[str, list[str]] = {slug: [] for slug in slugs}
    for seat in seats:
        assert seat.user
        sessions[seat.match.slug].append(log_in(seat.user))
    return sessions


def create_bots() -> dict[str, Any]:
    """Return the tokens of every kind, and the slugs of tables of bots: open ones and running ones."""
    owners = [create_owner(f"owner{number}") for number in range(BOT_OWNERS)]
    pairs = [owner.bots.order_by("pk") for owner in owners]
    slugs = [open_bot_table(variant, *pair).slug for variant, pair in zip(cycle(offered_variants()), pairs * 2)]
    readers = [new_token(user, [ApiToken.Scope.READ]) for user in owners]
    hosts = [new_token(user, [ApiToken.Scope.TOURNAMENT_HOST]) for user in owners]
    expired = [new_token(user, ALL_SCOPES, expires_at=timezone.now()) for user in owners]
    players = [new_token(bot, ALL_SCOPES) for pair in pairs for bot in pair]
    wrong = ["", "dom_" + "x" * 43, "\u00e9", "dom_"]
    tokens = {"read": readers, "host": hosts, "expired": expired, "wrong": wrong}
    return {"tokens": tokens | {f"bot {number}": players for number in range(4)}, "bot_slugs": slugs}


def create_owner(name: str) -> User:
    """Return a person with bots."""
    joined = timezone.now() - timedelta(days=30)
    owner = User.objects.create_user(name, f"{name}@example.org", PASSWORD, name=name, date_joined=joined)
    with transaction.atomic():
        for first_name in BOT_NAMES:
            accounts_bots.create_bot(owner=owner, name=f"{first_name} {owner.pk}")
    return owner


def new_token(user: User, scopes: Sequence[str], **options: Any) -> str:
    return create_token(user=user, name=f"token {ApiToken.objects.count()}", scopes=list(scopes), **options)


def open_bot_table(variant: str, host: User, guest: User) -> Match:
    """Open a table of bots, and start its match at two of three tables."""
    match = bot_tables.open_table(bot=host, variant=variant, seats=2, options={}, clock=Match.Clock.NONE)
    return bot_tables.sit(match=match, bot=guest, index=None) if random.random() < RUNNING_SHARE else match


def url_patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """Return every address that has a name, as a pattern for ``%`` with the names of its captures."""
    for name in resolver.reverse_dict:
        if isinstance(name, str):
            for possibilities, *_rest in resolver.reverse_dict.getlist(name):
                yield from ((prefix + pattern, captures) for pattern, captures in possibilities)
    for inner_prefix, inner_resolver in resolver.namespace_dict.values():
        yield from url_patterns(inner_resolver, prefix + inner_prefix)


def form_field_names() -> list[str]:
    """Return the field names that forms of the site send."""
    sources = [*(settings.BASE_DIR / "templates").rglob("*.html"), *(settings.BASE_DIR / "games").rglob("*.py")]
    named = {name for path in sources for name in FIELD_NAME_PATTERN.findall(path.read_text())} | RUNTIME_FIELDS
    forms = list(all_subclasses(BaseForm))
    named |= {name for form in forms for name in getattr(form, "base_fields", {})}
    named |= {field.name for model in administration._registry for field in model._meta.fields}
    return sorted(named - {"csrfmiddlewaretoken"})


def all_subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from all_subclasses(subclass)


def query_parameters() -> list[str]:
    sources = [path.read_text() for app in ("accounts", "games") for path in (settings.BASE_DIR / app).rglob("*.py")]
    return sorted(
        {name for text in sources for name in QUERY_NAME_PATTERN.findall(text)}
        | set(ADMIN_PARAMETERS)
        | set(form_field_names())
    )


def admin_parameters() -> list[str]:
    """Return the parameters that list pages of the administration could read."""
    fields = {field.name for model in administration._registry for field in model._meta.fields}
    return [*ADMIN_PARAMETERS, *sorted(f"{name}{lookup}" for name in fields for lookup in LOOKUPS)]


def admin_actions() -> list[str]:
    """Return the names of the actions that list pages of the administration offer."""
    named = {
        action if isinstance(action, str) else action.__name__
        for model_admin in administration._registry.values()
        for action in model_admin.actions or ()
    }
    return sorted(named | {"delete_selected"})


def socket_message_types() -> list[str]:
    """Return the message types that sockets accept."""
    named = set()
    for pattern in websocket_urlpatterns:
        socket = object.__new__(pattern.callback.consumer_class)
        socket.joined = True
        named |= set(socket.handlers())
    return sorted(named)


def main() -> None:
    people = {
        "guest": create_guests(),
        "account": create_accounts("account"),
        "staff": create_accounts("staff", is_staff=True, is_superuser=True),
    }
    slugs = create_tables()
    world = {
        "sessions": {kind: [log_in(user) for user in users] for kind, users in people.items()},
        "ids": [user.pk for users in people.values() for user in users],
        "names": [user.username for user in people["account"]],
        "password": PASSWORD,
        "slugs": slugs,
        "players": sessions_by_table(slugs["open"] + slugs["running"] + slugs["over"]),
        "variants": list(offered_variants()),
        "addresses": sorted(dict(url_patterns(get_resolver())).items()),
        "fields": form_field_names(),
        "queries": query_parameters(),
        "admin_queries": admin_parameters(),
        "admin_actions": admin_actions(),
        "acts": socket_message_types(),
        "document": API.get_openapi_schema(),
    } | create_bots()
    print(json.dumps(world))


if __name__ == "__main__":
    main()
