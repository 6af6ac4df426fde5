"""A number alone never leads to an unlisted table: not in an address, not in a field, not in a report or a download.

The test walks the URLconf, the fields of all forms and every name that a view reads from a request. So a new address
with a number in it is tested automatically; a new field fails ``test_every_field_with_an_id_is_tested`` until it is
listed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from django import forms
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter

from accounts.models import Block, Follow, Notice, Sanction, User
from games.models import Invitation, Match, Message, Report
from games.services import play
from tests.games import tables
from tests.games.tables import browser_of, person
from tests.import_rules import MODULES

pytestmark = pytest.mark.django_db

ANN, BEN, WATCHER = "Quillfeather", "Zanderby", "Ogglethorpe"
SECRET_TEXT = "hushhush"
# Values for the parts of addresses that are not numbers. The slug of a table is the right to see it.
PARTS = {
    "variant": "kozel",
    "day": "2026-11-26",
    "month": "2026-10",
    "extension": "jsonl",
    "name": "nothing",
    "token": "x",
    "key": "x",
    "uidb36": "1",
}
# Fields that contain the number of a row.
ROWS = {"line": Message, "person": User, "user__id__exact": User}
# Fields that contain no row number: texts, choices, steps of a review. Those of the admin are tested by role.
OTHER_FIELDS = {
    *(
        "all",
        "as",
        "at",
        "club",
        "game",
        "id",
        "index",
        "lang",
        "move",
        "moves",
        "on",
        "page",
        "q",
        "round",
        "step",
        "set",
        "theme",
        "tile",
    ),
    *("time", "type", "variant", "words", "groups", "user_permissions", "visible", "csrfmiddlewaretoken"),
    *("lines", "note", "number", "after", "games"),  # "after" is a puzzle
}


@dataclass
class World:
    """Two unlisted tables with all that belongs to them, and a public table."""

    hidden: list[Match]
    public: Match
    secrets: list[str] = field(default_factory=list)

    def numbers(self) -> list[int]:
        """Return the numbers of all rows that belong to the unlisted tables."""
        rows: list[Any] = [*self.hidden, *members()]
        for match in self.hidden:
            rows += [*match.seats.all(), *match.messages.all()]
        rows += [*Notice.objects.all(), *Sanction.objects.all(), *Invitation.objects.all()]
        return sorted({row.pk for row in rows})


@pytest.fixture
def world() -> World:
    ann, ben, watcher = person(ANN), person(BEN), person(WATCHER)
    running, over = (tables.running_table([ann, ben], visibility="unlisted") for _ in range(2))
    for match in (running, over):
        for user, room in ((ann, "table"), (watcher, "spectators"), (ben, "review")):
            Message.objects.create(match=match, user=user, name=user.name, text=SECRET_TEXT, room=room)
    play.stop_match(match_id=over.pk, reason="moderated")
    facts = {"variant": "kozel", "reason": SECRET_TEXT, "path": reverse("match", args=[running.slug])}
    Notice.objects.create(user=ann, kind="match_stopped", facts=facts)
    Sanction.objects.create(user=ann, kind="mute", reason=SECRET_TEXT)
    Invitation.objects.create(match=running, inviter=ann, invited=ben)
    Block.objects.create(blocker=ann, blocked=watcher)
    Follow.objects.create(follower=ann, followed=ben)
    public = tables.running_table([person("Pia"), person("Paul")])
    hidden = [running, over]
    return World(hidden, public, [ANN, BEN, WATCHER, SECRET_TEXT, *(match.slug for match in hidden)])


def members() -> QuerySet[User]:
    """Return the people who have been at the unlisted tables and nowhere else."""
    return User.objects.filter(name__in=(ANN, BEN, WATCHER))


def viewer(name: str) -> Client:
    client = Client()
    if name == "player":
        client.force_login(User.objects.get(name="Pia"))
    elif name != "visitor":
        user = person(name.title(), is_guest=name == "guest", is_staff=name == "staff")
        user.groups.set(Group.objects.all() if name == "staff" else [])
        client.force_login(user)
    return client


def leaves(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Yield the pages of the site with their full names. What the administration shows depends on the role."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from leaves(entry, f"{space}{entry.namespace}:" if entry.namespace else space)
        elif entry.name and space != "admin:":
            yield f"{space}{entry.name}", entry


def numbered(pattern: URLPattern) -> list[str]:
    return [name for name, converter in pattern.pattern.converters.items() if isinstance(converter, IntConverter)]


def addresses(world: World, *, with_number: bool) -> Iterator[str]:
    """Yield the addresses that contain a number, with each number, or those that contain neither number nor slug."""
    for name, pattern in leaves(get_resolver()):
        numbers, parts = numbered(pattern), pattern.pattern.regex.groupindex
        if bool(numbers) is not with_number or ("slug" in parts and not numbers):
            continue
        values = PARTS | {"slug": world.public.slug} | (pattern.default_args or {})
        for number in world.numbers() if numbers else [0]:
            yield reverse(name, kwargs={part: number if part in numbers else values[part] for part in parts})


def answer(client: Client, method: str, address: str, data: Mapping[str, str | int]) -> str:
    """Return all that is answered, where it leads included."""
    response = (client.get if method == "GET" else client.post)(address, data)
    body = b"".join(response).decode(errors="replace")
    return f"{response.status_code} {response.headers} {body}"


@pytest.mark.parametrize("name", ["visitor", "guest", "account", "player", "staff"])
class TestUnlistedTables:
    def test_ids_in_addresses_reveal_no_unlisted_table(self, world: World, name: str) -> None:
        client = viewer(name)
        for address in addresses(world, with_number=True):
            for method in ("GET", "POST"):
                text = answer(client, method, address, {})
                assert [secret for secret in world.secrets if secret in text] == [], f"{method} {address}"
        assert not Notice.objects.exclude(put_away_at=None).exists()

    def test_ids_in_fields_reveal_no_unlisted_table(self, world: World, name: str) -> None:
        client = viewer(name)
        lines, people = (list(rows.values_list("pk", flat=True)) for rows in (Message.objects, members()))
        for page in addresses(world, with_number=False):
            for line, suspect in zip(lines, people, strict=False):
                text = answer(client, "GET", page, {"line": line, "person": suspect})
                assert [secret for secret in world.secrets if secret in text] == [], page

    def test_unlisted_tables_cannot_be_reported_or_downloaded(self, world: World, name: str) -> None:
        client = viewer(name)
        lines, people = (list(rows.values_list("pk", flat=True)) for rows in (Message.objects, members()))
        places: list[dict[str, str | int]] = [{"person": person_id} for person_id in people]
        places += [{"line": line, "match": match} for line in lines for match in ("", world.public.slug, "nowhere")]
        for place in places:
            for method in ("GET", "POST"):
                text = answer(client, method, reverse("report"), place | {"reason": "insults"})
                assert [secret for secret in world.secrets if secret in text] == [], place
        assert not Report.objects.exists()
        download = answer(client, "GET", reverse("data-export"), {})
        assert [secret for secret in world.secrets if secret in download] == []


def test_a_download_names_only_tables_that_are_public_or_that_the_person_sat_at(world: World) -> None:
    ann, guest = User.objects.get(name=ANN), person("Guest")
    case = ann.cases.create(area="chat")
    for reporter in (guest, ann):
        Report.objects.create(case=case, reporter=reporter, reason="insults", match=world.hidden[0])
    Report.objects.create(case=case, reporter=guest, reason="insults", match=world.public)
    downloads = []
    for user in (guest, ann):
        client = browser_of(user)
        downloads.append([row["table"] for row in client.get(reverse("data-export")).json()["reports"]])
    assert downloads == [[None, world.public.slug], [world.hidden[0].slug]]


def fields_of_forms() -> set[str]:
    """Return the names of all fields of our forms that are numbers or choose a row."""
    fields, waiting = set(), [forms.BaseForm]
    while waiting:
        form = waiting.pop()
        waiting += form.__subclasses__()
        if form.__module__.partition(".")[0] in ("accounts", "games", "infrastructure"):
            fields |= {
                name
                for name, field in getattr(form, "base_fields", {}).items()
                if isinstance(field, forms.IntegerField | forms.ModelChoiceField)
            }
    return fields


def names_read() -> set[str]:
    """Return the names of all values that the code reads from a request."""
    names = set()
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                source, key = ast.unparse(node.func.value), node.args[0]
                is_request = source.endswith((".GET", ".POST", "asked", "submitted", "query"))
                if node.func.attr in ("get", "getlist") and is_request and isinstance(key, ast.Constant):
                    names.add(str(key.value))
    return names


def test_every_field_with_an_id_is_tested() -> None:
    assert (names_read() | fields_of_forms()) - ROWS.keys() - OTHER_FIELDS == set()
